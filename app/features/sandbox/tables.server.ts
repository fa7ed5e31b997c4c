import type { Generated } from 'kysely'

/** When the demo's invented history ends, and when it was made (decision record 46). Only `content/demo` writes it. */
type DemoPastTable = { id: Generated<number>; begun_at: Date; finished_at: Date | null }

declare module '../../adapters/database/port.ts' {
  interface Tables {
    demo_past: DemoPastTable
  }
}
