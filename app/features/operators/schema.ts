import { z } from 'zod'
import { subject } from './act-schema.ts'
import { ACCOUNT_FILTERS, BOOKING_FILTERS, LISTING_FILTERS, PAYMENT_FILTERS } from './rules.ts'

export const paymentFilterSchema = z.enum(PAYMENT_FILTERS).catch('all')
export const bookingFilterSchema = z.enum(BOOKING_FILTERS).catch('all')
export const disputeFilterSchema = z.enum(['all', 'open', 'closed']).catch('all')
export const accountFilterSchema = z.enum(ACCOUNT_FILTERS).catch('all')
export const listingFilterSchema = z.enum(LISTING_FILTERS).catch('all')

/** The form of 'See as this person'. */
export const viewSchema = z.object({ id: subject, reason: z.string() })
