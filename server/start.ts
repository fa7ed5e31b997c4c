/** `npm start`: builds the product if its sources have changed, and starts it. */
import { applyMemorySettings } from './memory-settings.ts'

// Before anything large is loaded, which the new process would load again.
applyMemorySettings()
const { ensureBuilt } = await import('./build.ts')
await ensureBuilt()
const { run } = await import('./run.ts')
await run()
