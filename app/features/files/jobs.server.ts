import type { Jobs } from '../../adapters/jobs/port.ts'
import { deleteUploads, type FileDeps, sweepStrayUploads } from './commands.server.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'sweep-uploads': Record<string, never>
    'delete-uploads': { keys: string[] }
  }
}

const HOURLY = '47 * * * *'

/**
 * Registers the deletion of pictures that a listing, registration or account no longer has, and the hourly sweep of
 * those that nothing has attached.
 */
export function registerFileJobs(jobs: Jobs, deps: FileDeps): void {
  jobs.handle('delete-uploads', ({ keys }) => deleteUploads(deps, keys))
  jobs.handle('sweep-uploads', async () => {
    await sweepStrayUploads(deps)
  })
  jobs.schedule('sweep-uploads', HOURLY, {})
}
