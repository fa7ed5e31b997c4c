import type { BusinessRegister, RegisterEntry } from './port.ts'

/** A row of the table: an entry, an ABN that the register doesn't know, or a register that doesn't answer. */
export type SandboxRow = Partial<RegisterEntry> | 'unknown' | 'outage'

/** An ABN without a row: active, registered for GST, and without a name that could differ. */
const DEFAULT_ENTRY: RegisterEntry = {
  status: 'active',
  statusSince: '2000-07-01',
  entityName: '',
  entityType: '',
  businessNames: [],
  gstSince: '2000-07-01',
  state: 'VIC',
}

/** Invented ABNs, to try each answer in the demo (docs/settings.md lists them). Their check digits are right. */
const ROWS: readonly (readonly [abn: string, row: SandboxRow])[] = [
  [
    '47999999901',
    { status: 'cancelled', statusSince: '2026-10-01', entityName: 'CLOSED DOORS PTY LTD', gstSince: null },
  ],
  ['28999999902', 'unknown'],
  [
    '98999999903',
    { entityName: 'SMALL HOURS PTY LTD', entityType: 'Australian Private Company', gstSince: null },
  ],
  [
    '79999999904',
    {
      entityName: 'The Trustee for the Tall Poppies Trust',
      entityType: 'Discretionary Trading Trust',
      businessNames: ['Tall Poppies Flowers'],
    },
  ],
  ['60999999905', 'outage'],
]

/**
 * Answers from a table, offline.
 * @param rows by ABN; a test changes them
 */
export function createSandboxRegister(
  rows: ReadonlyMap<string, SandboxRow> = new Map(ROWS),
): BusinessRegister {
  return {
    async find(abn) {
      const row = rows.get(abn) ?? {}
      if (row === 'outage') return { ok: false, message: 'the sandbox’s register is away' }
      return { ok: true, entry: row === 'unknown' ? null : { ...DEFAULT_ENTRY, ...row } }
    },
  }
}
