import type { Generated } from 'kysely'

type KnownDevicesTable = { user_id: string; device: string; seen_at: Generated<Date> }

declare module '../../adapters/database/port.ts' {
  interface Tables {
    known_devices: KnownDevicesTable
  }
}
