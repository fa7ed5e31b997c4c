import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Cents } from '../../shared/money.ts'
import type { InstalmentState } from './rules.ts'

type CentsColumn = ColumnType<string | number, Cents, Cents>

type InstalmentsTable = {
  id: string
  payment_id: string
  number: number
  amount_cents: CentsColumn
  /** Taken off by an operator before it was paid. */
  reduced_cents: ColumnType<string | number, Cents | undefined, Cents>
  due_at: Date
  state: InstalmentState
  paid_by: string | null
  attempts: Generated<number>
  try_at: Date | null
  claimed_at: Date | null
  decline_code: string | null
  /** When its first card was refused; its later tries and its deadline count from then. */
  unpaid_since: Generated<Date | null>
  extended_at: Date | null
  vendor_notices: Generated<number>
  reminded_at: Date | null
  paid_at: Date | null
  created_at: Date
}

/** A row of `instalments`, as queries return it. */
export type InstalmentRow = Selectable<InstalmentsTable>

type SavedCardsTable = {
  payment_id: string
  provider: string
  provider_customer: string
  provider_method: string | null
  brand: string | null
  last_four: string | null
  expires_year: number | null
  expires_month: number | null
  consent: string
  consented_at: Date
  /** Cards that were replaced or saved too late, until the provider has deleted them. */
  unused_methods: Generated<string[]>
  detached_at: Date | null
  created_at: Date
}

/** A row of `saved_cards`, as queries return it. */
export type SavedCardRow = Selectable<SavedCardsTable>

declare module '../../adapters/database/port.ts' {
  interface Tables {
    instalments: InstalmentsTable
    saved_cards: SavedCardsTable
  }
}
