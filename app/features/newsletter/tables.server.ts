import type { Generated } from 'kysely'

type NewsletterTable = { email: string; created_at: Generated<Date>; unsubscribed_at: Date | null }

declare module '../../adapters/database/port.ts' {
  interface Tables {
    newsletter: NewsletterTable
  }
}
