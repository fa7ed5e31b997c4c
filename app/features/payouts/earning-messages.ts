import { formatDay, type LocalDate } from '../../shared/dates.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import type { Earning, EarningState, NextPayout } from './earning-rules.ts'
import { HELD_TEXTS } from './messages.ts'
import type { HeldReason } from './rules.ts'
import type { StatementLine } from './statement-rules.ts'

export const PAYOUTS_TITLE = 'Payouts'

/** The columns of the timeline, one for each step of the money. */
export const STEP_LABELS = ['Booked', 'Event', 'On its way', 'At your bank'] as const

export const EARNING_LABELS = {
  to_approve: 'Not approved yet',
  held: 'Held until the event',
  deposit_sent: 'Deposit sent',
  earned: 'Earned',
  stopped: 'Held',
  on_its_way: 'On its way',
  at_bank: 'At your bank',
  returned: 'Sent back by your bank',
  netted: 'Used for what you owed',
  refunded: 'Refunded',
} as const satisfies Record<EarningState, string>

/** The step for the held reasons that the vendor can end: to their registration for 'register', otherwise to the setup screen. */
export const HELD_STEPS: Partial<Record<HeldReason, string>> = {
  no_agreement: 'Accept the agreement',
  no_account: 'Set up payouts',
  restricted: 'See what’s needed',
  register: 'Open your registration',
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** '3 Nov', or '3 Nov 26' in another year than today's. */
export function shortDay(date: LocalDate, today: LocalDate): string {
  const [year = '', month, day] = date.split('-')
  const words = `${Number(day)} ${MONTHS[Number(month) - 1]}`
  return year === today.slice(0, 4) ? words : `${words} ${year.slice(2)}`
}

/** 'Mar 2027'. @param month 'YYYY-MM' */
export function shortMonth(month: string): string {
  const [year, number] = month.split('-')
  return `${MONTHS[Number(number) - 1]} ${year}`
}

/** 'Saturday 14 March', with the year only if it isn't today's. */
export function longDay(date: LocalDate, today: LocalDate): string {
  const words = formatDay(date)
  return date.slice(0, 4) === today.slice(0, 4) ? words.replace(/ \d{4}$/, '') : words
}

/** When the next money comes, in one sentence. @param last4 the last digits of the vendor's bank account */
export function nextPayoutText(next: NextPayout, last4: string | null, today: LocalDate): string {
  const bank = last4 ? `your bank account ending in ${last4}` : 'your bank'
  if (next.atBankOn < today)
    return `It left on ${longDay(next.sentOn, today)}, and was expected at ${bank} by ${longDay(next.atBankOn, today)}. We’re asking the payment provider about it.`
  const arrives = `It should be at ${bank} by ${longDay(next.atBankOn, today)}.`
  if (next.isSent) return `On its way. ${arrives}`
  const leaves = next.sentOn === today ? 'today' : `on ${longDay(next.sentOn, today)}`
  return `It leaves ${leaves}. ${arrives}`
}

/** 'For Kim Lee, 14 Mar', 'For Kim Lee, 14 Mar, and 2 more'. */
export function nextPayoutSource(next: NextPayout, today: LocalDate): string {
  const [first, ...rest] = next.from
  if (!first) return ''
  const more = rest.length > 0 ? `, and ${rest.length} more` : ''
  return `For ${first.customerName}, ${shortDay(first.event, today)}${more}`
}

/** Says what happens next to a booking's money, beside the label of its state. '' where the timeline says it all. */
export function earningText(earning: Earning): string {
  const { state, heldReason, nettedCents, sentCents, yoursCents, backCents, steps } = earning
  const netted = nettedCents > 0 ? `${formatMoney(nettedCents)} of your share paid what you owed.` : ''
  switch (state) {
    case 'to_approve':
      return 'Approve the booking, and your share leaves after the event.'
    case 'held':
    case 'deposit_sent':
      if (!steps.early) return ''
      return `We sent your share of the deposit, ${formatMoney(sentCents)}, on ${formatDay(steps.early.sent.date)}. ${netted}`.trim()
    case 'earned':
      return 'It leaves automatically.'
    case 'stopped':
      return heldReason ? HELD_TEXTS[heldReason] : ''
    case 'on_its_way':
      return netted
    case 'at_bank':
      return [sentCents === yoursCents ? '' : `You got ${formatMoney(sentCents)}.`, netted].join(' ').trim()
    case 'returned':
      return 'Check your bank details, and it leaves again automatically.'
    case 'netted':
      return 'All of your share paid what you owed from other bookings.'
    case 'refunded':
      return backCents > 0
        ? 'The customer has their money back, so there is no share to send.'
        : 'There is no share to send.'
  }
}

/** The vendor's share of a balance that the customer hasn't paid yet, as a sentence. */
export const balanceToComeText = (cents: Cents) =>
  `${formatMoney(cents)} more is yours once the customer has paid the balance.`

/** 'Paid $8,700.00 − refunded $1,000.00 − commission $770.00 (including $70.00 GST)'. */
export function earningSumText(earning: Earning): string {
  const { priceCents, backCents, commissionCents, gstCents } = earning
  const parts = [`Paid ${formatMoney(priceCents)}`]
  if (backCents > 0) parts.push(`refunded ${formatMoney(backCents)}`)
  if (commissionCents > 0)
    parts.push(
      `commission ${formatMoney(commissionCents)}${gstCents > 0 ? ` (including ${formatMoney(gstCents)} GST)` : ''}`,
    )
  return parts.join(' − ')
}

export function owedText(owed: string): string {
  return `${owed} was refunded after we had sent you your share. We keep it from your next payouts, oldest first, so there is nothing to do.`
}

/** A statement's words for each kind of movement. */
export const STATEMENT_KINDS = {
  charge: 'Paid by the customer',
  fee: 'Fee',
  refund: 'Refunded to the customer',
  refund_failed: 'A refund came back',
  earned: 'Earned',
  commission: 'Our commission',
  commission_back: 'Our commission, given back',
  transfer: 'Sent to your account',
  reversal: 'Taken back from your account',
  dispute_opened: 'Held for a dispute',
  dispute_won: 'Dispute won',
  dispute_lost: 'Dispute lost',
  dispute_fee: 'Dispute fee',
  adjustment: 'Correction',
  write_off: 'A debt that we wrote off',
  opening: 'Carried over',
} as const satisfies Record<StatementLine['kind'], string>

/** The words for commission on a statement, with the GST in it. @param cents below 0 when more is given back than taken */
export function commissionText(cents: Cents, gstCents: Cents): string {
  const words = cents < 0 ? STATEMENT_KINDS.commission_back : STATEMENT_KINDS.commission
  return gstCents === 0 ? words : `${words} (including ${formatMoney(Math.abs(gstCents))} GST)`
}
