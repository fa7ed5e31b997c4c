import type { Jobs } from '../../adapters/jobs/port.ts'
import { type FileDeps, sweepStrayUploads } from './commands.server.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'sweep-uploads': Record<string, never>
  }
}

const HOURLY = '47 * * * *'

/** Registers the hourly sweep of pictures that nothing has attached within a day. */
export function registerFileJobs(jobs: Jobs, deps: FileDeps): void {
  jobs.handle('sweep-uploads', async () => {
    await sweepStrayUploads(deps)
  })
  jobs.schedule('sweep-uploads', HOURLY, {})
}
