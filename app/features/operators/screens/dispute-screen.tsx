import { useState } from 'react'
import { href, Link, useRevalidator } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { Banner } from '../../../ui/banner.tsx'
import { TextAreaField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { WAITS_FOR_BANK } from '../../bookings/bank-messages.ts'
import { isStillHere } from '../../payments/rules.ts'
import { REFUND_NOTES } from '../../receipts/messages.ts'
import { receiptNumberText } from '../../receipts/rules.ts'
import { ACTS } from '../act-rules.ts'
import { EvidenceForm } from '../components/evidence-form.tsx'
import { Fact } from '../components/fact.tsx'
import { OperationForm } from '../components/operation-form.tsx'
import { useMay } from '../components/operator-role.tsx'
import { Timeline } from '../components/timeline.tsx'
import type { DisputeAnswer, DisputeFacts } from '../dispute-facts-queries.server.ts'
import {
  ANSWER_STATE_TEXTS,
  ANSWER_UNDER_WAY,
  COST_UNFULFILLED,
  costText,
  DEADLINE_PASSED,
  daysLeftText,
  EVIDENCE_LABELS,
  INQUIRY_REFUND,
  NEEDS_SECOND,
  NOT_SENT,
  reasonText,
  SENDING_AGAIN,
  STATUS_TEXTS,
} from '../dispute-messages.ts'
import { isAwaited } from '../dispute-rules.ts'
import { DISPUTE_FUNDS_TEXTS, OPERATIONS_ZONE, OTHER_PROVIDER } from '../messages.ts'
import { VendorProofs } from './vendor-proofs-sections.tsx'

const time = (iso: string) => formatInstant(new Date(iso), OPERATIONS_ZONE)

/** One dispute: its facts, the evidence put together from them, and the ways to answer it. */
export function DisputeScreen({
  dispute,
  provider,
  hasPayouts,
  ownEmail,
}: {
  dispute: DisputeFacts
  /** The provider in the settings. */
  provider: string
  /** Whether vendors are paid, and have a page for operators. */
  hasPayouts: boolean
  ownEmail: string
}) {
  const [unsent, setUnsent] = useState<{ message: string; texts: string } | null>(null)
  const { revalidate } = useRevalidator()
  const may = useMay()
  const isOurs = dispute.provider === provider
  return (
    <>
      <Link className="link inline-flex min-h-11 items-center gap-2" to={href('/operations/disputes/:id?')}>
        <Icon name="arrow-left" className="size-5" />
        All disputes
      </Link>
      <div className="mt-3 flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2">
        <h1 className="min-w-0 text-3xl [overflow-wrap:anywhere]">{dispute.businessName}</h1>
        <p className="price figures text-2xl">{formatMoney(dispute.amountCents)}</p>
      </div>
      <Standing dispute={dispute} />
      {unsent ? <Unsent {...unsent} /> : null}
      {dispute.answers.map((answer) => (
        <Answer key={answer.id} answer={answer} dispute={dispute} isOwn={answer.placedBy === ownEmail} />
      ))}
      <div className="mt-8 grid items-start gap-x-12 gap-y-10 lg:grid-cols-2">
        <Facts dispute={dispute} hasPayouts={hasPayouts} />
        <section aria-labelledby="history">
          <h2 id="history" className="text-xl">
            History
          </h2>
          <Timeline entries={dispute.events} />
        </section>
      </div>
      <VendorProofs disputeId={dispute.id} proofs={dispute.proofs} until={dispute.proofUntil} />
      {isOurs ? null : (
        <div className="mt-8">
          <Banner>{OTHER_PROVIDER}</Banner>
        </div>
      )}
      {isOurs && dispute.canSubmit && may('submit-evidence') ? (
        <section className="mt-10" aria-labelledby="evidence">
          <h2 id="evidence" className="text-xl">
            Evidence
          </h2>
          <EvidenceForm
            // An answer that was refused or dropped is where the next one starts.
            key={dispute.answers[0]?.id}
            dispute={dispute}
            ownEmail={ownEmail}
            onUnsent={(message, texts) => {
              setUnsent({ message, texts })
              // A refused action leaves the page as it was.
              void revalidate()
            }}
          />
        </section>
      ) : null}
      {isOurs && dispute.canAccept && may('accept-dispute') ? <Acceptance dispute={dispute} /> : null}
      {dispute.status === 'warning_needs_response' ? (
        <p className="mt-8 max-w-prose">
          {INQUIRY_REFUND}{' '}
          <Link className="link" to={href('/operations/payments/:id', { id: dispute.paymentId })}>
            See the payment
          </Link>
        </p>
      ) : null}
    </>
  )
}

/** The dispute's status, and the deadline of an answer. */
function Standing({ dispute }: { dispute: DisputeFacts }) {
  const { status, evidenceDueAt, closedAt } = dispute
  const isOpen = isAwaited(status)
  return (
    <>
      <p className="mt-4 flex flex-wrap gap-2">
        <Tag tone={isOpen ? 'error' : status === 'won' ? 'success' : 'neutral'}>
          {status.replaceAll('_', ' ')}
        </Tag>
        <Tag>{dispute.bookingStatus ? `booking ${dispute.bookingStatus}` : 'not booked'}</Tag>
      </p>
      {isOpen && evidenceDueAt ? (
        <p className="figures mt-4 font-semibold">
          Answer by {time(evidenceDueAt)}: {daysLeftText(dispute.daysLeft)}
        </p>
      ) : null}
      <p className="mt-2 max-w-prose">
        {standingText(dispute)}
        {closedAt ? ` Decided ${time(closedAt)}.` : ''}
      </p>
      {dispute.needsSecondOperator && (dispute.canSubmit || dispute.canAccept) ? (
        <p className="mt-2 max-w-prose">{NEEDS_SECOND}</p>
      ) : null}
    </>
  )
}

function standingText({ status, evidenceDueAt, daysLeft, answers }: DisputeFacts): string {
  const [newest] = answers
  if (isAwaited(status) && (newest?.state === 'waiting' || newest?.state === 'claimed'))
    return ANSWER_UNDER_WAY
  return isAwaited(status) && evidenceDueAt && daysLeft === null ? DEADLINE_PASSED : STATUS_TEXTS[status]
}

/** Texts that another operator's answer, or the bank, overtook. */
function Unsent({ message, texts }: { message: string; texts: string }) {
  return (
    <div className="notice notice-error mt-6" role="alert">
      <div className="col-span-full grid min-w-0 gap-3">
        <p className="font-semibold">{message}</p>
        <TextAreaField label={NOT_SENT} rows={6} readOnly value={texts} />
      </div>
    </div>
  )
}

/** How far a refund of the disputed payment is. A refund that waits for the bank has no date. */
function refundStateText(
  { state, resolution, at }: DisputeFacts['refunds'][number],
  { funds, status }: DisputeFacts,
): string {
  if (funds === 'withdrawn' && status !== 'lost' && isStillHere({ state, resolution }))
    return WAITS_FOR_BANK.toLowerCase()
  const note = resolution === 'refunded_again' ? 'came back' : REFUND_NOTES[resolution ?? state].toLowerCase()
  return `${note}, ${time(at)}`
}

function Facts({ dispute, hasPayouts }: { dispute: DisputeFacts; hasPayouts: boolean }) {
  const { booking, payment, terms } = dispute
  return (
    <section aria-labelledby="facts">
      <h2 id="facts" className="text-xl">
        Details
      </h2>
      <p className="mt-3 max-w-prose">{reasonText(dispute.reason)}</p>
      {dispute.status === 'lost' ? null : <p className="max-w-prose">{DISPUTE_FUNDS_TEXTS[dispute.funds]}</p>}
      <dl className="mt-4 border-t border-line">
        <Fact label="Disputed">{formatMoney(dispute.amountCents)}</Fact>
        <Fact label="Payment">
          <Link className="link" to={href('/operations/payments/:id', { id: dispute.paymentId })}>
            {formatMoney(payment.amountCents)}
            {payment.paidAt ? `, ${time(payment.paidAt)}` : ''}
          </Link>
        </Fact>
        {dispute.refunds.map((refund) => (
          <Fact key={`${refund.at}${refund.amountCents}`} label="Refund">
            {formatMoney(refund.amountCents)}, {refundStateText(refund, dispute)}
          </Fact>
        ))}
        <Fact label="Customer">{dispute.customerName}</Fact>
        <Fact label="Email">{dispute.email}</Fact>
        <Fact label="Phone">{dispute.phone}</Fact>
        <Fact label="Vendor">
          {hasPayouts ? (
            <Link className="link" to={href('/operations/vendors/:id', { id: dispute.vendorUserId })}>
              {dispute.businessName}
            </Link>
          ) : (
            dispute.businessName
          )}
        </Fact>
        <Fact label="Event">{dispute.span}</Fact>
        {booking ? <Fact label="Booked for">{booking.quantity}</Fact> : null}
        {booking?.receiptNumber ? (
          <Fact label="Receipt">
            <a
              className="link"
              href={href('/bookings/:linkToken/receipt.pdf', { linkToken: booking.id })}
              target="_blank"
              rel="noreferrer"
            >
              No. {receiptNumberText(booking.receiptNumber)} (PDF)
            </a>
          </Fact>
        ) : null}
        {terms ? (
          <Fact label="Terms accepted">
            Version {terms.version}, {time(terms.acceptedAt)}
          </Fact>
        ) : null}
        <Fact label="At the provider">{dispute.reference}</Fact>
        <Fact label="Opened">{time(dispute.openedAt)}</Fact>
      </dl>
    </section>
  )
}

/** An answer of ours: who gave it, where it is, and its texts. */
function Answer({
  answer,
  dispute,
  isOwn,
}: {
  answer: DisputeAnswer
  dispute: DisputeFacts
  isOwn: boolean
}) {
  const { kind, state, texts } = answer
  return (
    <section
      className="mt-6 rounded-card bg-sunk p-4"
      aria-label={kind === 'evidence' ? 'Evidence' : 'Acceptance'}
    >
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-semibold">{kind === 'evidence' ? 'Evidence' : 'Acceptance'}</span>
        <Tag tone={state === 'refused' ? 'error' : state === 'sent' ? 'success' : 'glow'}>
          {ANSWER_STATE_TEXTS[state]}
        </Tag>
      </p>
      <p className="mt-2 [overflow-wrap:anywhere]">{answer.reason}</p>
      <p className="figures mt-1 text-sm text-quiet [overflow-wrap:anywhere]">
        {answer.placedBy}, {time(answer.placedAt)}
        {answer.settledBy && answer.settledBy !== answer.placedBy
          ? `. ${state === 'dropped' ? 'Dropped' : 'Confirmed'} by ${answer.settledBy}`
          : ''}
        {answer.sentAt ? `. Sent ${time(answer.sentAt)}` : ''}
      </p>
      {state === 'claimed' && answer.lastError ? <p className="mt-2">{SENDING_AGAIN}</p> : null}
      {answer.lastError ? <p className="mt-2 text-sm [overflow-wrap:anywhere]">{answer.lastError}</p> : null}
      {texts ? (
        <details className="mt-2">
          <summary className="link inline-flex min-h-11 cursor-pointer items-center">Read it</summary>
          <dl className="grid gap-3">
            {Object.entries(EVIDENCE_LABELS).map(([name, label]) => {
              const text = texts[name as keyof typeof texts]
              return text ? (
                <div key={name}>
                  <dt className="text-sm text-quiet">{label}</dt>
                  <dd className="max-w-prose whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</dd>
                </div>
              ) : null
            })}
          </dl>
        </details>
      ) : null}
      {state === 'waiting' && dispute.closedAt === null ? (
        <div className="mt-3 flex flex-wrap gap-3">
          {isOwn ? null : (
            <OperationForm
              act="confirm-answer"
              id={answer.id}
              question={kind === 'evidence' ? SUBMIT_QUESTION : acceptQuestion(dispute)}
            />
          )}
          <OperationForm act="drop-answer" id={answer.id} />
        </div>
      ) : null}
    </section>
  )
}

const costOf = ({ cost }: DisputeFacts) => (cost ? costText(cost) : COST_UNFULFILLED)

const { cancelLabel: _, ...SUBMIT_QUESTION } = ACTS['submit-evidence'].question
const ACCEPT_QUESTION = ACTS['accept-dispute'].question
const acceptQuestion = (dispute: DisputeFacts) => ({
  ...ACCEPT_QUESTION,
  body: `${ACCEPT_QUESTION.body} ${costOf(dispute)}`,
})

function Acceptance({ dispute }: { dispute: DisputeFacts }) {
  const { body } = acceptQuestion(dispute)
  return (
    <section className="mt-10" aria-labelledby="acceptance">
      <h2 id="acceptance" className="text-xl">
        Accept it
      </h2>
      <p className="mt-2 max-w-prose">
        The customer keeps {formatMoney(dispute.amountCents)}. {costOf(dispute)}
      </p>
      <div className="mt-2">
        <OperationForm
          act="accept-dispute"
          id={dispute.id}
          values={{ seen: dispute.version }}
          question={{ body: dispute.needsSecondOperator ? `${body} ${NEEDS_SECOND}` : body }}
        />
      </div>
    </section>
  )
}
