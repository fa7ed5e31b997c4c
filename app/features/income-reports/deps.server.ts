import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'

/** The services of the reports. */
export type IncomeReportDeps = {
  db: Database
  jobs: Jobs
  now: () => Date
  brand: string
  publicUrl: URL
  /** The operator's own business, which reports. Without a name and an ABN there are samples alone. */
  platform: { name: string | null; abn: string | null }
  /** The addresses of the operators who make the report. Operators are a later feature than this one. */
  listReporters: (tx: DatabaseTransaction) => Promise<string[]>
}
