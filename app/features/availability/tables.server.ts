import type { ColumnType, Generated } from 'kysely'
import type { HoursException, OpenHours, WeeklyHours } from './rules.ts'

/** The drivers return ranges as text. Read them with lower() and upper(), write them with `rangeText`. */
type RangeColumn = ColumnType<unknown, string, string>

type AvailabilitySettingsTable = {
  business_id: string
  capacity: number
  max_guests: number | null
  weekly: ColumnType<WeeklyHours, string, string>
  event_minutes: number
  setup_minutes: number
  cleanup_minutes: number
  notice_minutes: number
  horizon_days: number
  updated_at: Date
}

type AvailabilityExceptionsTable = {
  id: string
  number: Generated<string | number>
  business_id: string
  /** The drivers return dates as different types, so read it with to_char. */
  from_day: ColumnType<unknown, string, never>
  to_day: ColumnType<unknown, string, never>
  hours: ColumnType<OpenHours[], string, never>
  note: HoursException['note']
}

type SlotsTable = {
  id: string
  business_id: string
  kind: 'booking' | 'hold' | 'block'
  during: RangeColumn
  event: RangeColumn
  time_zone: string
  is_exclusive: boolean
  expires_at: Date | null
  payment_id: string | null
  booking_id: string | null
  /** A keyed hash of the address that holds the slot; null once it is paid for. */
  held_from: Generated<string | null>
  /** For the hold of a proposed time: the first payment of the booking that would move. */
  moves_payment_id: Generated<string | null>
  note: Generated<string>
  created_at: Date
}

type CalendarFeedsTable = {
  business_id: string
  token_hash: string
  shows_names: Generated<boolean>
  created_at: Date
}

type OutsideCalendarsTable = {
  id: string
  business_id: string
  name: string
  url: string
  added_at: Date
  next_sync_at: Date
  last_synced_at: Date | null
  last_error: string | null
  /** The event that can't be read, with 'unreadable_event'. */
  last_error_event: Generated<string | null>
  etag: string | null
}

type OutsideEventsTable = {
  id: Generated<string | number>
  calendar_id: string
  during: RangeColumn
  title: string
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    availability_settings: AvailabilitySettingsTable
    availability_exceptions: AvailabilityExceptionsTable
    slots: SlotsTable
    calendar_feeds: CalendarFeedsTable
    outside_calendars: OutsideCalendarsTable
    outside_events: OutsideEventsTable
  }
}
