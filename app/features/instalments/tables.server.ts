import type { Generated, Selectable } from 'kysely'

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
    saved_cards: SavedCardsTable
  }
}
