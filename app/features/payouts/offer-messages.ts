import { durationText } from '../../shared/durations.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { payoutsText } from '../businesses/listing-messages.ts'
import type { CommissionTerms } from '../ledger/rules.ts'
import { daysText, shareText } from '../terms/policy-messages.ts'
import {
  MAX_BALANCE_DAYS,
  MAX_DEPOSIT_BP,
  MIN_BALANCE_DAYS,
  MIN_DEPOSIT_BP,
  type PayoutTimes,
} from '../terms/rules.ts'
import { vendorShare } from './earning-rules.ts'

// The texts of /list-your-business: our offer to vendors, by this deployment's settings.

/** The settings that decide what a listing costs and how its money comes. */
export type OfferSettings = {
  /** Null while vendors aren't paid by us: then no commission is kept. */
  payouts: { commission: CommissionTerms; times: PayoutTimes } | null
  /** When the vendor of an undecided booking is reminded, and when it is declined. */
  undecided: { remindAfterMs: number; declineAfterMs: number; declineBeforeEventMs: number }
}

type Point = { title: string; text: string }

/** The price of one booking, shared as it would be. Null without commission. */
export type OfferExample = { price: string; commission: string; yours: string } | null

export type VendorOffer = { steps: Point[]; costs: Point[]; example: OfferExample; money: Point[] }

const EXAMPLE_CENTS: Cents = 100_000

/** Returns our offer to vendors under these settings. */
export function vendorOffer(settings: OfferSettings): VendorOffer {
  const terms = settings.payouts?.commission
  return {
    steps: stepsOf(settings),
    costs: costsOf(terms),
    example: terms && terms.basisPoints > 0 ? exampleOf(terms) : null,
    money: moneyOf(settings.payouts?.times ?? null),
  }
}

function stepsOf({ payouts, undecided }: OfferSettings): Point[] {
  const { remindAfterMs, declineAfterMs, declineBeforeEventMs } = undecided
  return [
    {
      title: 'List what you offer',
      text: 'Name, category, description, services, suburb and price. It takes about five minutes, and your draft is kept while you look for pictures.',
    },
    {
      title: 'Customers book and pay',
      text: 'A booking arrives with its date, its numbers and the payment already made. Some people ask first, or want a quote.',
    },
    {
      title: 'You approve or decline',
      text: `You have ${durationText(declineAfterMs)}, or until ${durationText(declineBeforeEventMs)} before the event if that is sooner. We remind you after ${durationText(remindAfterMs)}. A booking that you decline, or don’t answer, is refunded.`,
    },
    payouts
      ? { title: 'You do your work, and get paid', text: 'Your share leaves for your bank after the event.' }
      : {
          title: 'You do your work',
          text: 'Both sides get a reminder before the event, and the customer can review you afterwards.',
        },
  ]
}

function costsOf(terms: CommissionTerms | undefined): Point[] {
  const listing = { title: 'Listing is free', text: 'No set-up fee, no subscription, no end date.' }
  if (!terms || terms.basisPoints === 0)
    return [listing, { title: 'No commission', text: 'We keep none of what customers pay you.' }]
  const gst = terms.isGstRegistered ? ', GST included' : ''
  return [
    listing,
    {
      title: `${shareText(terms.basisPoints)} commission${gst}`,
      text: 'Only on what you keep from a booking. If the customer gets everything back, we keep nothing.',
    },
    {
      title: 'Another rate?',
      text: 'A vendor or a category can have a rate of its own. The listing form shows what you receive from your price before you publish it.',
    },
  ]
}

function exampleOf(terms: CommissionTerms): OfferExample {
  const { commissionCents, yoursCents } = vendorShare(EXAMPLE_CENTS, terms)
  return {
    price: formatMoney(EXAMPLE_CENTS),
    commission: formatMoney(commissionCents),
    yours: formatMoney(yoursCents),
  }
}

function moneyOf(times: PayoutTimes | null): Point[] {
  const paid = {
    title: 'When they book',
    text: `Customers pay by card. You choose for each listing: the whole price at once, or a deposit of ${shareText(MIN_DEPOSIT_BP)} to ${shareText(MAX_DEPOSIT_BP)} and the balance ${MIN_BALANCE_DAYS} to ${daysText(MAX_BALANCE_DAYS)} before the event.`,
  }
  const cancelled = {
    title: 'If they cancel',
    text: 'You choose one of three cancellation policies for each listing. It decides how much goes back, and what you keep.',
  }
  if (!times)
    return [
      paid,
      cancelled,
      {
        title: 'To you',
        text: 'Talk to us before your first booking about how the money reaches you.',
      },
    ]
  const after =
    times.delayMs === 0 ? 'As soon as the event is over' : `${durationText(times.delayMs)} after the event`
  return [
    paid,
    { title: 'Until the event', text: `We hold the payment. ${payoutsText({ kind: 'full' }, times)}` },
    {
      title: 'After the event',
      text: `${after}, your share leaves for your bank account. It usually arrives two days later. Payouts, on your dashboard, shows each step with its day.`,
    },
    cancelled,
  ]
}

/** The requirements for publishing a listing, and the details that make people choose it. */
export const LISTING_NEEDS = [
  'A name, a category, a description and at least one service',
  'The suburb or town. Your street stays private',
  'A price per person, per hour, or both',
] as const
export const LISTING_HELPS = [
  'Three good pictures',
  'Facts that people filter by, such as guests seated, parking or how far you travel',
  'Your opening hours, so that only free days can be booked',
  'Your ABN, for the mark ‘ABN registered’',
] as const
