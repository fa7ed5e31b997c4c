import type { Generated } from 'kysely'
import type { SecurityEventKind } from '../../adapters/accounts/security-log.ts'

type KnownDevicesTable = { user_id: string; device: string; seen_at: Generated<Date> }

/** Rows of before are never changed, except that refusals alike are counted in one. */
type SecurityEventsTable = {
  id: string
  kind: SecurityEventKind
  user_id: string | null
  address_hash: string | null
  actor_user_id: string | null
  detail: string | null
  device: string
  network: string | null
  times: Generated<number>
  tally: string | null
  first_at: Date
  at: Date
  recorded_at: Generated<Date>
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    known_devices: KnownDevicesTable
    security_events: SecurityEventsTable
  }
}
