import { z } from 'zod'
import { plainText } from '../../shared/form-texts.ts'
import { CATEGORIES } from '../businesses/rules.ts'
import {
  type Act,
  amountField,
  amountSchema,
  confirming,
  dropping,
  expectedCents,
  reasonField,
  reasonSchema,
  subject,
} from './act-schema.ts'
import {
  BORNE_BY_LABELS,
  MAX_REFERENCE_LENGTH,
  MAX_VENDOR_LENGTH,
  RATE_INVALID,
  REFERENCE_MISSING,
  VENDOR_MISSING,
  VENDOR_UNKNOWN,
} from './messages.ts'
import { parseRate } from './rules.ts'

const LOGGED = 'Goes into the operators’ log.'
const STAYS_IN_LOG = 'Stays in the log.'
const SIDE = z.enum(['vendor', 'customer'])
const ORDER_KIND = z.enum(['write_off', 'debt_paid', 'paid_by_bank'])
const MOVES_MONEY = { permission: 'move-money', asksAgain: true } as const

/** A rate in basis points, from percent. */
const rateSchema = z.string().transform((text, context) => {
  const basisPoints = parseRate(text)
  if (basisPoints !== null) return basisPoints
  context.addIssue({ code: 'custom', message: RATE_INVALID })
  return z.NEVER
})

const RATE = {
  permission: 'set-rates',
  asksAgain: true,
  pending: 'Setting...',
  done: 'Rate set',
  logs: { 'set-rate': 'Set a rate of commission' },
} as const
const RATE_FIELD = {
  label: 'Rate in percent',
  hint: 'From 0 to 100, with at most two decimals.',
  maxLength: 10,
  inputMode: 'decimal',
} as const

/** Refunds and cancellations. */
const REFUND_ACTS = {
  'retry-refund': {
    ...MOVES_MONEY,
    input: { id: subject },
    button: 'Try the refund now',
    pending: 'Trying...',
    done: 'The refund went through.',
    logs: { 'retry-refund': 'Tried a refund again' },
  },
  refund: {
    ...MOVES_MONEY,
    secondPerson: {
      by: 'amount',
      waiting: 'Refund',
      payload: z.object({ paymentId: z.string(), borneBy: z.enum(['vendor', 'operator']) }),
    },
    input: {
      id: subject,
      seen: expectedCents,
      amount: amountSchema,
      borneBy: z.enum(['vendor', 'operator']).default('vendor'),
      reason: reasonSchema,
    },
    fields: {
      amount: amountField('Amount', 'In dollars.'),
      borneBy: {
        label: 'Who bears it',
        hint: 'The vendor’s share falls with what is kept. If we bear it, it stays.',
        options: Object.entries(BORNE_BY_LABELS).map(([value, label]) => ({ value, label })),
      },
      reason: reasonField('Reason', STAYS_IN_LOG),
    },
    button: 'Refund',
    pending: 'Refunding...',
    done: 'Refunded',
    logs: { refund: 'Ordered a refund' },
  },
  'refund-again': {
    ...MOVES_MONEY,
    secondPerson: {
      by: 'amount',
      waiting: 'Refund to the card again',
      payload: z.object({ refundId: z.string() }),
    },
    input: { id: subject },
    button: 'Refund to the card again',
    pending: 'Refunding...',
    done: 'Refund ordered again',
    logs: { 'refund-again': 'Ordered a refund again' },
  },
  // Bank details are shown to the operator who pays, and to no other.
  'open-refund-account': {
    ...MOVES_MONEY,
    input: { id: subject },
    button: 'Show the account',
    pending: 'Opening...',
    done: 'The account is shown for ten minutes.',
    logs: { 'open-refund-account': 'Opened the account for a refund' },
  },
  'paid-otherwise': {
    ...MOVES_MONEY,
    secondPerson: {
      by: 'amount',
      waiting: 'Record as paid another way',
      payload: z.object({
        refundId: z.string(),
        reference: z.string(),
        // One from before it was stored has to be proposed again, if an account has been named.
        accountGivenAt: z.string().nullable().default(null),
      }),
    },
    input: {
      id: subject,
      // When the account was named that the page has shown; empty for none.
      account: z.string().max(40).default(''),
      reference: plainText({ required: REFERENCE_MISSING, max: MAX_REFERENCE_LENGTH }),
      reason: reasonSchema,
    },
    fields: {
      reference: {
        label: 'Reference',
        hint: 'The bank’s or the transfer’s number.',
        maxLength: MAX_REFERENCE_LENGTH,
      },
      reason: reasonField('How it was paid', STAYS_IN_LOG),
    },
    button: 'Record another way',
    pending: 'Recording...',
    done: 'Recorded as paid back',
    logs: { 'paid-otherwise': 'Paid a refund another way' },
  },
  'confirm-refund': confirming('move-money', {
    pending: 'Confirming...',
    look: 'brand',
    done: 'Refunded',
    logs: { 'confirm-refund': 'Confirmed a refund' },
  }),
  'drop-refund': dropping('move-money'),
  'cancel-booking': {
    ...MOVES_MONEY,
    secondPerson: {
      by: 'amount',
      waiting: 'Cancellation',
      payload: z.object({ side: SIDE, refund: z.enum(['policy', 'full', 'amount']) }),
    },
    input: {
      id: subject,
      side: SIDE,
      refund: z.enum(['policy', 'full', 'amount']).default('full'),
      seen: expectedCents.optional(),
      // Only read where an amount is chosen.
      amount: z.string().default(''),
      reason: reasonSchema,
    },
    fields: {
      refund: {
        label: 'The customer gets back',
        hint: 'The vendor keeps the rest.',
        options: [
          { value: 'policy', label: 'By the policy' },
          { value: 'full', label: 'All that is left' },
          { value: 'amount', label: 'Another amount' },
        ],
      },
      amount: {
        ...amountField('Another amount', 'In dollars. Only for ‘Another amount’.'),
        isOptional: true,
      },
      reason: reasonField('Reason', 'Both sides read it.'),
    },
    button: 'Cancel the booking',
    buttons: { vendor: 'Cancel for the vendor', customer: 'Cancel for the customer' },
    pending: 'Cancelling...',
    look: 'danger',
    done: 'Booking cancelled',
    logs: { 'cancel-booking': 'Cancelled a booking' },
  },
  'confirm-cancellation': confirming('move-money', {
    button: 'Confirm the cancellation',
    pending: 'Cancelling...',
    look: 'danger',
    done: 'Booking cancelled',
  }),
  'drop-cancellation': dropping('move-money'),
} as const satisfies Record<string, Act>

/** Acts about vendors' payouts and our commission. */
const PAYOUT_ACTS = {
  'order-payout': {
    ...MOVES_MONEY,
    secondPerson: {
      by: 'amount',
      waiting: 'Payout',
      payload: z.object({ kind: ORDER_KIND, bookingId: z.string(), vendorUserId: z.string() }),
    },
    input: {
      id: subject,
      kind: ORDER_KIND,
      seen: expectedCents,
      amount: amountSchema,
      reason: reasonSchema,
    },
    fields: {
      amount: amountField('Amount in dollars', 'At most what is open.'),
      reason: reasonField('Why, and the bank’s reference', LOGGED),
    },
    button: 'Record',
    buttons: {
      write_off: 'Write off',
      debt_paid: 'Record as paid by bank',
      paid_by_bank: 'Record the share as paid by bank',
    },
    pending: 'Recording...',
    done: 'Recorded',
    logs: {
      'write-off': 'Wrote off a debt',
      'debt-paid': 'Recorded a debt as paid',
      'paid-by-bank': 'Recorded a share as paid by bank',
    },
  },
  'confirm-order': confirming('move-money', { pending: 'Confirming...', done: 'Confirmed' }),
  'drop-order': dropping('move-money'),
  'hold-payouts': {
    permission: 'hold-payouts',
    asksAgain: false,
    input: { id: subject, booking: subject.optional(), reason: reasonSchema },
    fields: { reason: reasonField('Why are you holding it?', LOGGED) },
    button: 'Hold all payouts',
    buttons: { booking: 'Hold this booking' },
    pending: 'Holding...',
    done: 'Payouts held',
    logs: { 'hold-payouts': 'Held a vendor’s payouts' },
  },
  'release-payouts': {
    permission: 'hold-payouts',
    asksAgain: true,
    input: { id: subject, reason: reasonSchema },
    fields: { reason: reasonField('Why are you releasing it?', LOGGED) },
    button: 'Release',
    pending: 'Releasing...',
    done: 'Payouts released',
    logs: { 'release-payouts': 'Released a vendor’s payouts' },
  },
  'set-category-rate': {
    ...RATE,
    input: { category: z.enum(CATEGORIES), rate: rateSchema, reason: reasonSchema },
    fields: {
      category: {
        label: 'Category',
        hint: 'A vendor’s own rate comes before it.',
        options: CATEGORIES.map((category) => ({ value: category, label: category })),
      },
      rate: RATE_FIELD,
      reason: reasonField('Reason', STAYS_IN_LOG),
    },
    button: 'Set the rate of a category',
  },
  'set-vendor-rate': {
    ...RATE,
    input: {
      vendor: plainText({ required: VENDOR_MISSING, max: MAX_VENDOR_LENGTH }),
      rate: rateSchema,
      reason: reasonSchema,
    },
    fields: {
      vendor: {
        label: 'Vendor’s email',
        hint: 'The address of their account.',
        maxLength: MAX_VENDOR_LENGTH,
      },
      rate: RATE_FIELD,
      reason: reasonField('Reason', STAYS_IN_LOG),
    },
    button: 'Set the rate of a vendor',
    refusals: { field: 'vendor', texts: { not_found: VENDOR_UNKNOWN } },
  },
} as const satisfies Record<string, Act>

/** Acts that move money, hold it, or decide who gets how much. */
export const MONEY_ACTS = { ...REFUND_ACTS, ...PAYOUT_ACTS } as const satisfies Record<string, Act>
