import type { Generated } from 'kysely'

type NotificationsTable = {
  id: string
  user_id: string
  kind: string
  title: string
  body: Generated<string>
  link: string
  event_key: string
  created_at: Generated<Date>
  read_at: Date | null
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    notifications: NotificationsTable
  }
}
