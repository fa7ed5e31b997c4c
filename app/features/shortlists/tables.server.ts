import type { ColumnType, Generated } from 'kysely'

type ShortlistsTable = {
  id: string
  /** null while it belongs to a browser. */
  user_id: string | null
  /** The token of the link derives from this key. null unless the list is shared. */
  share_key: string | null
  share_hash: string | null
  shared_at: Date | null
  created_at: Date
  used_at: Date
  /** The owner's words about the event. */
  title: Generated<string>
  event_date: ColumnType<Date | null, string | Date | null | undefined, string | Date | null>
  guests: ColumnType<number | null, number | null | undefined, number | null>
}

type ShortlistEntriesTable = {
  shortlist_id: string
  business_id: string
  note: Generated<string>
  added_at: Date
  /** Removed, but the removal can still be undone. */
  removed_at: Date | null
}

type ShortlistVotersTable = {
  shortlist_id: string
  /** A hash of the browser's cookie. */
  voter_hash: string
  name: string
  created_at: Date
}

type ShortlistVotesTable = {
  shortlist_id: string
  voter_hash: string
  business_id: string
  voted_at: Date
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    shortlists: ShortlistsTable
    shortlist_entries: ShortlistEntriesTable
    shortlist_voters: ShortlistVotersTable
    shortlist_votes: ShortlistVotesTable
  }
}
