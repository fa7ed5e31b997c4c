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

type PushSubscriptionsTable = {
  id: string
  user_id: string
  session_id: string
  endpoint: string
  p256dh: string
  auth: string
  device: string
  created_at: Date
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    notifications: NotificationsTable
    push_subscriptions: PushSubscriptionsTable
  }
}
