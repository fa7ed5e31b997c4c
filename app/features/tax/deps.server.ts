import type { Database } from '../../adapters/database/port.ts'
import type { FaultPoint } from '../../adapters/payments/fault-points.ts'

/** The services that issue tax documents. */
export type TaxDeps = {
  db: Database
  now: () => Date
  brand: string
  /** The operator's own business, which issues them. Without a name and an ABN, documents are samples. */
  platform: { name: string | null; abn: string | null }
  /** Whether this deployment asks the business register. */
  isRegisterAsked: boolean
  /** Does nothing, except in the test that kills the process at each of these points. */
  faultPoint: FaultPoint
}
