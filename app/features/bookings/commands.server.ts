import { type Selectable, sql } from 'kysely'
import type { Database, DatabaseTransaction, Tables } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { LiveUpdates } from '../../adapters/live-updates/port.ts'
import type { MailMessage } from '../../adapters/mail/port.ts'
import type { ReachPoint } from '../../adapters/payments/crash-points.ts'
import type { PaymentProvider, PaymentSnapshot, WebhookEvent } from '../../adapters/payments/port.ts'
import { newId } from '../../shared/ids.ts'
import { createTurns } from '../../shared/in-turn.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import { hashText, sameText, signText } from '../../shared/signed.ts'
import type { MailPreference } from '../accounts/rules.ts'
import {
  consumeHold,
  freeSlot,
  keepHold,
  releaseHold,
  type TooManyHeld,
  takeHold,
  takeSlotAgain,
} from '../availability/commands.server.ts'
import {
  type CalendarEntry,
  findAvailability,
  findOtherTimes,
  findTime,
  isHeld,
  type TimeGone,
  type TimeWish,
} from '../availability/queries.server.ts'
import { unitPriceFor } from '../businesses/rules.ts'
import { addNotification } from '../notifications/commands.server.ts'
import { markPaymentEventProcessed, recordPaymentEvent } from '../payments/commands.server.ts'
import {
  isTooLate,
  isUnsettled,
  nextPaymentState,
  type PaymentState,
  pauseAfterTries,
} from '../payments/rules.ts'
import {
  approvedMail,
  type BookingLinkMail,
  bookingPaidMail,
  customerWithdrewMail,
  declinedForVendorMail,
  declinedMail,
  eventReminderForVendorMail,
  eventReminderMail,
  type MailedBooking,
  newBookingMail,
  notBookedMail,
  refundedMail,
  reminderMail,
  undecidedMail,
  withdrawnMail,
} from './mails.ts'
import {
  agreedTime,
  type BookingOfferRow,
  type BookingRow,
  findBookingOffer,
  findVendorContacts,
  lockBooking,
  spanText,
} from './queries.server.ts'
import {
  type BookingFieldErrors,
  type BookingForm,
  type BookingStatus,
  bookingLinkToken,
  bookingPath,
  canMove,
  checkBooking,
  type Decision,
  type PaymentStatus,
  type RefundReason,
  totalPrice,
  type UnbookedReason,
  type UndecidedTimes,
  undecidedUntil,
} from './rules.ts'
import { TERMS_VERSION } from './wording.ts'

/** What the commands of bookings work with. */
export type BookingDeps = {
  db: Database
  payments: PaymentProvider
  jobs: Jobs
  liveUpdates: LiveUpdates
  now: () => Date
  /** Makes the links of bookings. */
  secret: string
  brand: string
  publicUrl: URL
  /** Decision 7: how long a decline can be undone before its refund is made. */
  refundGraceMs: number
  /** How long a time is kept free, and its payment open, until the card is being confirmed. */
  holdMs: number
  /** How long both last from then on. */
  paymentExpiryMs: number
  /** Decision 7: when a booking that nobody decides is reminded of and declined. */
  undecided: UndecidedTimes
  /** How long before an event both sides are reminded of it. */
  remindBeforeEventMs: number
  /** Gives a new booking its place in its seller's series of receipts, in the same transaction. */
  numberReceipt(
    tx: DatabaseTransaction,
    receipt: { bookingId: string; sellerUserId: string; issuedAt: Date },
  ): Promise<void>
  /** Does nothing but in the test that kills the process at each of these points. */
  reach: ReachPoint
}

const CURRENCY = 'aud'
const ONLY_LINE = 1
const PAYMENTS_PER_SWEEP = 200
const REFUNDS_PER_RUN = 50
const BOOKINGS_PER_RUN = 100
const DAY_MS = 86_400_000
const DASHBOARD_BOOKINGS_PATH = '/dashboard/bookings'

type PaymentRow = Selectable<Tables['payments']>

/** The provider that made this payment, the only one to ask about it; null while the settings name another. */
function providerOf(deps: BookingDeps, payment: Pick<PaymentRow, 'provider'>): PaymentProvider | null {
  return payment.provider === deps.payments.name ? deps.payments : null
}

/** Many who want one business at the same moment: the first takes the time, the others read that it is gone. */
const inTurn = createTurns()

export type StartedPayment =
  | {
      ok: true
      alreadyPaid: false
      paymentId: string
      reference: string
      clientSecret: string
      expiresAt: Date
      /** The event as people read it, from its start to its end. */
      span: string
    }
  | { ok: true; alreadyPaid: true; paymentId: string; reference: string }
  | {
      ok: false
      reason: 'gone' | 'submit_key_reused' | 'payment_ended' | TooManyHeld | 'provider_unavailable'
    }
  | { ok: false; reason: 'fields'; fields: BookingFieldErrors }
  | { ok: false; reason: 'amount_differs'; amountCents: Cents }
  | TimeGone

/**
 * Keeps the checked booking beside a new payment and its time free for it, then asks the provider for it (Decisions 5
 * and 6). The same submit key is the same payment, so that a double click or a repeated request charges nobody twice.
 * @param input.amount what the browser believes the total to be, in cents; never used but to be compared
 * @param input.booking already through `bookingSchema`
 * @param input.exceptPayments the payments that this browser began: it holds one time of a business, so a new payment
 *   ends those of its others that wait for a card
 * @param input.heldFrom the client's address, whose unpaid holds are limited as the browser's are
 * @returns the client secret for the card form, and until when the time is kept free. Refuses with 'gone' (no such
 *   business, or on request only), 'fields' (messages by field), 'amount_differs' (with the right total), 'time_gone'
 *   (why, and the nearest free times), 'submit_key_reused' (other details under the same key), 'payment_ended' (out of
 *   time or of another provider; take a new key), 'too_many_held_by_browser' and 'too_many_held_by_address' (times that
 *   are not paid for yet) and 'provider_unavailable' (try again with the same key)
 */
export async function startBookingPayment(
  deps: BookingDeps,
  input: {
    amount: number
    submitKey: string
    businessId: string
    booking: BookingForm
    customerUserId: string | null
    exceptPayments?: readonly string[]
    heldFrom?: string
  },
): Promise<StartedPayment> {
  const { db, now } = deps
  const { businessId } = input
  const before = await resumeStarted(deps, input)
  if (before) return before

  const offer = await findBookingOffer(db, businessId)
  if (!offer || offer.priceCents === 0) return refuse('gone')
  const fields = checkBooking(input.booking, offer, now())
  if (Object.keys(fields).length > 0) return { ok: false, reason: 'fields', fields }
  const { bookingType, quantity } = input.booking
  const unitPriceCents = unitPriceFor(offer, bookingType)
  const amountCents = unitPriceCents === null ? null : totalPrice(unitPriceCents, quantity)
  if (unitPriceCents === null || amountCents === null) {
    throw new Error('checkBooking let an unpriceable booking through')
  }
  if (amountCents !== input.amount) return { ok: false, reason: 'amount_differs', amountCents }

  const taken = await inTurn(businessId, () =>
    takeTime(deps, input, { ...offer, unitPriceCents, amountCents }),
  )
  if (!taken.ok) return taken
  for (const replaced of taken.replaced) await endPayment(deps, replaced)
  const started = await resumeStarted(deps, input)
  if (!started) throw new Error('a payment vanished between its insert and its reading')
  return started
}

/** Stores the payment of a checked wish and keeps its time free for it, both or neither. */
async function takeTime(
  deps: BookingDeps,
  input: StartInput,
  offer: BookingOfferRow & { unitPriceCents: Cents; amountCents: Cents },
): Promise<{ ok: true; replaced: string[] } | TimeGone | { ok: false; reason: 'gone' | TooManyHeld }> {
  const { db, now } = deps
  const { businessId, exceptPayments = [], submitKey: exceptSubmitKey } = input
  const wanted: TimeWish = { businessId, wish: input.booking, now: now(), exceptPayments, exceptSubmitKey }
  const found = await findTime(db, wanted)
  if (!found) return refuse('gone')
  if (!found.ok) return found

  const id = newId()
  const linkHash = await hashText(await bookingLinkToken(deps.secret, id))
  const heldFrom = input.heldFrom ? await signText(deps.secret, `held-from:${input.heldFrom}`) : null
  const expiresAt = new Date(now().getTime() + deps.holdMs)
  const { time } = found
  const outcome = await db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto('payments')
      .values({
        id,
        submit_key: input.submitKey,
        provider: deps.payments.name,
        provider_reference: null,
        amount_cents: offer.amountCents,
        currency: CURRENCY,
        draft: JSON.stringify(input.booking),
        sold: JSON.stringify({
          businessId: offer.businessId,
          businessName: offer.businessName,
          place: offer.place,
          timeZone: offer.timeZone,
          unitPriceCents: offer.unitPriceCents,
          priceUnit: input.booking.bookingType,
          abn: offer.abn,
          gstRegistered: offer.gstRegistered,
          event: time.event,
          occupied: time.occupied,
        }),
        owner_user_id: offer.ownerUserId,
        customer_user_id: input.customerUserId,
        link_hash: linkHash,
        terms_version: TERMS_VERSION,
        last_error: null,
        expires_at: expiresAt,
        checked_at: null,
        paid_at: null,
        created_at: now(),
        updated_at: now(),
      })
      // A double click: the other request's payment is the one.
      .onConflict((conflict) => conflict.column('submit_key').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) return { ok: true, replaced: [] } as const
    const held = await takeHold(deps, tx, {
      businessId,
      paymentId: id,
      time,
      expiresAt,
      exceptPayments,
      heldFrom,
    })
    if (!held.ok) {
      await tx.deleteFrom('payments').where('id', '=', id).execute()
      return held
    }
    await tx
      .insertInto('payment_lines')
      .values({
        payment_id: id,
        line: ONLY_LINE,
        business_id: offer.businessId,
        description: offer.businessName,
        unit_price_cents: offer.unitPriceCents,
        quantity: input.booking.quantity,
        amount_cents: offer.amountCents,
      })
      .execute()
    return held
  })
  if (outcome.ok) return { ok: true, replaced: [...outcome.replaced] }
  return outcome.reason === 'taken' ? findOtherTimes(db, wanted, found.rules) : refuse(outcome.reason)
}

type StartInput = Parameters<typeof startBookingPayment>[1]

/** Goes on with the payment of this submit key; null when there is none. */
async function resumeStarted(deps: BookingDeps, input: StartInput): Promise<StartedPayment | null> {
  const payment = await findPaymentBySubmitKey(deps.db, input.submitKey)
  return payment ? resumePayment(deps, payment, input) : null
}

function findPaymentBySubmitKey(db: Database, submitKey: string): Promise<PaymentRow | undefined> {
  return db.selectFrom('payments').selectAll().where('submit_key', '=', submitKey).executeTakeFirst()
}

/** Goes on with a payment whose row is there, whether or not the provider knows of it yet. */
async function resumePayment(
  deps: BookingDeps,
  payment: PaymentRow,
  input: StartInput,
): Promise<StartedPayment> {
  const paid = (reference: string | null): StartedPayment =>
    reference ? { ok: true, alreadyPaid: true, paymentId: payment.id, reference } : refuse('payment_ended')
  if (payment.state === 'paid') return paid(payment.provider_reference)
  if (!isSameOrder(payment, input)) return refuse('submit_key_reused')
  if (!isUnsettled(payment.state) || payment.expires_at <= deps.now()) return refuse('payment_ended')
  const provider = providerOf(deps, payment)
  if (!provider) return refuse('payment_ended')
  const held = await holdAgain(deps, payment, input.exceptPayments ?? [])
  if (!held.ok) return held

  const made = await askProviderForPayment(deps, provider, payment)
  if (!made.ok) return refuse('provider_unavailable')
  if (made.snapshot) {
    const applied = await applySnapshot(deps, made.snapshot)
    if (applied.ok && applied.state === 'paid') return paid(made.reference)
    if (applied.ok && !isUnsettled(applied.state)) return refuse('payment_ended')
  }
  return {
    ok: true,
    alreadyPaid: false,
    paymentId: payment.id,
    reference: made.reference,
    clientSecret: made.clientSecret,
    expiresAt: payment.expires_at,
    span: spanText(payment.sold),
  }
}

/**
 * Sees to it that an open payment has its time: a hold that another tab of the same browser has replaced is taken again.
 * If somebody else has the time by now, the payment is ended, since there is nothing left to pay for.
 */
async function holdAgain(
  deps: BookingDeps,
  payment: PaymentRow,
  exceptPayments: readonly string[],
): Promise<{ ok: true } | TimeGone | { ok: false; reason: 'gone' }> {
  const { db, now } = deps
  if (await isHeld(db, payment.id, now())) return { ok: true }
  const held = await db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('payments')
      .select(['state', 'expires_at'])
      .where('id', '=', payment.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    // Settled since it was read: there is nothing to hold any more.
    if (row.state !== 'open' || (await isHeld(tx, payment.id, now()))) return { ok: true, replaced: [] }
    return takeHold(deps, tx, {
      businessId: payment.sold.businessId,
      paymentId: payment.id,
      time: agreedTime(payment.sold),
      expiresAt: row.expires_at,
      exceptPayments,
    })
  })
  if (!held.ok) return endForTime(deps, payment, exceptPayments)
  for (const replaced of held.replaced) await endPayment(deps, replaced)
  return { ok: true }
}

/** Ends a payment whose time somebody else has, and says which times are left. */
async function endForTime(
  deps: BookingDeps,
  payment: PaymentRow,
  exceptPayments: readonly string[],
): Promise<TimeGone | { ok: false; reason: 'gone' }> {
  await endPayment(deps, payment.id)
  const { businessId } = payment.sold
  const rules = await findAvailability(deps.db, businessId)
  if (!rules) return refuse('gone')
  const wanted = { businessId, wish: payment.draft, now: deps.now(), exceptPayments }
  return findOtherTimes(deps.db, wanted, rules)
}

export type ConfirmationBegun =
  | { ok: true; expiresAt: Date }
  | { ok: false; reason: 'unknown_payment' | 'payment_ended' | 'gone' }
  | { ok: false; reason: 'already_paid'; reference: string }
  | TimeGone

/**
 * The browser is about to confirm the card: from here on the time is kept until the payment ends. Asked again it
 * changes nothing, so that nobody keeps a time for ever by trying one refused card after the other.
 * @param input.submitKey whoever knows it began the payment
 * @returns until when the card has to be confirmed. Anything else but ok: don't confirm it. Refuses with
 *   'unknown_payment', 'already_paid', 'payment_ended' (out of time; take a new key), 'time_gone' and 'gone'
 */
export async function beginConfirmation(
  deps: BookingDeps,
  input: { submitKey: string; exceptPayments: readonly string[] },
): Promise<ConfirmationBegun> {
  const { db } = deps
  const payment = await findPaymentBySubmitKey(db, input.submitKey)
  if (!payment) return refuse('unknown_payment')
  if (payment.state === 'paid' && payment.provider_reference)
    return { ok: false, reason: 'already_paid', reference: payment.provider_reference }
  // Nobody here would hear that this card was charged.
  if (!providerOf(deps, payment)) return refuse('payment_ended')
  // Another tab has confirmed a card for it already: its hold is kept, and the provider charges it once.
  if (payment.state === 'processing') return { ok: true, expiresAt: payment.expires_at }
  if (payment.state !== 'open' || payment.expires_at <= deps.now()) return refuse('payment_ended')
  const held = await holdAgain(deps, payment, input.exceptPayments)
  if (!held.ok) return held
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('payments')
      .select(['state', 'expires_at'])
      .where('id', '=', payment.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (row.state !== 'open') return refuse('payment_ended')
    const kept = await keepHold(deps, tx, payment.id)
    if (kept === 'gone') return refuse('payment_ended')
    if (kept === 'before') return { ok: true, expiresAt: row.expires_at } as const
    const expiresAt = new Date(deps.now().getTime() + deps.paymentExpiryMs)
    await tx.updateTable('payments').set({ expires_at: expiresAt }).where('id', '=', payment.id).execute()
    return { ok: true, expiresAt } as const
  })
}

/**
 * Gives up a payment that waits for its card, as by Go Back: its time is free at once, and it is cancelled at the
 * provider. One that was paid in the meantime is booked.
 * @param input.submitKey whoever knows it began the payment
 * @returns refuses with 'unknown_payment'
 */
export async function giveUpPayment(
  deps: BookingDeps,
  input: { submitKey: string },
): Promise<{ ok: true } | { ok: false; reason: 'unknown_payment' }> {
  const payment = await findPaymentBySubmitKey(deps.db, input.submitKey)
  if (!payment) return refuse('unknown_payment')
  await endPayment(deps, payment.id)
  return { ok: true }
}

/** Lets the time of a payment be over now, and ends it as any whose time is over. */
async function endPayment(deps: BookingDeps, paymentId: string): Promise<void> {
  const now = deps.now()
  const payment = await deps.db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('payments')
      .set((eb) => ({ expires_at: eb.fn<Date>('least', ['expires_at', eb.val(now)]) }))
      .where('id', '=', paymentId)
      .where('state', '=', 'open')
      .returningAll()
      .executeTakeFirst()
    if (ended) await releaseHold(deps, tx, paymentId)
    return ended
  })
  if (payment) await sweepPayment(deps, payment)
}

function isSameOrder(
  payment: PaymentRow,
  input: { amount: number; businessId: string; booking: BookingForm },
): boolean {
  const fields = ['fullName', 'email', 'phone', 'date', 'time', 'quantity', 'bookingType'] as const
  return (
    payment.sold.businessId === input.businessId &&
    Number(payment.amount_cents) === input.amount &&
    fields.every((field) => payment.draft[field] === input.booking[field])
  )
}

/**
 * Makes the payment at the provider, or finds it there. The row is committed before, and the key names our payment
 * and its attempt: if this process dies before it stores the reference, the next call gets the same payment.
 */
async function askProviderForPayment(
  deps: BookingDeps,
  provider: PaymentProvider,
  payment: PaymentRow,
): Promise<
  | { ok: true; reference: string; clientSecret: string; snapshot: PaymentSnapshot | null }
  | { ok: false; reason: 'refused' | 'unreachable' }
> {
  const { db, now } = deps
  if (payment.provider_reference) {
    const found = await provider.retrieve(payment.provider_reference)
    if (found.ok)
      return {
        ok: true,
        reference: payment.provider_reference,
        clientSecret: found.clientSecret,
        snapshot: found.snapshot,
      }
    return { ok: false, reason: found.reason === 'unreachable' ? 'unreachable' : 'refused' }
  }
  const made = await provider.create({
    paymentId: payment.id,
    amountCents: Number(payment.amount_cents),
    currency: CURRENCY,
    description: payment.sold.businessName,
    idempotencyKey: `${payment.id}-${payment.attempt}`,
  })
  if (made.ok) {
    await db
      .updateTable('payments')
      .set({ provider_reference: made.reference, updated_at: now() })
      .where('id', '=', payment.id)
      .where('provider_reference', 'is', null)
      .execute()
    return { ok: true, reference: made.reference, clientSecret: made.clientSecret, snapshot: null }
  }
  await db
    .updateTable('payments')
    .set((eb) => ({
      last_error: made.message,
      updated_at: now(),
      // A definite no left nothing behind, so the next try is a new one; after silence the key must stay.
      ...(made.reason === 'refused' ? { attempt: eb('attempt', '+', 1) } : {}),
    }))
    .where('id', '=', payment.id)
    .where('attempt', '=', payment.attempt)
    .execute()
  return { ok: false, reason: made.reason }
}

export type Settled =
  | { ok: true; state: PaymentState; bookingId: string | null }
  | { ok: false; reason: 'unknown_payment' | 'provider_unavailable' }

/**
 * The browser's report after its card form succeeded (Decision 6). The client secret says which payment and that the
 * browser is the one that began it.
 */
export async function reportPayment(deps: BookingDeps, input: { clientSecret: string }): Promise<Settled> {
  deps.reach('report-received')
  const reference = deps.payments.referenceOf(input.clientSecret)
  if (!reference) return refuse('unknown_payment')
  return settlePayment(deps, reference, input.clientSecret)
}

/**
 * A signed event of the provider: kept first, then the payment is asked for and settled. Repeats do no harm.
 * @returns false when it has to be delivered again, since the provider could not be asked
 */
export async function receivePaymentEvent(deps: BookingDeps, event: WebhookEvent): Promise<boolean> {
  const { db, payments, now } = deps
  deps.reach('webhook-received')
  const seen = await recordPaymentEvent(db, { provider: payments.name, event, now: now() })
  if (seen === 'processed') return true
  deps.reach('event-recorded')
  if (event.reference) {
    const settled = await settlePayment(deps, event.reference)
    if (!settled.ok && settled.reason === 'provider_unavailable') return false
  }
  await markPaymentEventProcessed(db, { provider: payments.name, eventId: event.id, now: now() })
  deps.reach('event-processed')
  return true
}

/** Asks the provider for the present state and applies it. */
async function settlePayment(deps: BookingDeps, reference: string, clientSecret?: string): Promise<Settled> {
  const found = await deps.payments.retrieve(reference)
  if (!found.ok)
    return refuse(found.reason === 'unknown_payment' ? 'unknown_payment' : 'provider_unavailable')
  if (clientSecret !== undefined && !sameText(found.clientSecret, clientSecret))
    return refuse('unknown_payment')
  deps.reach('provider-asked')
  return applySnapshot(deps, found.snapshot)
}

/**
 * The one step that moves a payment and stores its booking (Decision 6), however often and from wherever it is
 * called: the browser's report, the webhook, the sweep. In one transaction under a lock on the payment: amount and
 * currency are checked, the state moves forward only, and booking, notification and mails are stored together.
 * @param snapshot what the provider said when it was asked just now, never an event's payload
 */
export async function applySnapshot(
  deps: BookingDeps,
  snapshot: PaymentSnapshot,
): Promise<
  { ok: true; state: PaymentState; bookingId: string | null } | { ok: false; reason: 'unknown_payment' }
> {
  const applied = await deps.db.transaction().execute(async (tx) => {
    const payment = await lockPaymentOf(tx, deps.payments.name, snapshot)
    if (!payment) return refuse('unknown_payment')
    deps.reach('payment-locked')
    const now = deps.now()
    let next = nextPaymentState(payment.state, snapshot.state)
    // Only our own expiry cancels, whoever brings the news of it first.
    if (next === 'cancelled' && payment.expires_at <= now) next = 'expired'
    const right =
      snapshot.amountCents === Number(payment.amount_cents) && snapshot.currency === payment.currency
    if (next === 'paid' && payment.state !== 'paid' && !right) next = 'failed'

    if (next !== payment.state || (isUnsettled(next) && snapshot.lastError !== payment.last_error)) {
      await tx
        .updateTable('payments')
        .set({
          state: next,
          last_error: next === 'failed' ? 'amount or currency differs' : snapshot.lastError,
          updated_at: now,
          ...(next === 'paid' && payment.state !== 'paid' ? { paid_at: now } : {}),
        })
        .where('id', '=', payment.id)
        .execute()
      deps.reach('payment-moved')
    }
    if (next !== payment.state) {
      if (next === 'processing') await keepHold(deps, tx, payment.id)
      else if (next === 'failed') await refundUnbooked(deps, tx, payment, snapshot, 'wrong_amount')
      else if (next !== 'paid') await freeSlot(deps, tx, payment.id)
      else if (isTooLate(payment.state)) await refundUnbooked(deps, tx, payment, snapshot, 'paid_too_late')
      else await storeBooking(deps, tx, payment, snapshot)
    }
    const booking = await tx
      .selectFrom('bookings')
      .select('id')
      .where('payment_row_id', '=', payment.id)
      .orderBy('line')
      .executeTakeFirst()
    deps.reach('settled-uncommitted')
    return { ok: true, state: next, bookingId: booking?.id ?? null } as const
  })
  deps.reach('settled')
  return applied
}

/** The payment's row under a lock: by the provider's id or, if that was never stored, by ours. */
async function lockPaymentOf(
  tx: DatabaseTransaction,
  provider: PaymentProvider['name'],
  snapshot: PaymentSnapshot,
): Promise<PaymentRow | undefined> {
  const known = await tx
    .selectFrom('payments')
    .selectAll()
    .where('provider', '=', provider)
    .where('provider_reference', '=', snapshot.reference)
    .forUpdate()
    .executeTakeFirst()
  if (known) return known
  return tx
    .updateTable('payments')
    .set({ provider_reference: snapshot.reference })
    .where('id', '=', snapshot.paymentId)
    .where('provider', '=', provider)
    .where('provider_reference', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

async function storeBooking(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  payment: PaymentRow,
  snapshot: PaymentSnapshot,
): Promise<void> {
  const { draft, sold } = payment
  const now = deps.now()
  const time = agreedTime(sold)
  const bookingId = newId()
  const { businessId } = sold
  const slot = await consumeHold(deps, tx, { businessId, paymentId: payment.id, bookingId, time })
  if (!slot.ok) return refundUnbooked(deps, tx, payment, snapshot, 'time_gone')
  const decidedBy = undecidedUntil(now, time.event.from, deps.undecided)
  const added = await tx
    .insertInto('bookings')
    .values({
      id: bookingId,
      payment_row_id: payment.id,
      line: ONLY_LINE,
      vendor_id: sold.businessId,
      vendor_name: sold.businessName,
      customer_name: draft.fullName,
      email: draft.email,
      phone: draft.phone,
      date: draft.date,
      time: draft.time,
      quantity: draft.quantity,
      booking_type: draft.bookingType,
      total_price_cents: Number(payment.amount_cents),
      payment_id: snapshot.reference,
      decided_at: null,
      reminded_at: null,
      remind_at: new Date(now.getTime() + deps.undecided.remindAfterMs),
      decide_by: decidedBy,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['payment_row_id', 'line']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) throw new Error('a payment was about to be booked twice')
  deps.reach('booking-inserted')
  const row = await lockBooking(tx, added.id)
  if (!row) throw new Error('a booking vanished inside its own transaction')
  const booking = mailed(row)
  const contact = (await findVendorContacts(tx, [payment.owner_user_id])).get(payment.owner_user_id) ?? null
  await addNotification(
    tx,
    {
      userId: payment.owner_user_id,
      kind: 'booking',
      title: `New booking for ${sold.businessName}`,
      body: `${draft.fullName} has booked and paid.`,
      link: DASHBOARD_BOOKINGS_PATH,
      eventKey: `booking-new:${added.id}`,
    },
    now,
  )
  await sendMail(deps, tx, bookingPaidMail(booking, contact, decidedBy, deps))
  if (contact) {
    const mail = newBookingMail(booking, contact, decidedBy, deps)
    await sendMail(deps, tx, mail, { preference: 'newBookings', preferenceOf: payment.owner_user_id })
  }
  deps.reach('mails-queued')
  await publishBooking(deps, tx, row, [payment.owner_user_id])
  // Last, since the seller's series is locked from here to the commit.
  await deps.numberReceipt(tx, { bookingId: added.id, sellerUserId: payment.owner_user_id, issuedAt: now })
  deps.reach('receipt-numbered')
}

/** A success that can't become a booking goes back at once, and the customer is told; its time is free again. */
async function refundUnbooked(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  payment: PaymentRow,
  snapshot: PaymentSnapshot,
  reason: UnbookedReason,
): Promise<void> {
  await freeSlot(deps, tx, payment.id)
  await addRefund(deps, tx, {
    paymentId: payment.id,
    line: null,
    amountCents: snapshot.amountCents,
    reason,
    dueAt: deps.now(),
  })
  const mail = notBookedMail(
    {
      id: payment.id,
      vendorName: payment.sold.businessName,
      customerName: payment.draft.fullName,
      customerEmail: payment.draft.email,
      amountCents: snapshot.amountCents,
      span: spanText(payment.sold),
      why: reason,
    },
    deps,
  )
  await sendMail(deps, tx, mail)
}

async function addRefund(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  refund: { paymentId: string; line: number | null; amountCents: Cents; reason: RefundReason; dueAt: Date },
): Promise<void> {
  await tx
    .insertInto('payment_actions')
    .values({
      id: newId(),
      payment_id: refund.paymentId,
      line: refund.line,
      kind: 'refund',
      amount_cents: refund.amountCents,
      reason: refund.reason,
      due_at: refund.dueAt,
      claimed_at: null,
      last_error: null,
      created_at: deps.now(),
      done_at: null,
    })
    .execute()
}

export type Decided =
  | {
      ok: true
      /** False when it already stood there: a second tap. */
      changed: boolean
      status: BookingStatus
      paymentStatus: PaymentStatus
      refundDueAt: Date | null
    }
  | { ok: false; reason: 'not_found' | 'withdrawn' | 'changed' | 'refund_claimed' }
  /** Declining had given the time back, and this has it now. */
  | { ok: false; reason: 'gone'; takenBy: CalendarEntry[]; timeZone: string }

/**
 * The vendor approves or declines (Specification, section 4; Decision 7). Declining gives the time back and makes a
 * refund due after the grace time; approving after that takes the time again and cancels the refund, as long as nobody
 * has claimed it.
 * @param input.seen the status that the vendor had before them: of two who decide at once, the second must not undo
 *   the first unseen. Left out where nobody looked, as when an account is deleted
 * @returns refuses with 'not_found' (no such booking, or another owner's), 'withdrawn' (by the customer), 'changed'
 *   (the status is no longer the one seen), 'refund_claimed' (the decline is final) and 'gone' (declined before, and the
 *   time is somebody else's by now)
 */
export async function decideBooking(
  deps: BookingDeps,
  input: { userId: string; bookingId: string; decision: Decision; seen?: BookingStatus },
): Promise<Decided> {
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, input.bookingId)
    if (!row || row.owner_user_id !== input.userId) return refuse('not_found')
    if (row.status === 'withdrawn') return refuse('withdrawn')
    if (row.status === input.decision) {
      return {
        ok: true,
        changed: false,
        status: row.status,
        paymentStatus: row.payment_status,
        refundDueAt: row.refund_due_at,
      }
    }
    if (input.seen !== undefined && input.seen !== row.status) return refuse('changed')
    if (!canMove(row.status, input.decision)) throw new Error(`no move from ${row.status}`)

    const now = deps.now()
    let paymentStatus: PaymentStatus = 'paid'
    let refundDueAt: Date | null = null
    if (input.decision === 'declined') {
      refundDueAt = new Date(now.getTime() + deps.refundGraceMs)
      paymentStatus = 'refund due'
      await addRefund(deps, tx, { ...refundOfRow(row), reason: 'declined', dueAt: refundDueAt })
      await freeSlot(deps, tx, row.payment_row_id)
    } else if (row.status === 'declined') {
      // Races the claim, which finds the state 'due' no more once this commits.
      const refund = await tx
        .selectFrom('payment_actions')
        .select('id')
        .where('payment_id', '=', row.payment_row_id)
        .where('line', '=', row.line)
        .where('kind', '=', 'refund')
        .where('state', '=', 'due')
        .forUpdate()
        .executeTakeFirst()
      if (!refund) return refuse('refund_claimed')
      const slot = await takeSlotAgain(deps, tx, {
        businessId: row.vendor_id,
        paymentId: row.payment_row_id,
        bookingId: row.id,
        time: agreedTime(row.sold),
      })
      if (!slot.ok) return { ok: false, reason: 'gone', takenBy: slot.takenBy, timeZone: row.sold.timeZone }
      await tx
        .updateTable('payment_actions')
        .set({ state: 'cancelled' })
        .where('id', '=', refund.id)
        .execute()
    }
    await setStatus(tx, row.id, { status: input.decision, payment_status: paymentStatus, decided_at: now })

    const booking = mailed(row)
    await sendMail(
      deps,
      tx,
      refundDueAt
        ? declinedMail(booking, now, refundDueAt, deps)
        : approvedMail(booking, now, row.status === 'declined', deps),
    )
    await tellCustomer(deps, tx, row, {
      kind: input.decision,
      title:
        input.decision === 'approved'
          ? `${row.vendor_name} approved your booking`
          : `${row.vendor_name} declined your booking`,
      body: input.decision === 'approved' ? 'See you on the day.' : 'You get a full refund.',
      eventKey: `booking-${input.decision}:${row.id}:${now.getTime()}`,
    })
    await publishBooking(deps, tx, row, [row.customer_user_id])
    return { ok: true, changed: true, status: input.decision, paymentStatus, refundDueAt }
  })
}

/**
 * The customer withdraws a booking that nobody has decided yet, with a full refund (Decision 7).
 * @param input.by the booking's unguessable link, or the signed-in account (with its e-mail only if verified)
 * @returns refuses with 'not_found' (also for somebody else's) and 'already_decided'
 */
export async function withdrawBooking(
  deps: BookingDeps,
  input: {
    bookingId: string
    by: { linkToken: string } | { userId: string; verifiedEmail: string | null }
  },
): Promise<{ ok: true } | { ok: false; reason: 'not_found' | 'already_decided' }> {
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, input.bookingId)
    if (!row || !(await isCustomer(deps, row, input.by))) return refuse('not_found')
    // Pressed twice.
    if (row.status === 'withdrawn') return { ok: true }
    if (!canMove(row.status, 'withdrawn')) return refuse('already_decided')
    const now = deps.now()
    await addRefund(deps, tx, { ...refundOfRow(row), reason: 'withdrawn', dueAt: now })
    await freeSlot(deps, tx, row.payment_row_id)
    await setStatus(tx, row.id, { status: 'withdrawn', payment_status: 'refund due', decided_at: now })
    const booking = mailed(row)
    await sendMail(deps, tx, withdrawnMail(booking, deps))
    const contact = (await findVendorContacts(tx, [row.owner_user_id])).get(row.owner_user_id)
    if (contact) await sendMail(deps, tx, customerWithdrewMail(booking, contact, deps))
    await addNotification(
      tx,
      {
        userId: row.owner_user_id,
        kind: 'withdrawn',
        title: `${row.customer_name} withdrew their booking`,
        body: `Of ${row.vendor_name}. There is nothing for you to do.`,
        link: DASHBOARD_BOOKINGS_PATH,
        eventKey: `booking-withdrawn:${row.id}`,
      },
      now,
    )
    await publishBooking(deps, tx, row, [row.owner_user_id])
    return { ok: true }
  })
}

async function isCustomer(
  deps: BookingDeps,
  row: BookingRow,
  by: { linkToken: string } | { userId: string; verifiedEmail: string | null },
): Promise<boolean> {
  if ('linkToken' in by)
    return sameText(by.linkToken, await bookingLinkToken(deps.secret, row.payment_row_id))
  if (row.customer_user_id === by.userId) return true
  return by.verifiedEmail !== null && by.verifiedEmail.toLowerCase() === row.email.toLowerCase()
}

/**
 * Asks the provider about one payment, whatever state it is in here, and applies what it says. A payment that the
 * provider has not answered for yet is asked for again, with its own key.
 * @returns refuses with 'unknown_payment' (here or there), 'provider_unavailable' and 'other_provider' (the settings name
 *   another one than the one that made it)
 */
export async function askProviderAgain(
  deps: BookingDeps,
  paymentId: string,
): Promise<Settled | { ok: false; reason: 'other_provider' }> {
  const payment = await deps.db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', paymentId)
    .executeTakeFirst()
  if (!payment) return refuse('unknown_payment')
  if (!providerOf(deps, payment)) return refuse('other_provider')
  if (isUnsettled(payment.state)) {
    await sweepPayment(deps, payment)
  }
  const after = await deps.db
    .selectFrom('payments')
    .select(['provider_reference', 'state'])
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  if (!after.provider_reference) return { ok: true, state: after.state, bookingId: null }
  return settlePayment(deps, after.provider_reference)
}

/**
 * Asks the provider about every payment that is not settled, and ends those whose time has run out: cancelled at
 * the provider first, so that no card can be charged for them afterwards. Payments of another provider, from before the
 * settings were changed, wait for theirs; operators see them as stuck.
 * @throws AggregateError when some of them failed for a reason of ours; the others are done
 */
export async function sweepPayments(deps: BookingDeps): Promise<void> {
  const rows = await deps.db
    .selectFrom('payments')
    .selectAll()
    .where('state', 'in', ['open', 'processing'])
    .where('provider', '=', deps.payments.name)
    .orderBy(sql`checked_at asc nulls first`)
    .limit(PAYMENTS_PER_SWEEP)
    .execute()
  await eachOf(rows, async (payment) => {
    await deps.db
      .updateTable('payments')
      .set({ checked_at: deps.now() })
      .where('id', '=', payment.id)
      .execute()
    await sweepPayment(deps, payment)
  })
}

async function sweepPayment(deps: BookingDeps, payment: PaymentRow): Promise<void> {
  const provider = providerOf(deps, payment)
  if (!provider) return
  const expired = payment.expires_at <= deps.now()
  // Its browser asks again with the same key; only its end is ours to make.
  if (!payment.provider_reference && !expired) return
  const asked = await askProviderForPayment(deps, provider, payment)
  if (!asked.ok) {
    // Refused before it existed: nothing at the provider can be paid any more.
    if (asked.reason === 'refused' && !payment.provider_reference) await expirePayment(deps, payment.id)
    return
  }
  if (asked.snapshot) {
    const applied = await applySnapshot(deps, asked.snapshot)
    if (applied.ok && applied.state !== 'open') return
  }
  if (!expired) return
  const cancelled = await provider.cancel(asked.reference)
  if (cancelled.ok) await expirePayment(deps, payment.id)
  // It was paid in the meantime, or the provider is away: what it says now decides.
  else await settlePayment(deps, asked.reference)
}

/** Nothing can be paid for it any more, so its time is free. */
async function expirePayment(deps: BookingDeps, paymentId: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const expired = await tx
      .updateTable('payments')
      .set({ state: 'expired', updated_at: deps.now() })
      .where('id', '=', paymentId)
      .where('state', '=', 'open')
      .returning('id')
      .executeTakeFirst()
    if (expired) await freeSlot(deps, tx, paymentId)
  })
}

/**
 * Makes the refunds that are due. Each is claimed by a conditional update before the provider is called, and the
 * provider's key names the action, so that money goes back exactly once whatever dies in between. What fails is
 * tried again with growing pauses. A refund of another provider's payment stays due until the settings name its provider
 * again; operators see it as overdue.
 */
export async function performDueRefunds(deps: BookingDeps): Promise<void> {
  const { db } = deps
  const candidates = await db
    .selectFrom('payment_actions')
    .innerJoin('payments', 'payments.id', 'payment_actions.payment_id')
    .select([
      'payment_actions.id',
      'payment_actions.state',
      'payment_actions.attempts',
      'payment_actions.claimed_at',
    ])
    .where('payment_actions.kind', '=', 'refund')
    .where('payment_actions.state', 'in', ['due', 'claimed'])
    .where('payment_actions.due_at', '<=', deps.now())
    .where('payments.provider', '=', deps.payments.name)
    .orderBy('payment_actions.due_at')
    .limit(REFUNDS_PER_RUN)
    .execute()
  await eachOf(candidates, async (candidate) => {
    // A claim whose process died before the answer is tried again too: the provider knows its key.
    const pauseMs = pauseAfterTries(candidate.attempts)
    if (candidate.claimed_at && candidate.claimed_at.getTime() + pauseMs > deps.now().getTime()) return
    const claimed = await db
      .updateTable('payment_actions')
      .set((eb) => ({ state: 'claimed', claimed_at: deps.now(), attempts: eb('attempts', '+', 1) }))
      .where('id', '=', candidate.id)
      .where('state', '=', candidate.state)
      .where('attempts', '=', candidate.attempts)
      .returning(['id', 'payment_id', 'line', 'amount_cents'])
      .executeTakeFirst()
    if (!claimed) return
    deps.reach('refund-claimed')
    const payment = await db
      .selectFrom('payments')
      .select('provider_reference')
      .where('id', '=', claimed.payment_id)
      .executeTakeFirstOrThrow()
    if (!payment.provider_reference) throw new Error('a refund is due for a payment that was never made')
    const refunded = await deps.payments.refund({
      reference: payment.provider_reference,
      amountCents: Number(claimed.amount_cents),
      idempotencyKey: `refund-${claimed.id}`,
    })
    deps.reach('refund-made')
    if (refunded.ok) await completeRefund(deps, claimed)
    else
      await db
        .updateTable('payment_actions')
        .set({ last_error: refunded.message })
        .where('id', '=', claimed.id)
        .execute()
  })
}

async function completeRefund(
  deps: BookingDeps,
  action: { id: string; payment_id: string; line: number | null },
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const found =
      action.line === null
        ? undefined
        : await tx
            .selectFrom('bookings')
            .select('id')
            .where('payment_row_id', '=', action.payment_id)
            .where('line', '=', action.line)
            .executeTakeFirst()
    // The booking before the action, as everywhere, so that two transactions never wait for each other.
    const row = found ? await lockBooking(tx, found.id) : null
    const done = await tx
      .updateTable('payment_actions')
      .set({ state: 'done', done_at: deps.now(), last_error: null })
      .where('id', '=', action.id)
      .where('state', '=', 'claimed')
      .returning('id')
      .executeTakeFirst()
    if (!done || !row) return
    await tx.updateTable('bookings').set({ payment_status: 'refunded' }).where('id', '=', row.id).execute()
    await sendMail(deps, tx, refundedMail(mailed(row), deps))
    await tellCustomer(deps, tx, row, {
      kind: 'refunded',
      title: `Refund sent for ${row.vendor_name}`,
      body: 'Most banks show it within five to ten business days.',
      eventKey: `booking-refunded:${row.id}`,
    })
    await publishBooking(deps, tx, row, [row.customer_user_id])
  })
}

/**
 * Reminds vendors of bookings that wait since a day, and declines with a refund those whose time to be decided has
 * run out (Decision 7).
 */
export async function tendPendingBookings(deps: BookingDeps): Promise<void> {
  const now = deps.now()
  const rows = await deps.db
    .selectFrom('bookings')
    .select('id')
    .where('status', '=', 'pending')
    .where((eb) =>
      eb.or([
        eb('decide_by', '<=', now),
        eb.and([eb('remind_at', '<=', now), eb('reminded_at', 'is', null)]),
      ]),
    )
    .orderBy('created_at')
    .limit(BOOKINGS_PER_RUN)
    .execute()
  await eachOf(rows, ({ id }) => tendPendingBooking(deps, id))
}

async function tendPendingBooking(deps: BookingDeps, bookingId: string): Promise<void> {
  const now = deps.now()
  await deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, bookingId)
    if (row?.status !== 'pending') return
    const booking = mailed(row)
    const contact = (await findVendorContacts(tx, [row.owner_user_id])).get(row.owner_user_id)
    if (row.decide_by <= now) {
      await addRefund(deps, tx, { ...refundOfRow(row), reason: 'undecided', dueAt: now })
      await freeSlot(deps, tx, row.payment_row_id)
      await setStatus(tx, row.id, { status: 'declined', payment_status: 'refund due', decided_at: now })
      await sendMail(deps, tx, undecidedMail(booking, deps))
      if (contact) await sendMail(deps, tx, declinedForVendorMail(booking, contact, deps))
      await tellCustomer(deps, tx, row, {
        kind: 'declined',
        title: `${row.vendor_name} did not answer in time`,
        body: 'You get a full refund.',
        eventKey: `booking-undecided:${row.id}`,
      })
      await publishBooking(deps, tx, row, [row.customer_user_id])
      return
    }
    if (row.remind_at > now) return
    const reminded = await tx
      .updateTable('bookings')
      .set({ reminded_at: now })
      .where('id', '=', row.id)
      .where('reminded_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!reminded) return
    await addNotification(
      tx,
      {
        userId: row.owner_user_id,
        kind: 'reminder',
        title: `${row.customer_name} is waiting for your answer`,
        body: `Approve or decline their booking of ${row.vendor_name}.`,
        link: DASHBOARD_BOOKINGS_PATH,
        eventKey: `booking-reminder:${row.id}`,
      },
      now,
    )
    if (contact) {
      const mail = reminderMail(booking, contact, row.decide_by, deps)
      await sendMail(deps, tx, mail, { preference: 'reminders', preferenceOf: row.owner_user_id })
    }
    await deps.liveUpdates.publish(tx, `notifications:${row.owner_user_id}`)
  })
}

/**
 * Reminds both sides of approved bookings whose event is near: the customer by mail to the booking's address, the vendor
 * by a notification and a mail. Each booking once, however often and by however many processes this runs.
 */
export async function remindOfEvents(deps: BookingDeps): Promise<void> {
  const now = deps.now()
  const until = new Date(now.getTime() + deps.remindBeforeEventMs)
  const eventAt = sql<Date>`(payments.sold->'event'->>'from')::timestamptz`
  const rows = await deps.db
    .selectFrom('bookings')
    .innerJoin('payments', 'payments.id', 'bookings.payment_row_id')
    .select('bookings.id')
    .where('bookings.status', '=', 'approved')
    .where('bookings.event_reminded_at', 'is', null)
    // No zone is more than 14 hours from UTC: the index finds the days, the zone decides the hour.
    .where('bookings.date', '>=', dayOf(now.getTime() - DAY_MS))
    .where('bookings.date', '<=', dayOf(until.getTime() + DAY_MS))
    .where(eventAt, '>', now)
    .where(eventAt, '<=', until)
    .orderBy('bookings.date')
    .orderBy('bookings.time')
    .limit(BOOKINGS_PER_RUN)
    .execute()
  await eachOf(rows, ({ id }) => remindOfEvent(deps, id))
}

function dayOf(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 10)
}

async function remindOfEvent(deps: BookingDeps, bookingId: string): Promise<void> {
  const now = deps.now()
  await deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, bookingId)
    // Decided otherwise, or reminded of by another process, since it was found.
    const reminded = await tx
      .updateTable('bookings')
      .set({ event_reminded_at: now })
      .where('id', '=', bookingId)
      .where('status', '=', 'approved')
      .where('event_reminded_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!row || !reminded) return
    const booking = mailed(row)
    const contact = (await findVendorContacts(tx, [row.owner_user_id])).get(row.owner_user_id) ?? null
    await sendMail(deps, tx, eventReminderMail(booking, contact, deps))
    if (contact) {
      const mail = eventReminderForVendorMail(booking, contact, deps)
      await sendMail(deps, tx, mail, { preference: 'reminders', preferenceOf: row.owner_user_id })
    }
    const when = spanText(row.sold)
    await addNotification(
      tx,
      {
        userId: row.owner_user_id,
        kind: 'reminder',
        title: `${row.customer_name}’s event is near`,
        body: `${row.vendor_name}, ${when}.`,
        link: DASHBOARD_BOOKINGS_PATH,
        eventKey: `booking-event-vendor:${row.id}`,
      },
      now,
    )
    await tellCustomer(deps, tx, row, {
      kind: 'reminder',
      title: `Your event with ${row.vendor_name} is near`,
      body: `${when}.`,
      eventKey: `booking-event-customer:${row.id}`,
    })
    for (const userId of [row.owner_user_id, row.customer_user_id]) {
      if (userId) await deps.liveUpdates.publish(tx, `notifications:${userId}`)
    }
  })
}

function refundOfRow(row: BookingRow): { paymentId: string; line: number; amountCents: Cents } {
  return { paymentId: row.payment_row_id, line: row.line, amountCents: Number(row.total_price_cents) }
}

async function setStatus(
  tx: DatabaseTransaction,
  bookingId: string,
  change: { status: BookingStatus; payment_status: PaymentStatus; decided_at: Date },
): Promise<void> {
  await tx.updateTable('bookings').set(change).where('id', '=', bookingId).execute()
}

function mailed(row: BookingRow): MailedBooking {
  return {
    id: row.id,
    vendorName: row.vendor_name,
    customerName: row.customer_name,
    customerEmail: row.email,
    customerPhone: row.phone,
    date: row.date,
    time: row.time,
    timeZone: row.sold.timeZone,
    span: spanText(row.sold),
    place: row.sold.place,
    quantity: row.quantity,
    bookingType: row.booking_type,
    totalCents: Number(row.total_price_cents),
    paymentId: row.payment_row_id,
  }
}

/** @param wanted whose account can have turned this kind of mail off */
function sendMail(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  message: MailMessage | BookingLinkMail,
  wanted?: { preference: MailPreference; preferenceOf: string },
): Promise<void> {
  if ('paymentId' in message) return deps.jobs.enqueue(tx, 'send-booking-mail', message)
  return deps.jobs.enqueue(tx, 'send-mail', { ...message, ...wanted })
}

/** Only somebody who booked while signed in has notifications; everybody has the mail. */
async function tellCustomer(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  about: { kind: string; title: string; body: string; eventKey: string },
): Promise<void> {
  if (!row.customer_user_id) return
  const link = bookingPath(await bookingLinkToken(deps.secret, row.payment_row_id))
  await addNotification(tx, { ...about, userId: row.customer_user_id, link }, deps.now())
}

async function publishBooking(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  notifiedUserIds: readonly (string | null)[],
): Promise<void> {
  await deps.liveUpdates.publish(tx, `bookings:${row.vendor_id}`)
  await deps.liveUpdates.publish(tx, `booking:${row.id}`)
  for (const userId of notifiedUserIds) {
    if (userId) await deps.liveUpdates.publish(tx, `notifications:${userId}`)
  }
}

/** One that fails must not keep the others from being done; the job then fails as a whole and is reported. */
async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const errors: unknown[] = []
  for (const item of items) {
    try {
      await work(item)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${items.length} failed`)
}
