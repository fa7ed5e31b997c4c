import type { Generated } from 'kysely'

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
}

type ShortlistEntriesTable = {
  shortlist_id: string
  business_id: string
  note: Generated<string>
  added_at: Date
  /** Removed, but the removal can still be undone. */
  removed_at: Date | null
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    shortlists: ShortlistsTable
    shortlist_entries: ShortlistEntriesTable
  }
}
