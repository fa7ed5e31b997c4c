/** `npm start`: builds when the sources have changed, then starts the product. */
import { ensureBuilt } from './build.ts'

await ensureBuilt()
const { run } = await import('./run.ts')
await run()
