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

type ReviewInvitationsTable = {
  booking_id: string
  /** How many were sent, 0 to 2. */
  sent: number
  /** When the next one is due; null for no further. */
  next_at: Date | null
  created_at: Date
}

type ReviewInvitationEndsTable = { address_hash: string; ended_at: Date }

declare module '../../adapters/database/port.ts' {
  interface Tables {
    reviews: ReviewsTable
    review_invitations: ReviewInvitationsTable
    review_invitation_ends: ReviewInvitationEndsTable
  }
}
