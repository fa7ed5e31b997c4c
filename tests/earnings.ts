import type { Database } from '../app/adapters/database/port.ts'
import type { BookingStatus } from '../app/features/bookings/status-rules.ts'
import { type LedgerTransaction, postTransactions } from '../app/features/ledger/commands.server.ts'
import {
  type CommissionTerms,
  charge,
  commission,
  commissionOn,
  type Entry,
  earned,
  transfer,
} from '../app/features/ledger/rules.ts'
import type { HeldReason, PayoutAccountState, StoredRequirement } from '../app/features/payouts/rules.ts'
import { wallTimeAt } from '../app/shared/dates.ts'
import { newId } from '../app/shared/ids.ts'
import { DAY_MS, HOUR_MS } from '../app/shared/time-units.ts'
import { aPaymentOf } from './builders.ts'

/** Bookings with their money in the ledger, written in bulk for tests and benches of what vendors see. */

const DELAY_MS = 48 * HOUR_MS
const ROWS_PER_INSERT = 500
const TERMS: CommissionTerms = { basisPoints: 1_000, isGstRegistered: true }

/** How far the money of a booking is. */
export type Progress = 'held' | 'earned' | 'due' | 'claimed' | 'made' | 'at_bank'

export type EarningInput = {
  vendorUserId: string
  businessId?: string
  businessName?: string
  customerName?: string
  totalCents?: number
  /** The end of an event of seven hours, in Melbourne. */
  eventUntil: Date
  bookedAt: Date
  status?: BookingStatus
  progress?: Progress
  heldReason?: HeldReason
  /** The id of the account that receives the transfer. */
  accountId?: string
  /** null for a sale without commission. */
  terms?: CommissionTerms | null
}

/** Inserts a vendor's account with the provider, ready to be paid. */
export async function aPayoutAccount(
  db: Database,
  vendorUserId: string,
  overrides: Partial<{
    state: PayoutAccountState
    requirements: StoredRequirement[]
    bankLast4: string | null
  }> = {},
): Promise<string> {
  const { state = 'active', requirements = [], bankLast4 = '3456' } = overrides
  const id = newId()
  const at = new Date('2026-11-01T00:00:00Z')
  await db
    .insertInto('payout_accounts')
    .values({
      id,
      vendor_user_id: vendorUserId,
      provider: 'sandbox',
      provider_account: `acct_${id}`,
      state,
      requirements: JSON.stringify(requirements),
      bank_last4: bankLast4,
      active_since: state === 'active' ? at : null,
      checked_at: at,
      created_at: at,
    })
    .execute()
  return id
}

/** Inserts bookings and posts their money. @returns the ids of the bookings, in order */
export async function fillEarnings(db: Database, inputs: readonly EarningInput[]): Promise<string[]> {
  const made = inputs.map(toRows)
  for (let from = 0; from < made.length; from += ROWS_PER_INSERT) {
    const some = made.slice(from, from + ROWS_PER_INSERT)
    for (const { sale, payment } of some) await aPaymentOf(db, sale, payment)
    await db
      .insertInto('bookings')
      .values(some.map(({ booking }) => booking))
      .execute()
    const payouts = some.flatMap(({ payout }) => (payout ? [payout] : []))
    if (payouts.length > 0) await db.insertInto('bank_payouts').values(payouts).execute()
    const transfers = some.flatMap(({ transfer }) => (transfer ? [transfer] : []))
    if (transfers.length > 0) await db.insertInto('transfers').values(transfers).execute()
    await db.transaction().execute((tx) =>
      postTransactions(
        tx,
        some.flatMap(({ posted }) => posted),
      ),
    )
  }
  return made.map(({ booking }) => booking.id)
}

function toRows(input: EarningInput) {
  const { vendorUserId, eventUntil, bookedAt, totalCents = 870_000, progress = 'held' } = input
  const { customerName = 'Kim Lee', businessName = 'The Walled Garden', status = 'approved' } = input
  const terms = input.terms === undefined ? TERMS : input.terms
  const [id, paymentId] = [newId(), newId()]
  const businessId = input.businessId ?? 'the-walled-garden'
  const from = new Date(eventUntil.getTime() - 7 * HOUR_MS)
  const day = wallTimeAt(from, 'Australia/Melbourne').date
  const event = { from: from.toISOString(), until: eventUntil.toISOString() }
  const commissionCents = terms ? commissionOn(totalCents, terms.basisPoints) : 0
  const yoursCents = totalCents - commissionCents
  const dueAt = new Date(eventUntil.getTime() + DELAY_MS)
  const isMade = progress === 'made' || progress === 'at_bank'
  const about = (entry: Entry, at: Date): LedgerTransaction => ({
    ...entry,
    key: `${entry.kind}:${id}`,
    vendorUserId,
    bookingId: id,
    paymentId,
    providerReference: null,
    at,
  })
  const posted = [about(charge(totalCents), bookedAt)]
  if (progress !== 'held') {
    posted.push(about(earned(totalCents), eventUntil))
    if (terms)
      posted.push(
        about(commission({ cents: totalCents, commissionCents: 0, gstCents: 0 }, terms), eventUntil),
      )
  }
  if (isMade)
    posted.push(about(transfer({ cents: yoursCents, debts: [], paidFrom: 'provider_balance' }), dueAt))
  const payoutId = progress === 'at_bank' ? newId() : null
  return {
    sale: {
      id: paymentId,
      ownerUserId: vendorUserId,
      businessId,
      businessName,
      bookingType: 'perHour' as const,
      quantity: 1,
      date: day,
      event,
      unitPriceCents: totalCents,
      priceCents: totalCents,
      commission: terms ?? null,
    },
    payment: {
      provider_reference: `sb_${paymentId}`,
      state: 'paid' as const,
      paid_at: bookedAt,
      created_at: bookedAt,
    },
    booking: {
      id,
      payment_row_id: paymentId,
      vendor_id: businessId,
      vendor_name: businessName,
      customer_name: customerName,
      email: 'kim@example.com',
      phone: '0411 222 333',
      date: day,
      time: '16:00',
      quantity: 1,
      booking_type: 'perHour' as const,
      total_price_cents: totalCents,
      payment_id: `sb_${paymentId}`,
      status,
      remind_at: bookedAt,
      decide_by: bookedAt,
      created_at: bookedAt,
    },
    payout: payoutId
      ? {
          id: payoutId,
          payout_account_id: input.accountId ?? '',
          provider_payout: `po_${payoutId}`,
          amount_cents: yoursCents,
          state: 'paid' as const,
          arrives_at: new Date(dueAt.getTime() + DAY_MS),
          checked_at: dueAt,
          created_at: dueAt,
        }
      : null,
    transfer:
      progress === 'held' || progress === 'earned'
        ? null
        : {
            id: newId(),
            booking_id: id,
            purpose: 'share-1',
            vendor_user_id: vendorUserId,
            payment_id: paymentId,
            provider: 'sandbox',
            state: isMade
              ? ('made' as const)
              : progress === 'claimed'
                ? ('claimed' as const)
                : ('due' as const),
            held_reason: input.heldReason ?? null,
            due_at: dueAt,
            amount_cents: progress === 'due' ? null : yoursCents,
            netted_cents: progress === 'due' ? null : 0,
            payout_account_id: input.accountId ?? null,
            provider_transfer: isMade ? `tr_${id}` : null,
            made_at: isMade ? dueAt : null,
            bank_payout_id: payoutId,
            created_at: dueAt,
          },
    posted,
  }
}
