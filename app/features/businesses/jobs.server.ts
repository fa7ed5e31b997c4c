import type { Database } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import { fillMarkers } from './marker-commands.server.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'fill-markers': Record<string, never>
  }
}

/** Registers the job that fills the markers of listings. */
export function registerListingJobs(jobs: Jobs, deps: { db: Database }): void {
  jobs.handle('fill-markers', async () => {
    await fillMarkers(deps)
  })
  jobs.schedule('fill-markers', '* * * * *', {})
}
