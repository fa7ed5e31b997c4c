import { Form, href, useNavigation } from 'react-router'
import { formatInstant } from '../../../../shared/dates.ts'
import { formatMoney } from '../../../../shared/money.ts'
import { Banner } from '../../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { LiveDataNote } from '../../../../ui/live-data-note.tsx'
import { SendFailure } from '../../../../ui/send-failure.tsx'
import { useLiveUpdates } from '../../../notifications/browser/use-live-updates.ts'
import { TermsTimeline } from '../../../terms/components/terms-timeline.tsx'
import { timelineOf } from '../../../terms/timeline-rules.ts'
import { BANK_DECIDING, BANK_DECIDING_FOR_VENDOR } from '../../bank-messages.ts'
import { useInstalment } from '../../browser/use-instalment.ts'
import { BookingNotFound } from '../../components/booking-not-found.tsx'
import { CardForm, PayButtons } from '../../components/card-form.tsx'
import { PROCESSING, payLabel } from '../../messages.ts'
import { agreedLine, type BookingTerms, lineRefunds } from '../../rules.ts'
import { ChangeFacts } from '../components/change-facts.tsx'
import type { ChangeAnswer } from '../components/change-note.tsx'
import {
  AFTER_THE_CHANGE,
  APPLY_CHANGE,
  answerByText,
  CHANGE_REFUSALS,
  changeAnswers,
  changeMoneyLines,
  changeStateText,
  changeTitle,
  freeUntilText,
  keptPriceText,
  LEAVE_UNPAID,
  PAST_CHANGES,
  PROPOSE,
  payByText,
  TAKE_BACK,
  WHAT_CHANGES,
  waitsForText,
} from '../messages.ts'
import type { ChangePage, ChangeProblem, ChangeQuote } from '../queries.server.ts'
import { type ChangeView, plannedPayments } from '../rules.ts'
import { ProposalForm } from './change-sections.tsx'

/** Another date, time or number of a booking: one side proposes it, the other one agrees, and the customer pays the difference. */
export function ChangeScreen({
  page,
  answer,
  bookingKey,
}: {
  page: ChangePage | null
  answer: ChangeAnswer | undefined
  /** The link's token for the customer, the booking's id for the vendor. */
  bookingKey: string
}) {
  const isCustomer = page?.side === 'customer'
  useLiveUpdates(page ? [isCustomer ? `booking-${bookingKey}` : 'bookings'] : [])
  if (!page) return <BookingNotFound />
  const back = isCustomer
    ? href('/bookings/:linkToken', { linkToken: bookingKey })
    : href('/dashboard/bookings')
  const other = isCustomer ? page.vendorName : page.customerName
  return (
    <div className="page page-column section">
      <title>{changeTitle(other)}</title>
      <h1>
        <span className="block text-lg leading-snug text-quiet">
          {isCustomer ? 'Change your booking with' : 'Change the booking of'}
        </span>{' '}
        <span className="[overflow-wrap:anywhere]">{other}</span>
      </h1>
      {answer?.text ? (
        <div className="mt-6" role={answer.ok ? 'status' : 'alert'}>
          <Banner tone={answer.ok ? 'success' : 'error'}>{answer.text}</Banner>
        </div>
      ) : null}
      <Content page={page} answer={answer} other={other} />
      <PastChanges page={page} />
      <p className="mt-10">
        <ButtonLink to={back}>{isCustomer ? 'See your booking' : 'See your bookings'}</ButtonLink>
      </p>
      <LiveDataNote />
    </div>
  )
}

function Content({
  page,
  answer,
  other,
}: {
  page: ChangePage
  answer: ChangeAnswer | undefined
  other: string
}) {
  const { change, refusal } = page
  if (refusal) return <p className="lede mt-5">{CHANGE_REFUSALS[refusal]}</p>
  if (change) return <OpenChange page={page} change={change} other={other} />
  return <Proposal page={page} problem={answer?.problem ?? page.problem} />
}

/** A proposal that waits for an answer or for its payment. */
function OpenChange({ page, change, other }: { page: ChangePage; change: ChangeView; other: string }) {
  const { side, timeZone } = page
  const isOwn = change.proposedBy === side
  const until = formatInstant(new Date(change.expiresAt), timeZone)
  const answers = changeAnswers(change, page)
  const lede = change.isAgreed
    ? payByText(side, until)
    : isOwn
      ? waitsForText(other, until)
      : answerByText(other, until)
  return (
    <section className="mt-5" aria-label={WHAT_CHANGES}>
      <p className="lede" aria-live="polite">
        {lede}
      </p>
      <Difference page={page} change={change} />
      {change.plan === null ? (
        <p className="mt-6">{CHANGE_REFUSALS.balance_unpaid}</p>
      ) : change.isAgreed && side === 'customer' ? (
        <PayChange page={page} change={change} dueCents={change.plan.dueCents} />
      ) : null}
      <div className="mt-8 flex flex-wrap items-center gap-3">
        {!isOwn && !change.isAgreed && change.plan ? (
          <Form method="post">
            <input type="hidden" name="intent" value="agree" />
            <input type="hidden" name="changeId" value={change.id} />
            <input type="hidden" name="shown" value={change.shown} />
            <Press label={answers.agree} intent="agree" pending="Agreeing..." isPrimary />
          </Form>
        ) : null}
        {change.isAgreed && side === 'vendor' ? null : (
          <Form method="post">
            <input type="hidden" name="intent" value="decline" />
            <input type="hidden" name="changeId" value={change.id} />
            <Press
              label={change.isAgreed ? LEAVE_UNPAID : isOwn ? TAKE_BACK : answers.keep}
              intent="decline"
              pending="Ending..."
            />
          </Form>
        )}
        <SendFailure />
      </div>
    </section>
  )
}

/** A change before and after, its cost or refund, and the payments that are due after it. */
function Difference({ page, change }: { page: ChangePage; change: ChangeView | ChangeQuote }) {
  const { side, timeZone, present, terms } = page
  const before = 'before' in change ? change.before : present
  const { after, plan } = change
  const isAgreed = 'isAgreed' in change && change.isAgreed
  const answers = 'proposedBy' in change && change.proposedBy !== side
  const payments =
    'payments' in change
      ? change.payments
      : plan && plannedPayments(terms?.payments ?? [], plan, new Date(page.now))
  return (
    <>
      <ChangeFacts change={{ before, after }} timeZone={timeZone} bookingType={page.bookingType} />
      {plan ? (
        <ul className="figures mt-5 grid max-w-prose gap-1.5">
          {changeMoneyLines(
            { before, after, ...plan },
            { timeZone, reader: side, customer: page.customerName, answers, isAgreed },
          ).map((line) => (
            <li key={line}>{line}</li>
          ))}
          {plan.refundCents > 0 && page.bank.isDeciding ? (
            <li>{side === 'customer' ? BANK_DECIDING : BANK_DECIDING_FOR_VENDOR}</li>
          ) : null}
          <li>{freeUntilText(change.freeUntil, { timeZone, reader: side })}</li>
        </ul>
      ) : null}
      {side === 'customer' && terms && payments ? (
        <AfterwardsLine page={page} terms={{ ...terms, payments }} after={after} />
      ) : null}
    </>
  )
}

function AfterwardsLine({
  page,
  terms,
  after,
}: {
  page: ChangePage
  terms: BookingTerms
  after: ChangeQuote['after']
}) {
  const { timeZone } = page
  const line = timelineOf({
    ...agreedLine(terms, { date: after.date, time: after.time, timeZone }),
    refunds: lineRefunds(page.refunds, page.bank),
    now: new Date(page.now),
  })
  return (
    <section className="mt-8" aria-label={AFTER_THE_CHANGE}>
      <h2 className="mb-4 text-xl">{AFTER_THE_CHANGE}</h2>
      <TermsTimeline line={line} timeZone={timeZone} isPaid caption={AFTER_THE_CHANGE} />
    </section>
  )
}

/** The payment of an agreed change. A card is charged at the customer's press alone. */
function PayChange({ page, dueCents }: { page: ChangePage; change: ChangeView; dueCents: number }) {
  const run = useInstalment(dueCents)
  const amount = formatMoney(dueCents)
  if (run.opened) return <CardForm run={run} opened={run.opened} />
  // The balance was reduced or paid in the meantime: asking to pay then applies the change.
  if (dueCents === 0)
    return (
      <div className="needs-scripts mt-8">
        <Button
          variant="primary"
          pending={run.isBusy}
          pendingText={PROCESSING}
          onClick={run.payWithAnotherCard}
        >
          {APPLY_CHANGE}
        </Button>
      </div>
    )
  return (
    <div className="needs-scripts mt-8 flex flex-wrap gap-3">
      <PayButtons
        run={run}
        amount={amount}
        lastFour={page.card}
        otherLabel={page.card ? undefined : payLabel(amount)}
      />
    </div>
  )
}

/** The form, and what it would change, before anything is proposed. */
function Proposal({ page, problem }: { page: ChangePage; problem: ChangeProblem | null }) {
  const { side, quote, timeZone } = page
  return (
    <>
      <p className="mt-5 max-w-prose text-quiet">
        {keptPriceText(page, side)} Your proposal holds the new time, and{' '}
        {side === 'customer' ? page.vendorName : page.customerName} answers it.
      </p>
      {problem?.text ? (
        <div className="mt-6" role="alert">
          <Banner tone="error">{problem.text}</Banner>
        </div>
      ) : null}
      <ProposalForm page={page} problem={problem} />
      {quote ? (
        <section className="mt-12" aria-label={WHAT_CHANGES}>
          <h2 className="text-xl">{WHAT_CHANGES}</h2>
          <Difference page={page} change={quote} />
          <p className="mt-6 max-w-prose text-sm text-quiet">
            {waitsForText(
              side === 'customer' ? page.vendorName : page.customerName,
              formatInstant(new Date(quote.expiresAt), timeZone),
            )}
          </p>
          <Form method="post" className="mt-6 flex flex-wrap items-center gap-3">
            <input type="hidden" name="intent" value="propose" />
            <input type="hidden" name="date" value={quote.after.date} />
            <input type="hidden" name="time" value={quote.after.time} />
            <input type="hidden" name="quantity" value={quote.after.quantity} />
            <input type="hidden" name="shown" value={quote.shown} />
            <Press label={PROPOSE} intent="propose" pending="Proposing..." isPrimary />
            <SendFailure />
          </Form>
        </section>
      ) : null}
    </>
  )
}

/** A button that sends its form, busy while an answer to its own intent is awaited. */
function Press({
  label,
  intent,
  pending,
  isPrimary = false,
}: {
  label: string
  intent: string
  pending: string
  isPrimary?: boolean
}) {
  const navigation = useNavigation()
  return (
    <Button
      type="submit"
      variant={isPrimary ? 'primary' : 'secondary'}
      pending={navigation.formData?.get('intent') === intent}
      waiting={navigation.state === 'submitting'}
      pendingText={pending}
    >
      {label}
    </Button>
  )
}

/** The booking's changes before, newest first. */
function PastChanges({ page }: { page: ChangePage }) {
  const past = page.past.filter(({ state }) => state !== 'proposed' && state !== 'accepted')
  if (past.length === 0) return null
  return (
    <section className="mt-12">
      <h2 className="text-xl">{PAST_CHANGES}</h2>
      <ul className="mt-4 border-t border-line">
        {past.map((change) => (
          <li key={change.id} className="border-b border-line py-4">
            <p className="font-medium">{changeStateText(change, page.side)}</p>
            <p className="figures text-sm text-quiet">
              {formatInstant(new Date(change.endedAt ?? change.createdAt), page.timeZone)}
            </p>
            <ChangeFacts change={change} timeZone={page.timeZone} bookingType={page.bookingType} />
          </li>
        ))}
      </ul>
    </section>
  )
}
