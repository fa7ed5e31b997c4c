import type { Database } from '../../adapters/database/port.ts'
import { addDays, wallTimeAt } from '../../shared/dates.ts'
import { type PriceUnit, toNumericString } from '../../shared/money.ts'
import { findAvailability } from '../availability/hours-queries.server.ts'
import { findBookingOffer } from '../bookings/checkout/queries.server.ts'
import { type BookingOffer, defaultBookingType } from '../bookings/form-rules.ts'
import { offeredBookingTypes, unitPriceFor } from '../businesses/rules.ts'
import { findOwnConversation } from '../enquiries/queries.server.ts'
import { DEFAULT_PLAN, type ListingTerms } from '../terms/rules.ts'
import { pricedLine } from './messages.ts'
import { listQuotes } from './queries.server.ts'
import { DEFAULT_VALID_DAYS, endOf, lastValidDay, type QuoteLine, type QuoteView } from './rules.ts'
import type { ComposerStart } from './schema.ts'

/**
 * Finds what the form of a vendor's next quote begins with: their draft, else their newest quote, else what the customer
 * asked for, with the listing's terms.
 * @returns null for a conversation that isn't this vendor's, or whose listing is gone
 */
export async function findComposerStart(
  db: Database,
  { userId, conversationId, now }: { userId: string; conversationId: string; now: Date },
): Promise<ComposerStart | null> {
  const found = await findOwnConversation(db, { id: conversationId, by: { userId, verifiedEmail: null } })
  if (found?.side !== 'vendor' || found.row.status === 'blocked') return null
  const { row } = found
  const [offer, rules, quotes] = await Promise.all([
    findBookingOffer(db, row.business_id),
    findAvailability(db, row.business_id),
    listQuotes(db, { conversationId, side: 'vendor' }),
  ])
  if (!offer || !rules) return null
  const { timeZone } = offer
  const today = wallTimeAt(now, timeZone).date
  const draft = quotes.find(({ state }) => state === 'draft')
  const before = draft ?? quotes.at(-1)
  const newest = quotes.findLast(({ state }) => state !== 'draft')
  const bookingType = before?.bookingType ?? defaultBookingType(offer)
  const date = before?.date ?? row.event_day ?? ''
  const usual = addDays(today, DEFAULT_VALID_DAYS)
  const validTo = draft ? lastValidDay(new Date(draft.validUntil), timeZone) : usual
  return {
    version: (newest?.version ?? 0) + 1,
    isReplacing: quotes.some(({ state }) => state === 'sent' || state === 'viewed'),
    lines: before
      ? before.lines.map(typedLine)
      : [{ label: '', quantity: '1', unitPrice: '', optional: false }],
    note: draft?.note ?? '',
    date,
    time: before?.time ?? '',
    end: before ? endOf(before.time, before.minutes) : '',
    bookingType,
    guests: String(guestsOf(before) ?? row.guests ?? ''),
    usualMinutes: rules.eventMinutes,
    units: offeredBookingTypes(offer),
    prices: { perPerson: pricedIn(offer, 'perPerson'), perHour: pricedIn(offer, 'perHour') },
    ...typedTerms(before?.terms ?? offer.terms),
    validTo: validTo < today ? usual : date !== '' && date < validTo && date >= today ? date : validTo,
    holdHours: '0',
    today,
    timeZone,
  }
}

/** The line that the listing's price gives. A price of another unit never stands in for one that isn't offered. */
function pricedIn(offer: BookingOffer & { businessName: string }, unit: PriceUnit) {
  const cents = unitPriceFor(offer, unit)
  return {
    label: pricedLine(offer.businessName, unit),
    unitPrice: cents === null ? '' : toNumericString(cents),
  }
}

/** The guests of a quote. One by the person from before has them as its quantity alone. */
function guestsOf(quote: QuoteView | undefined): number | null {
  if (!quote) return null
  return quote.guests ?? (quote.bookingType === 'perPerson' ? quote.quantity : null)
}

function typedLine({
  label,
  quantity,
  unitPriceCents,
  isOptional,
}: QuoteLine): ComposerStart['lines'][number] {
  return {
    label,
    quantity: String(quantity),
    unitPrice: toNumericString(unitPriceCents),
    optional: isOptional,
  }
}

function typedTerms({ policy, plan }: ListingTerms) {
  const deposit = plan.kind === 'deposit' ? plan : DEFAULT_PLAN
  return {
    policy,
    plan: plan.kind,
    depositPercent: String(deposit.depositBasisPoints / 100),
    balanceDays: String(deposit.balanceDaysBefore),
  }
}
