import type { LocalDate } from '../../shared/dates.ts'

/** The Australian Business Register's answer about an ABN. Texts are as the register writes them, '' if missing. */
export type RegisterEntry = {
  status: 'active' | 'cancelled'
  /** Since when the ABN has this status. */
  statusSince: LocalDate | null
  entityName: string
  /** The register's words: 'Individual/Sole Trader', 'Australian Private Company', 'Family Partnership', … */
  entityType: string
  businessNames: string[]
  /** Since when the business is registered for GST; null if it isn't. */
  gstSince: LocalDate | null
  /** 'VIC' */
  state: string
}

export interface BusinessRegister {
  /**
   * Asks the register about an ABN.
   * @param abn eleven digits whose check digits are right
   * @returns `entry` is null for an ABN that the register doesn't know. Not `ok` while there is no answer: the register
   * is away, refuses us, or sends something else
   */
  find(abn: string): Promise<RegisterFinding>
}

export type RegisterFinding =
  | { ok: true; entry: RegisterEntry | null }
  /** For the log. */
  | { ok: false; message: string }
