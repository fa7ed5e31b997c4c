import type { Generated } from 'kysely'

type ReviewsTable = {
  id: string
  business_id: string
  booking_id: string | null
  user_id: string | null
  author_name: string
  rating: number
  body: string
  approved: Generated<boolean>
  rejected_reason: string | null
  moderated_at: Date | null
  created_at: Generated<Date>
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    reviews: ReviewsTable
  }
}
