import { href } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { LiveDataNote } from '../../../ui/live-data-note.tsx'
import type { DueInstalment } from '../../instalments/queries.server.ts'
import type { InstalmentStep } from '../../instalments/schema.ts'
import { useLiveUpdates } from '../../notifications/browser/use-live-updates.ts'
import { payOrEndText } from '../../terms/policy-messages.ts'
import { useInstalment } from '../browser/use-instalment.ts'
import { BookingNotFound } from '../components/booking-not-found.tsx'
import { CardForm, PayButtons } from '../components/card-form.tsx'
import { NOTHING_DUE } from '../instalment-messages.ts'
import { PROCESSING } from '../messages.ts'

type Next = NonNullable<DueInstalment['next']>

/** The next payment of a booking: its customer pays it now, or changes the card that will be charged. */
export function InstalmentScreen({
  step,
  due,
  linkToken,
}: {
  step: InstalmentStep
  due: DueInstalment | null
  linkToken: string
}) {
  useLiveUpdates(due ? [`booking-${linkToken}`] : [])
  if (!due) return <BookingNotFound />
  const booking = href('/bookings/:linkToken', { linkToken })
  return (
    <div className="page page-column section">
      <title>{`${step === 'pay' ? 'Pay' : 'Card'}: ${due.vendorName}`}</title>
      {due.next ? (
        <Due key={step} step={step} due={due} next={due.next} linkToken={linkToken} />
      ) : (
        <>
          <h1>{NOTHING_DUE}</h1>
          <p className="lede mt-5 [overflow-wrap:anywhere]" aria-live="polite">
            Your booking with {due.vendorName} has nothing left to pay.
          </p>
        </>
      )}
      <p className="mt-10">
        <ButtonLink to={booking}>See your booking</ButtonLink>
      </p>
      <LiveDataNote />
    </div>
  )
}

function Due({
  step,
  due,
  next,
  linkToken,
}: {
  step: InstalmentStep
  due: DueInstalment
  next: Next
  linkToken: string
}) {
  const run = useInstalment(next.amountCents)
  const amount = formatMoney(next.amountCents)
  const { card } = due
  return (
    <>
      <h1>
        <span className="block text-lg leading-snug text-quiet [overflow-wrap:anywhere]">
          {due.vendorName}
        </span>{' '}
        {step === 'pay' ? `Pay ${amount}` : 'Use another card'}
      </h1>
      <p className="lede mt-5" aria-live="polite">
        {stateText(due, next, amount)}
      </p>
      <p className="mt-3 text-quiet">{due.span}</p>
      <p className="figures mt-6">
        {card
          ? `Your card ending ${card.lastFour}, valid until ${card.expires}.`
          : 'No card is saved for this booking.'}
      </p>
      {run.opened ? (
        <CardForm run={run} opened={run.opened} />
      ) : (
        <div className="mt-8 flex flex-wrap gap-3">
          {step === 'card' ? (
            <Button variant="primary" pending={run.isBusy} pendingText={PROCESSING} onClick={run.changeCard}>
              Enter another card
            </Button>
          ) : (
            <PayButtons run={run} amount={amount} lastFour={card?.lastFour ?? null} />
          )}
          {step === 'card' ? (
            <ButtonLink to={href('/bookings/:linkToken/pay', { linkToken })}>Pay now instead</ButtonLink>
          ) : (
            <ButtonLink to={href('/bookings/:linkToken/card', { linkToken })}>
              Change the saved card
            </ButtonLink>
          )}
        </div>
      )}
    </>
  )
}

/** The state of the instalment as a sentence, with the consequence of leaving it unpaid. */
function stateText({ timeZone, card }: DueInstalment, next: Next, amount: string): string {
  const at = (instant: string) => formatInstant(new Date(instant), timeZone)
  const until = next.overdueAt ? ` ${payOrEndText(at(next.overdueAt))}` : ''
  switch (next.state) {
    case 'overdue':
      return `${amount} was due on ${at(next.dueAt)} and is overdue.`
    case 'charging':
      return 'We are charging your card right now.'
    case 'needs_customer':
      return next.declineCode === 'authentication_required'
        ? `Your bank wants you to approve the payment of ${amount}.${until}`
        : `${card ? 'Your card was refused' : 'There is no card that we can charge'}. Please pay ${amount}.${until}`
    case 'failed':
      return next.triedAt
        ? `Your card was refused. We’ll try it again on ${at(next.triedAt)}, or you can pay now.${until}`
        : `Your card was refused. Please pay ${amount}.${until}`
    default:
      return next.triedAt && card
        ? `We’ll charge ${amount} to your card on ${at(next.triedAt)}. You can also pay it now.`
        : `${amount} is due on ${at(next.dueAt)}.`
  }
}
