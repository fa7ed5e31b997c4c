import { z } from 'zod'
import { plainText } from '../../shared/form-texts.ts'
import { parsePrice } from '../../shared/money.ts'
import { CATEGORIES } from '../businesses/rules.ts'
import { EVIDENCE_FIELD_LENGTHS, PRODUCT_MISSING, STATEMENT_MISSING } from './dispute-messages.ts'
import type { EvidenceTexts } from './dispute-rules.ts'
import {
  AMOUNT_INVALID,
  EMAIL_MISSING,
  MAX_REASON_LENGTH,
  MAX_REFERENCE_LENGTH,
  MAX_VENDOR_LENGTH,
  RATE_INVALID,
  REASON_MISSING,
  REFERENCE_MISSING,
  VENDOR_MISSING,
} from './messages.ts'
import { ROLES } from './role-rules.ts'
import {
  ACCOUNT_FILTERS,
  BOOKING_FILTERS,
  LISTING_FILTERS,
  PAYMENT_FILTERS,
  parseRate,
  REVIEW_STATES,
} from './rules.ts'

export const reasonSchema = plainText({ required: REASON_MISSING, max: MAX_REASON_LENGTH })

const referenceSchema = plainText({ required: REFERENCE_MISSING, max: MAX_REFERENCE_LENGTH })

/** An amount in cents, from what was typed. */
const amountSchema = z.string().transform((text, context) => {
  const cents = parsePrice(text)
  if (cents !== null && cents > 0) return cents
  context.addIssue({ code: 'custom', message: AMOUNT_INVALID })
  return z.NEVER
})

/** A rate in basis points, from percent. */
const rateSchema = z.string().transform((text, context) => {
  const basisPoints = parseRate(text)
  if (basisPoints !== null) return basisPoints
  context.addIssue({ code: 'custom', message: RATE_INVALID })
  return z.NEVER
})

/** A longer text of evidence. Forms send line ends as CRLF, which count once. */
const evidenceText = (name: keyof EvidenceTexts, required?: string) =>
  z
    .string()
    .transform((text) => text.replaceAll('\r\n', '\n'))
    .pipe(
      plainText({
        max: EVIDENCE_FIELD_LENGTHS[name],
        multiline: true,
        ...(required === undefined ? {} : { required }),
      }),
    )

const subject = z.string().min(1).max(100)

/** The input of the operators' buttons. Operations that need a reason are refused without one. */
export const operationSchema = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('ask'), id: subject }),
  z.object({ intent: z.literal('retry-refund'), id: subject }),
  z.object({
    intent: z.literal('refund'),
    id: subject,
    seen: z.coerce.number().int().min(0),
    amount: amountSchema,
    borneBy: z.enum(['vendor', 'operator']).default('vendor'),
    reason: reasonSchema,
  }),
  z.object({
    intent: z.literal('cancel-booking'),
    id: subject,
    side: z.enum(['vendor', 'customer']),
    refund: z.enum(['policy', 'full', 'amount']).default('full'),
    seen: z.coerce.number().int().min(0).optional(),
    // Only read where an amount is chosen.
    amount: z.string().default(''),
    reason: reasonSchema,
  }),
  z.object({ intent: z.literal('confirm-cancellation'), id: subject }),
  z.object({ intent: z.literal('drop-cancellation'), id: subject }),
  z.object({ intent: z.literal('confirm-refund'), id: subject }),
  z.object({ intent: z.literal('drop-refund'), id: subject }),
  z.object({ intent: z.literal('refund-again'), id: subject }),
  z.object({
    intent: z.literal('paid-otherwise'),
    id: subject,
    reference: referenceSchema,
    reason: reasonSchema,
  }),
  z.object({ intent: z.literal('compare') }),
  z.object({ intent: z.literal('approve-review'), id: subject, seen: z.enum(REVIEW_STATES) }),
  z.object({
    intent: z.literal('reject-review'),
    id: subject,
    seen: z.enum(REVIEW_STATES),
    reason: reasonSchema,
  }),
  z.object({ intent: z.literal('disable-account'), id: subject, reason: reasonSchema }),
  z.object({ intent: z.literal('enable-account'), id: subject }),
  z.object({ intent: z.literal('hide-listing'), id: subject, reason: reasonSchema }),
  z.object({ intent: z.literal('show-listing'), id: subject }),
  z.object({
    intent: z.literal('close-report'),
    id: subject,
    block: z.enum(['', 'customer', 'vendor']).default(''),
    reason: reasonSchema,
  }),
  z.object({
    intent: z.literal('hold-payouts'),
    id: subject,
    booking: subject.optional(),
    reason: reasonSchema,
  }),
  z.object({ intent: z.literal('release-payouts'), id: subject, reason: reasonSchema }),
  z.object({
    intent: z.literal('order-payout'),
    id: subject,
    kind: z.enum(['write_off', 'debt_paid', 'paid_by_bank']),
    seen: z.coerce.number().int().min(0),
    amount: amountSchema,
    reason: reasonSchema,
  }),
  z.object({ intent: z.literal('confirm-order'), id: subject }),
  z.object({ intent: z.literal('drop-order'), id: subject }),
  z.object({ intent: z.literal('prove') }),
  z.object({
    intent: z.literal('submit-evidence'),
    id: subject,
    seen: z.string().max(200),
    product: evidenceText('product', PRODUCT_MISSING),
    serviceDate: evidenceText('serviceDate'),
    terms: evidenceText('terms'),
    refusal: evidenceText('refusal'),
    statement: evidenceText('statement', STATEMENT_MISSING),
    reason: reasonSchema,
  }),
  z.object({
    intent: z.literal('accept-dispute'),
    id: subject,
    seen: z.string().max(200),
    reason: reasonSchema,
  }),
  z.object({ intent: z.literal('confirm-answer'), id: subject }),
  z.object({ intent: z.literal('drop-answer'), id: subject }),
  z.object({
    intent: z.literal('set-category-rate'),
    category: z.enum(CATEGORIES),
    rate: rateSchema,
    reason: reasonSchema,
  }),
  z.object({
    intent: z.literal('set-vendor-rate'),
    vendor: plainText({ required: VENDOR_MISSING, max: MAX_VENDOR_LENGTH }),
    rate: rateSchema,
    reason: reasonSchema,
  }),
  z.object({
    intent: z.literal('name-operator'),
    email: plainText({ required: EMAIL_MISSING, max: MAX_VENDOR_LENGTH }),
    role: z.enum(ROLES),
  }),
  z.object({
    intent: z.literal('change-role'),
    id: subject,
    seen: z.enum(ROLES),
    role: z.enum(ROLES),
  }),
  z.object({ intent: z.literal('remove-operator'), id: subject, seen: z.enum(ROLES) }),
  z.object({ intent: z.literal('confirm-naming'), id: subject }),
  z.object({ intent: z.literal('drop-naming'), id: subject }),
])

export type Operation = z.output<typeof operationSchema>

export const paymentFilterSchema = z.enum(PAYMENT_FILTERS).catch('all')
export const bookingFilterSchema = z.enum(BOOKING_FILTERS).catch('all')
export const disputeFilterSchema = z.enum(['all', 'open', 'closed']).catch('all')
export const accountFilterSchema = z.enum(ACCOUNT_FILTERS).catch('all')
export const listingFilterSchema = z.enum(LISTING_FILTERS).catch('all')

/** The form of 'See as this person'. */
export const viewSchema = z.object({ id: subject, reason: z.string() })
