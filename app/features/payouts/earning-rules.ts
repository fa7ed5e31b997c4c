import { addDays, type LocalDate, wallTimeAt } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { type BookingStatus, isCalledOff } from '../bookings/status-rules.ts'
import { type BookingMoney, type CommissionTerms, sharesOf } from '../ledger/rules.ts'
import type { HeldReason, TransferState } from './rules.ts'

/** How long a bank takes to show a transfer, at most, if the provider hasn't said yet. */
export const BANK_DAYS = 2

/** The vendor's money of one booking, in cents. */
export type EarningAmounts = {
  /** Paid by the customer. */
  priceCents: Cents
  /** Given back to the customer, or taken by a cardholder's bank, without what the operator bore. */
  backCents: Cents
  /** Includes the GST. */
  commissionCents: Cents
  gstCents: Cents
  /** The vendor's share after refunds: the expected one until it is earned, then the posted one. */
  yoursCents: Cents
}

/** The state of the vendor's share of a booking. */
export type EarningState =
  /** The vendor hasn't decided yet. */
  | 'to_approve'
  /** Approved, and the event isn't over. */
  | 'held'
  /** The event is to come, and all that was paid so far was sent early. */
  | 'deposit_sent'
  /** The event is over, and the delay isn't. */
  | 'earned'
  /** Due, but something is in the way: the held reason. */
  | 'stopped'
  | 'on_its_way'
  | 'at_bank'
  /** The vendor's bank sent it back to the vendor's account with the provider. */
  | 'returned'
  /** The whole share paid debts of other bookings. */
  | 'netted'
  /** Nothing is left for the vendor. */
  | 'refunded'

/** A transfer as the state needs it. */
export type EarningTransfer = {
  state: TransferState
  heldReason: HeldReason | null
  dueAt: Date
  amountCents: Cents | null
  nettedCents: Cents | null
  reversedCents: Cents
  madeAt: Date | null
  bank: { state: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled'; arrivesAt: Date } | null
}

/** The facts that decide the state of a booking's share. */
export type ShareFacts = {
  status: BookingStatus
  eventUntil: Date
  amounts: EarningAmounts
  /** The newest; null before one is due. */
  transfer: EarningTransfer | null
  /** Sent to the vendor or used for their debts, less what came back, over all transfers. */
  settledCents: Cents
  hasOpenDispute: boolean
  /** A refund is ordered, and its money hasn't left. */
  hasRefundDue: boolean
}

/**
 * Returns the amounts of a booking. Money that isn't earned yet is split as it will be, so the figures don't change on the day
 * of the event.
 * @param money null for a booking without postings, whose whole price counts as held
 */
export function earningAmounts(
  totalCents: Cents,
  money: BookingMoney | null,
  terms: CommissionTerms,
): EarningAmounts {
  const priceCents = money?.chargedCents ?? totalCents
  if (!money) return { priceCents, backCents: 0, ...vendorShare(totalCents, terms) }
  const toCome = Math.max(0, money.heldCents + money.disputedCents)
  const share = vendorShare(toCome + money.kept.cents, terms)
  // A fully earned price keeps the commission that was posted.
  const posted =
    toCome === 0
      ? {
          commissionCents: money.kept.commissionCents,
          gstCents: money.kept.gstCents,
          yoursCents: money.kept.cents - money.kept.commissionCents,
        }
      : share
  // The rest has cost the operator, so that price − back − commission is the vendor's share. A debt that was written off has
  // cost them too, but it leaves the share as it is.
  const ofVendorCents = Math.max(0, priceCents - toCome - money.kept.cents)
  const backCents = Math.min(money.refundedCents + money.lostCents, ofVendorCents)
  return { priceCents, backCents, ...posted }
}

/**
 * The vendor's share of a booking once the refunds that are ordered have left, in cents. Money at a bank that is deciding counts
 * as if it stayed.
 * @param refundDueCents ordered at the vendor's cost, and not gone
 */
export function shareAfterRefunds(
  { yoursCents, commissionCents }: EarningAmounts,
  refundDueCents: Cents,
  terms: CommissionTerms,
): Cents {
  if (refundDueCents === 0) return yoursCents
  return vendorShare(Math.max(0, yoursCents + commissionCents - refundDueCents), terms).yoursCents
}

/** How a price is shared between vendor and operator. */
export function vendorShare(
  priceCents: Cents,
  terms: CommissionTerms,
): Pick<EarningAmounts, 'commissionCents' | 'gstCents' | 'yoursCents'> {
  const { commissionCents, gstCents } = sharesOf(priceCents, terms)
  return { commissionCents, gstCents, yoursCents: priceCents - commissionCents }
}

/** Returns the state of the vendor's share of a booking, and why it is held if it doesn't move. */
export function earningState(
  facts: ShareFacts,
  now: Date,
): { state: EarningState; heldReason: HeldReason | null } {
  const { status, amounts } = facts
  // Money that came back and is the vendor's again leaves with another transfer.
  const isOver = facts.transfer?.state === 'reversed' && amounts.yoursCents > 0
  const transfer = isOver ? null : facts.transfer
  const as = (state: EarningState, heldReason: HeldReason | null = null) => ({ state, heldReason })
  const isCancelled = isCalledOff(status)
  // A cancellation may leave the vendor a part.
  if (isCancelled && (status === 'declined' || amounts.yoursCents === 0)) return as('refunded')
  // A deposit may have been sent before the event, and the balance follows after it.
  const isAhead = status === 'approved' && facts.eventUntil > now
  const isReturned = transfer?.bank?.state === 'failed'
  if (transfer && transfer.state !== 'due' && (!isAhead || isReturned))
    return as(movedState(transfer, amounts))
  if (amounts.yoursCents === 0 && amounts.backCents > 0) return as('refunded')
  if (facts.hasOpenDispute) return as('stopped', 'dispute')
  if (transfer?.heldReason) return as('stopped', transfer.heldReason)
  if (facts.hasRefundDue) return as('stopped', 'refund')
  if (status === 'pending') return as('to_approve')
  if (!isAhead) return as('earned')
  return as(facts.settledCents > 0 && facts.settledCents >= amounts.yoursCents ? 'deposit_sent' : 'held')
}

function movedState(transfer: EarningTransfer, { yoursCents }: EarningAmounts): EarningState {
  if (transfer.state === 'reversed' || (transfer.state === 'partly_reversed' && yoursCents === 0))
    return 'refunded'
  if (transfer.state !== 'claimed' && transfer.amountCents === 0) return 'netted'
  if (transfer.bank?.state === 'paid') return 'at_bank'
  return transfer.bank?.state === 'failed' ? 'returned' : 'on_its_way'
}

/** The day of a step of a booking's money. */
type StepDay = { date: LocalDate; isExpected: boolean }

/** When each step of a booking's money happened, or is expected. */
export type EarningSteps = {
  booked: LocalDate
  event: LocalDate
  /** null while nobody can say: something is in the way, or nothing is left. */
  sent: StepDay | null
  atBank: StepDay | null
  /** The days of a deposit that was sent before the event. Those above are then the balance's. */
  early: { sent: StepDay; atBank: StepDay } | null
}

/**
 * The days of a booking's money on the clock of its venue.
 * @param input.delayMs from the end of the event to the transfer
 */
export function earningSteps(
  facts: Pick<ShareFacts, 'eventUntil' | 'transfer'> & {
    state: EarningState
    bookedAt: Date
    eventDate: LocalDate
    timeZone: string
    delayMs: number
  },
  now: Date,
): EarningSteps {
  const { state, transfer, timeZone } = facts
  const dayOf = (instant: Date) => wallTimeAt(instant, timeZone).date
  const steps = { booked: dayOf(facts.bookedAt), event: facts.eventDate, early: null }
  if (state === 'refunded' || state === 'netted' || state === 'stopped' || state === 'to_approve')
    return { ...steps, sent: null, atBank: null }
  const made = transfer?.madeAt ? daysOfTransfer({ ...transfer, madeAt: transfer.madeAt }, dayOf) : null
  const isAhead = state === 'held' || state === 'deposit_sent'
  if (made && !isAhead)
    return { ...steps, sent: made.sent, atBank: state === 'returned' ? null : made.atBank }
  const afterEvent = new Date(facts.eventUntil.getTime() + facts.delayMs)
  const dueAt = made ? afterEvent : (transfer?.dueAt ?? afterEvent)
  const leavesOn = dayOf(dueAt > now ? dueAt : now)
  return {
    ...steps,
    sent: { date: leavesOn, isExpected: true },
    atBank: { date: addDays(leavesOn, BANK_DAYS), isExpected: true },
    early: transfer?.state === 'reversed' ? null : made,
  }
}

function daysOfTransfer(
  { madeAt, bank }: EarningTransfer & { madeAt: Date },
  dayOf: (instant: Date) => LocalDate,
): { sent: StepDay; atBank: StepDay } {
  const sentOn = dayOf(madeAt)
  const at = bank ? dayOf(bank.arrivesAt) : addDays(sentOn, BANK_DAYS)
  return {
    sent: { date: sentOn, isExpected: false },
    atBank: { date: at, isExpected: bank?.state !== 'paid' },
  }
}

/** A booking's money, as the vendor's list has it. */
export type Earning = EarningAmounts & {
  bookingId: string
  customerName: string
  businessName: string
  status: BookingStatus
  state: EarningState
  heldReason: HeldReason | null
  steps: EarningSteps
  isEventOver: boolean
  /** The vendor's share once the refunds that are ordered have left. */
  yoursAfterRefundsCents: Cents
  /** The vendor's share of the balance that the customer hasn't paid yet. */
  yoursDueCents: Cents
  /** Debts of other bookings that its transfer paid. */
  nettedCents: Cents
  /** Sent to the vendor's account, less what came back. */
  sentCents: Cents
  /** Of that, what isn't at the vendor's bank yet. */
  movingCents: Cents
  /** The vendor's debt from this booking. */
  owedCents: Cents
}

/** The money that comes next. */
export type NextPayout = {
  cents: Cents
  /** Whether it has left already. */
  isSent: boolean
  sentOn: LocalDate
  atBankOn: LocalDate
  /** The bookings that it is for, first event first. */
  from: { customerName: string; event: LocalDate }[]
}

/**
 * Returns the vendor's next payout: all shares that reach the bank on the earliest day of arrival.
 * @returns null while nothing is on its way or expected
 */
export function nextPayout(earnings: readonly Earning[]): NextPayout | null {
  const moving = earnings.flatMap((earning) => {
    const { sent, atBank, early } = earning.steps
    const restCents = early
      ? earning.yoursCents - earning.sentCents - earning.nettedCents
      : earning.yoursCents
    const cents = sent?.isExpected ? restCents : earning.movingCents
    return [
      ...(early ? [{ earning, ...early, cents: earning.movingCents }] : []),
      ...(sent && atBank ? [{ earning, sent, atBank, cents }] : []),
    ].filter((each) => each.atBank.isExpected && each.cents > 0)
  })
  const day = moving.map(({ atBank }) => atBank.date).sort()[0]
  const next = moving.filter(({ atBank }) => atBank.date === day)
  const [first] = next
  if (!first || !day) return null
  return {
    cents: next.reduce((sum, { cents }) => sum + cents, 0),
    isSent: next.every(({ sent }) => !sent.isExpected),
    sentOn: first.sent.date,
    atBankOn: day,
    from: next.map(({ earning }) => ({ customerName: earning.customerName, event: earning.steps.event })),
  }
}

/** The money of one month, in cents. */
export type EarningMonth = {
  /** 'YYYY-MM'. */
  month: string
  /** Sent to the vendor, less what came back. */
  sentCents: Cents
  /** Not sent yet, and expected to leave in this month. */
  expectedCents: Cents
}

/** Months of the chart before and after the current one. */
export const MONTHS_BACK = 5
export const MONTHS_AHEAD = 6

/** 'YYYY-MM' some months later. @param months negative for an earlier one */
export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

/** The day on which the Australian financial year of a date began: 1 July. */
export function financialYearStart(date: LocalDate): LocalDate {
  const year = Number(date.slice(0, 4))
  return date.slice(5) >= '07-01' ? `${year}-07-01` : `${year - 1}-07-01`
}

/** All months from one to another, newest first, at most ten years. */
export function monthsSince(first: string, last: string): string[] {
  const months: string[] = []
  for (let month = last; month >= first && months.length < MAX_MONTHS; month = addMonths(month, -1))
    months.push(month)
  return months
}

const MAX_MONTHS = 120
