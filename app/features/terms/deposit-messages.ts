import { formatDay } from '../../shared/dates.ts'
import { formatMoney } from '../../shared/money.ts'
import type { Deposit } from './deposit-rules.ts'
import { daysText, shareText } from './policy-messages.ts'
import type { PaymentPlan, PayoutTimes } from './rules.ts'
import { DEFAULT_PLAN } from './rules.ts'

/** '20% deposit: $3,190.00 today, the rest on 14 October 2027'; without a day, 'the rest 30 days before'. */
export function depositText({ basisPoints, nowCents, rest }: Deposit): string {
  return `${shareText(basisPoints)} deposit: ${formatMoney(nowCents)} today, the rest ${restText(rest)}`
}

/** '$3,190.00 today, the rest on 14 October 2027', beside a total. */
export function payTodayText({ nowCents, rest }: Pick<Deposit, 'nowCents' | 'rest'>): string {
  return `${formatMoney(nowCents)} today, the rest ${restText(rest)}`
}

/** '$3,190.00 today', where there is room for nothing more. */
export function payNowText({ nowCents }: Pick<Deposit, 'nowCents'>): string {
  return `${formatMoney(nowCents)} today`
}

function restText({ day, daysBefore }: Deposit['rest']): string {
  return day ? `on ${formatDay(day).replace(/^\w+ /, '')}` : `${daysText(daysBefore)} before`
}

/**
 * When a booking is paid, as the first sentence beside 'Book Now'.
 * @param deposit of what was asked for; null for none
 * @param isDated whether the event's day is known
 * @param hasMonths whether it is known at least in which months it may be
 */
export function payWhenText(
  plan: PaymentPlan,
  {
    deposit,
    isDated,
    hasMonths = false,
    payoutTimes,
  }: { deposit: Deposit | null; isDated: boolean; hasMonths?: boolean; payoutTimes: PayoutTimes | null },
): string {
  if (deposit) return `You pay a ${shareText(deposit.basisPoints)} deposit when you book.`
  if (isDated) return 'You pay when you book.'
  if (plan.kind === 'deposit') {
    const share = shareText(plan.depositBasisPoints)
    return hasMonths ? mayPayText(share) : `You pay a ${share} deposit when you book.`
  }
  return payoutTimes === null
    ? 'You pay when you book.'
    : mayPayText(shareText(DEFAULT_PLAN.depositBasisPoints))
}

const mayPayText = (share: string) => `You pay when you book, or a ${share} deposit for events far ahead.`
