import { href, Link } from 'react-router'
import type { LocalDate } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { Tag, type TagTone } from '../../../ui/tag.tsx'
import {
  balanceToComeText,
  EARNING_LABELS,
  earningSumText,
  earningText,
  HELD_STEPS,
  STEP_LABELS,
  shortDay,
} from '../earning-messages.ts'
import type { Earning, EarningState } from '../earning-rules.ts'
import './earnings-table.css'

const TONES = {
  to_approve: 'glow',
  held: 'neutral',
  deposit_sent: 'brand',
  earned: 'brand',
  stopped: 'error',
  on_its_way: 'glow',
  at_bank: 'success',
  returned: 'error',
  netted: 'neutral',
  refunded: 'neutral',
} as const satisfies Record<EarningState, TagTone>

/** The bookings of a vendor as a timeline of their money, which is a table for those who don't see it. */
export function EarningsTable({
  caption,
  earnings,
  today,
}: {
  caption: string
  earnings: readonly Earning[]
  today: LocalDate
}) {
  return (
    <table className="earnings">
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {STEP_LABELS.map((label) => (
            <th key={label} scope="col">
              <span className="unseen">{label}</span>
            </th>
          ))}
        </tr>
      </thead>
      {earnings.map((earning) => (
        <EarningRows key={earning.bookingId} earning={earning} today={today} />
      ))}
    </table>
  )
}

function EarningRows({ earning, today }: { earning: Earning; today: LocalDate }) {
  const { customerName, businessName, yoursCents, yoursDueCents, owedCents, state, heldReason } = earning
  const text = earningText(earning)
  const held = heldReason === null ? undefined : HELD_STEPS[heldReason]
  const step = state === 'returned' ? 'Check your bank details' : held
  return (
    <tbody data-booking={earning.bookingId}>
      <tr className="earning-head">
        <th scope="rowgroup" colSpan={2}>
          <span className="block text-lg leading-tight font-semibold [overflow-wrap:anywhere]">
            {customerName}
          </span>
          <span className="mt-0.5 block text-sm text-quiet [overflow-wrap:anywhere]">{businessName}</span>
        </th>
        <td colSpan={2}>
          <span className="unseen">Yours: </span>
          <span className="price block text-lg leading-tight">{formatMoney(yoursCents)}</span>
        </td>
      </tr>
      <tr>
        {stepsOf(earning).map(({ label, date, mark, isExpected }) => (
          <td key={label} className="earning-step" data-step={mark}>
            <span className="earning-step-name" aria-hidden="true">
              {label}
            </span>
            {date ? (
              <>
                {isExpected ? 'about ' : null}
                <time className="figures" dateTime={date}>
                  {shortDay(date, today)}
                </time>
              </>
            ) : (
              <span className="unseen">no date</span>
            )}
          </td>
        ))}
      </tr>
      <tr className="earning-note">
        <td colSpan={4} className="pt-3 text-sm">
          <p className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1.5">
            <Tag tone={TONES[state]}>{EARNING_LABELS[state]}</Tag>
            {text ? <span className="max-w-prose">{text}</span> : null}
          </p>
          <p className="figures mt-1.5 text-quiet">{earningSumText(earning)}</p>
          {yoursDueCents > 0 ? (
            <p className="figures mt-1.5 text-quiet">{balanceToComeText(yoursDueCents)}</p>
          ) : null}
          {owedCents > 0 ? (
            <p className="figures mt-1.5 font-medium">You owe {formatMoney(owedCents)} of this booking.</p>
          ) : null}
          {step ? (
            <Link
              className="link inline-flex min-h-11 items-center font-medium"
              to={
                heldReason === 'register'
                  ? href('/dashboard/register-business')
                  : href('/dashboard/payouts/setup')
              }
            >
              {step}
            </Link>
          ) : null}
        </td>
      </tr>
    </tbody>
  )
}

/** How a step is drawn: it has happened, the money is there now, it will happen, something is in the way, or it won't. */
type Mark = 'done' | 'now' | 'next' | 'stopped' | 'never'

type Step = { label: string; date: LocalDate | null; mark: Mark; isExpected: boolean }

/** The furthest step that the money has reached, from 0. */
const REACHED = {
  to_approve: 0,
  held: 0,
  deposit_sent: 0,
  earned: 1,
  stopped: 1,
  on_its_way: 2,
  at_bank: 3,
  returned: 2,
  netted: 1,
  refunded: 0,
} as const satisfies Record<EarningState, number>

function stepsOf({ state, steps, isEventOver }: Earning): Step[] {
  const isEnd = state === 'refunded' || state === 'netted'
  const days = [
    { date: steps.booked, isExpected: false },
    { date: steps.event, isExpected: false },
    steps.sent,
    steps.atBank,
  ]
  const markOf = (step: number): Mark => {
    const reached = isEventOver ? Math.max(1, REACHED[state]) : REACHED[state]
    if (step === 3 && state === 'at_bank') return 'done'
    if (step < reached) return 'done'
    if (step === reached) return isEnd ? 'done' : 'now'
    if (isEnd) return 'never'
    const isBlocked = state === 'stopped' ? step === 2 : state === 'returned' && step === 3
    return isBlocked ? 'stopped' : 'next'
  }
  return STEP_LABELS.map((label, step) => ({
    label,
    date: days[step]?.date ?? null,
    isExpected: days[step]?.isExpected ?? false,
    mark: markOf(step),
  }))
}
