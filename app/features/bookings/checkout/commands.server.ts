import type { DatabaseTransaction } from '../../../adapters/database/port.ts'
import { newId } from '../../../shared/ids.ts'
import { createKeyedMutex } from '../../../shared/keyed-mutex.ts'
import type { Cents } from '../../../shared/money.ts'
import { refuse } from '../../../shared/result.ts'
import { hashText, signText } from '../../../shared/signed.ts'
import type { AgreedTime } from '../../../shared/time-span.ts'
import { MINUTE_MS } from '../../../shared/time-units.ts'
import { keepCustomerAcceptance } from '../../agreements/commands.server.ts'
import { findAvailability } from '../../availability/hours-queries.server.ts'
import { extendHold, type TooManyHeld, takeHold } from '../../availability/slot-commands.server.ts'
import {
  findOtherTimes,
  findTime,
  isHeld,
  type SlotQuery,
  type TimeGone,
} from '../../availability/slot-queries.server.ts'
import { listedPrice } from '../../businesses/price-rules.ts'
import { unitPriceFor } from '../../businesses/rules.ts'
import { prepareSavedCard } from '../../instalments/card-commands.server.ts'
import { findCommissionRate } from '../../ledger/queries.server.ts'
import { type CommissionTerms, NO_COMMISSION } from '../../ledger/rules.ts'
import { askProviderForPayment, extendPayment, storePayment } from '../../payments/payment-commands.server.ts'
import { providerOf } from '../../payments/providers.server.ts'
import { findPaymentBySubmitKey, lockPayment, type PaymentRow } from '../../payments/queries.server.ts'
import { isUnsettled } from '../../payments/rules.ts'
import { applySnapshot } from '../../payments/settlement-commands.server.ts'
import { endPayment } from '../../payments/sweep-commands.server.ts'
import { agreedTime, formOf, type Sale, type SaleQuote, spanText, writtenSpan } from '../../sales/rules.ts'
import { agreeTerms, dueNow, type ListingTerms, type SaleTerms } from '../../terms/rules.ts'
import { cardConsent } from '../../terms/timeline-messages.ts'
import { undecidedTimesOf } from '../decisions/rules.ts'
import type { BookingDeps } from '../deps.server.ts'
import { type BookingFieldErrors, type BookingForm, checkBooking } from '../form-rules.ts'
import { QUOTE_TERMS_VERSION, TERMS_VERSION } from '../messages.ts'
import { bookingLinkToken } from '../rules.ts'
import { type BookingOfferRow, findBookingOffer, saleAsOffered } from './queries.server.ts'

/** Queues simultaneous customers of one business: the first takes the time, the others get 'time_gone'. */
const runExclusively = createKeyedMutex()

export type StartedPayment =
  | {
      ok: true
      alreadyPaid: false
      paymentId: string
      reference: string
      clientSecret: string
      /** The amount that is charged now. The rest, if any, is due later. */
      chargedCents: Cents
      terms: SaleTerms | null
      /** How long the vendor has to answer. */
      answerWithinMs: number
      expiresAt: Date
      /** The event from start to end, in words. */
      span: string
      timeZone: string
      /** The consent to saving the card, given by paying; null where no card is saved. */
      consent: string | null
    }
  | { ok: true; alreadyPaid: true; paymentId: string; reference: string }
  | {
      ok: false
      reason:
        | 'gone'
        | 'vendor_paused'
        | 'submit_key_reused'
        | 'payment_ended'
        | TooManyHeld
        | 'provider_unavailable'
    }
  | { ok: false; reason: 'fields'; fields: BookingFieldErrors }
  | { ok: false; reason: 'amount_differs'; amountCents: Cents }
  | TimeGone

/**
 * Stores a new payment with the checked booking, holds its time, then creates it at the provider (Decisions 5 and 6).
 * The same submit key is the same payment, so a double click or a repeated request never charges twice.
 * @param input.amount the total in cents as the browser has it; only compared. The listing's plan decides how much of it is charged now
 * @param input.booking the booking, already parsed with `bookingSchema`
 * @param input.exceptPayments the payments that this browser began. A browser holds one time per business, so a new
 *   payment ends its others that wait for a card
 * @param input.heldFrom the client's IP address, whose unpaid holds are limited as the browser's are
 * @returns the client secret for the card form and the end of the hold. Refuses with 'gone' (no such business, or on
 *   request only), 'vendor_paused' (the provider refuses to pay its vendor), 'fields' (messages by field), 'amount_differs' (with the right total), 'time_gone' (why, and the
 *   nearest free times), 'submit_key_reused' (other details under the same key), 'payment_ended' (expired or of another
 *   provider; take a new key), 'too_many_held_by_browser' and 'too_many_held_by_address' (unpaid times) and
 *   'provider_unavailable' (try again with the same key)
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
  if (!(await deps.findStanding(db, offer.ownerUserId)).takesBookings) return refuse('vendor_paused')
  const fields = checkBooking(input.booking, offer, now())
  if (Object.keys(fields).length > 0) return { ok: false, reason: 'fields', fields }
  const { bookingType, quantity } = input.booking
  const unitPriceCents = unitPriceFor(offer, bookingType)
  const price = listedPrice(offer, bookingType, quantity)
  if (unitPriceCents === null || !price.ok) {
    throw new Error('checkBooking let an unpriceable booking through')
  }
  const amountCents = price.totalCents
  if (amountCents !== input.amount) return { ok: false, reason: 'amount_differs', amountCents }

  const begun = await beginSale(deps, input, offer, { unitPriceCents, amountCents, terms: offer.terms })
  if (!begun.ok) return begun
  const started = await resumeStarted(deps, input)
  if (!started) throw new Error('a payment vanished between its insert and its reading')
  return started
}

/** The price and terms that a customer agrees to: the listing's, or those of a quote. */
export type AgreedPrice = {
  unitPriceCents: Cents
  /** The whole price. */
  amountCents: Cents
  terms: ListingTerms
  /** The quote that is accepted, with the event's length and how long its vendor holds the time. */
  quoted?: { quote: SaleQuote; minutes: number; heldUntil: Date | null }
}

/**
 * Locks and checks the purchase, in the payment's transaction and ahead of the lock of the calendar.
 * @returns `store` runs once the time is held
 */
type Agree<Reason> = (
  tx: DatabaseTransaction,
  paymentId: string,
) => Promise<{ ok: true; store: () => Promise<void> } | { ok: false; reason: Reason }>

/** The buyer and the checked booking of a sale. */
export type SaleInput = Omit<StartInput, 'amount'>

/**
 * Stores the payment of a sale whose price is settled, and holds its time, both or neither. The provider is asked when the
 * payment screen opens.
 * @returns refuses with 'time_gone', 'gone', `TooManyHeld` and the reasons of `agree`
 */
export async function beginSale<Reason extends string = never>(
  deps: BookingDeps,
  input: SaleInput,
  offer: BookingOfferRow,
  agreedPrice: AgreedPrice,
  agree?: Agree<Reason>,
): Promise<{ ok: true } | TimeGone | { ok: false; reason: 'gone' | TooManyHeld | Reason }> {
  const taken = await runExclusively(input.businessId, () => takeTime(deps, input, offer, agreedPrice, agree))
  if (!taken.ok) return taken
  for (const replaced of taken.replaced) await endPayment(deps, replaced)
  return { ok: true }
}

/** Stores the payment of a checked slot request and its hold, both or neither. */
async function takeTime<Reason extends string>(
  deps: BookingDeps,
  input: SaleInput,
  offer: BookingOfferRow,
  agreedPrice: AgreedPrice,
  agree?: Agree<Reason>,
): Promise<
  { ok: true; replaced: string[] } | TimeGone | { ok: false; reason: 'gone' | TooManyHeld | Reason }
> {
  const { db, now } = deps
  const quoteId = agreedPrice.quoted?.quote.id ?? null
  const wanted = slotQueryOf(input, agreedPrice, now())
  const found = await findTime(db, wanted)
  if (!found) return refuse('gone')
  if (!found.ok) return found

  const id = newId()
  const linkHash = await hashText(await bookingLinkToken(deps.secret, id))
  const heldFrom = input.heldFrom ? await signText(deps.secret, `held-from:${input.heldFrom}`) : null
  const expiresAt = new Date(now().getTime() + deps.holdMs)
  const { time } = found
  const terms = termsOfSale(deps, input, offer, agreedPrice, time)
  const sale = await saleToStore(deps, input, offer, agreedPrice, { id, time, terms })
  const outcome = await storePayment(
    deps,
    { submitKey: input.submitKey, amountCents: dueNow(terms), sale, linkHash, expiresAt },
    async (tx) => {
      const agreed = await agree?.(tx, id)
      if (agreed && !agreed.ok) return agreed
      const held = await takeHold(deps, tx, {
        businessId: input.businessId,
        paymentId: id,
        time,
        expiresAt: later(expiresAt, agreedPrice.quoted?.heldUntil),
        exceptPayments: wanted.exceptPayments,
        heldFrom,
      })
      if (!held.ok) return held
      await agreed?.store()
      await keepCustomerAcceptance(tx, { userId: input.customerUserId, paymentId: id, at: now() })
      return held
    },
  )
  if (!outcome) return { ok: true, replaced: [] }
  if (outcome.ok) {
    return { ok: true, replaced: outcome.replaced.filter((paymentId) => paymentId !== quoteId) }
  }
  return outcome.reason === 'taken' ? findOtherTimes(db, wanted, found.rules) : refuse(outcome.reason)
}

/** The time that a sale asks for. The browser's other payments and the accepted quote don't stand in its way. */
function slotQueryOf(input: SaleInput, { quoted }: AgreedPrice, now: Date): SlotQuery {
  return {
    businessId: input.businessId,
    slotRequest: quoted ? { ...input.booking, minutes: quoted.minutes } : input.booking,
    now,
    // The payment's hold replaces the quote's.
    exceptPayments: [...(input.exceptPayments ?? []), ...(quoted ? [quoted.quote.id] : [])],
    exceptSubmitKey: input.submitKey,
  }
}

/** The terms of a sale that begins now, with its plan of payments. */
function termsOfSale(
  { now, payoutTimes }: BookingDeps,
  { booking }: SaleInput,
  offer: BookingOfferRow,
  { terms, amountCents }: AgreedPrice,
  { event }: AgreedTime,
): SaleTerms {
  return agreeTerms({
    listing: terms,
    priceCents: amountCents,
    event: { date: booking.date, time: booking.time, timeZone: offer.timeZone },
    releasedAt: new Date(event.until.getTime() + (payoutTimes?.delayMs ?? 0)),
    now: now(),
    holdLimitMs: payoutTimes?.holdLimitMs ?? null,
  })
}

/**
 * The sale of a checked booking, with all that was offered and agreed.
 * @param agreed.id the id of its first payment
 */
async function saleToStore(
  deps: BookingDeps,
  input: SaleInput,
  offer: BookingOfferRow,
  { unitPriceCents, amountCents: priceCents, quoted }: AgreedPrice,
  { id, time, terms }: { id: string; time: AgreedTime; terms: SaleTerms },
): Promise<Sale> {
  const { fullName, email, phone, date, time: start, quantity, bookingType } = input.booking
  return {
    ...saleAsOffered(offer),
    id,
    customerUserId: input.customerUserId,
    termsVersion: quoted ? QUOTE_TERMS_VERSION : TERMS_VERSION,
    customer: { fullName, email, phone },
    date,
    time: start,
    quantity,
    bookingType,
    unitPriceCents,
    priceCents,
    event: writtenSpan(time.event),
    occupied: writtenSpan(time.occupied),
    commission: await agreeCommission(deps, offer),
    terms,
    quote: quoted?.quote ?? null,
    answerWithinMs: quoted ? null : deps.undecided.declineAfterMs,
  }
}

/** The terms of commission of a sale that begins now. */
async function agreeCommission(
  { db, now, commission }: BookingDeps,
  offer: BookingOfferRow,
): Promise<CommissionTerms> {
  if (!commission) return NO_COMMISSION
  const basisPoints = await findCommissionRate(db, {
    vendorUserId: offer.ownerUserId,
    category: offer.category,
    at: now(),
    defaultBasisPoints: commission.basisPoints,
  })
  return { ...commission, basisPoints }
}

function later(one: Date, other: Date | null | undefined): Date {
  return other && other > one ? other : one
}

type StartInput = Parameters<typeof startBookingPayment>[1]

/** Resumes the payment of this submit key; null when there is none. */
async function resumeStarted(deps: BookingDeps, input: StartInput): Promise<StartedPayment | null> {
  const payment = await findPaymentBySubmitKey(deps.db, input.submitKey)
  return payment ? resumePayment(deps, payment, input) : null
}

/** Resumes a stored payment, whether or not the provider has created it yet. */
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
  const held = await ensureHeld(deps, payment, input.exceptPayments ?? [])
  if (!held.ok) return held

  const prepared = payment.provider_reference ? null : await prepareSavedCard(deps, provider, payment)
  if (prepared && !prepared.ok) return refuse('provider_unavailable')
  const made = await askProviderForPayment(deps, provider, payment)
  if (!made.ok) return refuse('provider_unavailable')
  if (made.snapshot) {
    const applied = await applySnapshot(deps, provider, made.snapshot)
    if (applied.ok && applied.state === 'paid') return paid(made.reference)
    if (applied.ok && !isUnsettled(applied.state)) return refuse('payment_ended')
  }
  return {
    ok: true,
    alreadyPaid: false,
    paymentId: payment.id,
    reference: made.reference,
    clientSecret: made.clientSecret,
    chargedCents: Number(payment.amount_cents),
    terms: payment.sale.terms,
    answerWithinMs: undecidedTimesOf(payment.sale, deps.undecided).declineAfterMs,
    expiresAt: payment.expires_at,
    span: spanText(payment.sale),
    timeZone: payment.sale.timeZone,
    consent: payment.sale.terms
      ? cardConsent(payment.sale.terms, { brand: deps.brand, timeZone: payment.sale.timeZone })
      : null,
  }
}

/**
 * Ensures that an open payment holds its time. Takes the hold again if another tab of the same browser has replaced it.
 * If another customer has taken the time, ends the payment, since there is nothing left to pay for.
 */
async function ensureHeld(
  deps: BookingDeps,
  payment: PaymentRow,
  exceptPayments: readonly string[],
): Promise<{ ok: true } | TimeGone | { ok: false; reason: 'gone' }> {
  const { db, now } = deps
  if (await isHeld(db, payment.id, now())) return { ok: true }
  const held = await db.transaction().execute(async (tx) => {
    const row = await lockPayment(tx, payment.id)
    // Settled since it was read, so there is nothing left to hold.
    if (row.state !== 'open' || (await isHeld(tx, payment.id, now()))) return { ok: true, replaced: [] }
    return takeHold(deps, tx, {
      businessId: payment.sale.businessId,
      paymentId: payment.id,
      time: agreedTime(payment.sale),
      expiresAt: row.expires_at,
      exceptPayments,
    })
  })
  if (!held.ok) return endForTime(deps, payment, exceptPayments)
  for (const replaced of held.replaced) await endPayment(deps, replaced)
  return { ok: true }
}

/** Ends a payment whose time is taken, and refuses with the nearest free times. */
async function endForTime(
  deps: BookingDeps,
  payment: PaymentRow,
  exceptPayments: readonly string[],
): Promise<TimeGone | { ok: false; reason: 'gone' }> {
  await endPayment(deps, payment.id)
  const { businessId } = payment.sale
  const rules = await findAvailability(deps.db, businessId)
  if (!rules) return refuse('gone')
  const { event } = agreedTime(payment.sale)
  const minutes = (event.until.getTime() - event.from.getTime()) / MINUTE_MS
  const { sale } = payment
  const slotRequest = { ...formOf(sale), ...(sale.quote ? { minutes } : {}) }
  const slotQuery = { businessId, slotRequest, now: deps.now(), exceptPayments }
  return findOtherTimes(deps.db, slotQuery, rules)
}

export type ConfirmationBegun =
  | { ok: true; expiresAt: Date }
  | { ok: false; reason: 'unknown_payment' | 'payment_ended' | 'gone' }
  | { ok: false; reason: 'already_paid'; reference: string }
  | TimeGone

/**
 * Extends the hold to the end of the payment, as the browser is about to confirm the card. A repeated call extends
 * nothing, so nobody can hold a time for ever by trying one declined card after another.
 * @param input.submitKey proves that the caller began the payment
 * @returns by when the card has to be confirmed. The browser must not confirm it after a refusal. Refuses with
 *   'unknown_payment', 'already_paid', 'payment_ended' (expired; take a new key), 'time_gone' and 'gone'
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
  // The settings don't name its provider, so a charge would go unnoticed.
  if (!providerOf(deps, payment)) return refuse('payment_ended')
  // Another tab has already confirmed a card. The hold lasts, and the provider charges the payment once.
  if (payment.state === 'processing') return { ok: true, expiresAt: payment.expires_at }
  if (payment.state !== 'open' || payment.expires_at <= deps.now()) return refuse('payment_ended')
  const held = await ensureHeld(deps, payment, input.exceptPayments)
  if (!held.ok) return held
  return db.transaction().execute(async (tx) => {
    const row = await lockPayment(tx, payment.id)
    if (row.state !== 'open') return refuse('payment_ended')
    const extended = await extendHold(deps, tx, payment.id)
    if (extended === 'gone') return refuse('payment_ended')
    if (extended === 'before') return { ok: true, expiresAt: row.expires_at } as const
    return { ok: true, expiresAt: await extendPayment(deps, tx, payment.id) } as const
  })
}

/**
 * Gives up a payment that waits for its card, as Go Back does: frees its time at once and cancels it at the provider.
 * If it was paid in the meantime, it is booked.
 * @param input.submitKey proves that the caller began the payment
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

function isSameOrder(
  payment: PaymentRow,
  input: { amount: number; businessId: string; booking: BookingForm },
): boolean {
  const { sale } = payment
  const fields = ['fullName', 'email', 'phone', 'date', 'time', 'quantity', 'bookingType'] as const
  const booking = formOf(sale)
  return (
    sale.businessId === input.businessId &&
    sale.priceCents === input.amount &&
    fields.every((field) => booking[field] === input.booking[field])
  )
}
