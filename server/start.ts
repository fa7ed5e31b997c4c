/** `npm start`: builds the product if its sources have changed, and starts it. */
import { ensureBuilt } from './build.ts'

await ensureBuilt()
const { run } = await import('./run.ts')
await run()
