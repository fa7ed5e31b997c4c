export {}

type AlertRecipientsTable = {
  id: string
  user_id: string | null
  /** In lower case; null for an account. */
  email: string | null
  /** The id that an account's address has as a guest, which the links of its mails then name; null for a guest. */
  joined_id: string | null
  created_at: Date
  next_at: Date
}

type AlertsTable = {
  id: string
  recipient_id: string
  /** The canonical address of the search. */
  address: string
  is_complete: boolean
  created_at: Date
  confirmed_at: Date | null
  ends_at: Date
}

type AlertListingsTable = { alert_id: string; business_id: string; told_at: Date | null }

declare module '../../adapters/database/port.ts' {
  interface Tables {
    alert_recipients: AlertRecipientsTable
    alerts: AlertsTable
    alert_listings: AlertListingsTable
  }
}
