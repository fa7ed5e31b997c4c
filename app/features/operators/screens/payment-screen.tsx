import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { isCalledOff } from '../../bookings/status-rules.ts'
import type { ShownAccount } from '../../payments/refund-account-commands.server.ts'
import type { SentProof } from '../../payouts/proof-commands.server.ts'
import { lineCents } from '../../pricing/line-rules.ts'
import { lineText } from '../../quotes/messages.ts'
import { ACTS } from '../act-rules.ts'
import { CancellationOrderNote } from '../components/cancellation-orders.tsx'
import { Fact } from '../components/fact.tsx'
import { OperationForm } from '../components/operation-form.tsx'
import { PaymentTags } from '../components/payment-tags.tsx'
import { RefundAccountNote } from '../components/refund-account-note.tsx'
import { Timeline } from '../components/timeline.tsx'
import { RefundOrderNote } from '../components/waiting-orders.tsx'
import {
  askedText,
  INSTALMENT_STATE_LABELS,
  OPERATIONS_ZONE,
  OTHER_PROVIDER,
  REFUNDS_WAIT,
} from '../messages.ts'
import type { PaymentTrail } from '../payment-trail-queries.server.ts'

import { VendorProofs } from './vendor-proofs-sections.tsx'

const time = (iso: string) => formatInstant(new Date(iso), OPERATIONS_ZONE)

/** One payment: what is wrong with it, its facts, its history, and the operations on it. */
export function PaymentScreen({
  payment,
  accounts,
  proofs,
  provider,
  ownEmail,
}: {
  payment: PaymentTrail
  /** Where customers want refunds sent that came back, by refund. */
  accounts: ReadonlyMap<string, ShownAccount>
  /** The vendor's proofs, by dispute. */
  proofs: ReadonlyMap<string, readonly SentProof[]>
  /** The provider in the settings. */
  provider: string
  /** The email of the operator who is looking at the page. */
  ownEmail: string
}) {
  return (
    <>
      <Link className="link inline-flex min-h-11 items-center gap-2" to={href('/operations/payments')}>
        <Icon name="arrow-left" className="size-5" />
        All payments
      </Link>
      <div className="mt-3 flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2">
        <h1 className="min-w-0 text-3xl [overflow-wrap:anywhere]">{payment.businessName}</h1>
        <p className="price figures text-2xl">{formatMoney(payment.amountCents)}</p>
      </div>
      <div className="mt-4">
        <PaymentTags payment={payment} provider={provider} />
      </div>
      <Problems payment={payment} accounts={accounts} provider={provider} ownEmail={ownEmail} />
      <div className="mt-8 grid items-start gap-x-12 gap-y-10 lg:grid-cols-2">
        <div className="grid min-w-0 gap-8">
          <PaymentFacts payment={payment} />
          <PaymentOperations payment={payment} provider={provider} />
          <PaymentIds payment={payment} />
        </div>
        <section aria-labelledby="trail" className="min-w-0">
          <h2 id="trail" className="text-xl">
            History
          </h2>
          <Timeline entries={payment.trail} />
          {payment.disputes.map(({ id }) => (
            <VendorProofs key={id} disputeId={id} proofs={proofs.get(id) ?? []} />
          ))}
        </section>
      </div>
    </>
  )
}

/** The problems of a payment, each with its action, before everything else. Renders nothing for a healthy payment. */
function Problems({
  payment,
  accounts,
  provider,
  ownEmail,
}: {
  payment: PaymentTrail
  accounts: ReadonlyMap<string, ShownAccount>
  provider: string
  ownEmail: string
}) {
  const canAsk = payment.provider === provider
  const { cancellationOrder, refundOrder } = payment
  const awaited = payment.disputes.filter(({ answerBy }) => answerBy !== null)
  const cameBack = payment.refunds.filter(({ state, resolution }) => state === 'failed' && !resolution)
  const failing = payment.refunds.filter(({ state, lastError }) => state === 'claimed' && lastError !== null)
  const problems = [
    ...awaited.map((dispute) => <Disputed key={dispute.id} dispute={dispute} />),
    ...cameBack.map((refund) => (
      <CameBack key={refund.id} payment={payment} refund={refund} account={accounts.get(refund.id) ?? null} />
    )),
    ...failing.map((refund) => <FailingRefund key={refund.id} refund={refund} canAsk={canAsk} />),
    ...(cancellationOrder
      ? [<CancellationOrderNote key="cancellation" order={cancellationOrder} ownEmail={ownEmail} />]
      : []),
    ...(refundOrder ? [<RefundOrderNote key="refund" order={refundOrder} ownEmail={ownEmail} />] : []),
    ...(payment.isStuck ? [<Stuck key="stuck" payment={payment} canAsk={canAsk} />] : []),
    ...(payment.areRefundsBlocked ? [<Banner key="blocked">{REFUNDS_WAIT}</Banner>] : []),
    ...(canAsk ? [] : [<Banner key="provider">{OTHER_PROVIDER}</Banner>]),
  ]
  return problems.length > 0 ? <div className="mt-6 grid max-w-column gap-4">{problems}</div> : null
}

/** A dispute that waits for our answer. */
function Disputed({ dispute: { id, amountCents, answerBy } }: { dispute: PaymentTrail['disputes'][number] }) {
  return (
    <div className="notice notice-error">
      <div className="col-span-full grid gap-3">
        <p>
          The customer’s bank disputes {formatMoney(amountCents)}
          {answerBy ? `. It takes our answer until ${time(answerBy)}.` : '.'}
        </p>
        <p>
          <ButtonLink variant="brand" to={href('/operations/disputes/:id?', { id })}>
            Answer the dispute
          </ButtonLink>
        </p>
      </div>
    </div>
  )
}

/** A payment that should have ended on its own. */
function Stuck({ payment: { id, lastError }, canAsk }: { payment: PaymentTrail; canAsk: boolean }) {
  return (
    <div className="notice notice-error">
      <div className="col-span-full grid gap-3">
        <p>This payment should have ended by now.{lastError ? ` The last message was: ${lastError}` : ''}</p>
        {canAsk ? <OperationForm act="ask" id={id} /> : null}
      </div>
    </div>
  )
}

/** The people and the business of a payment, with its quote, instalments and disputes. */
function PaymentFacts({ payment }: { payment: PaymentTrail }) {
  return (
    <dl className="border-t border-line">
      <Fact label="Customer">{payment.customerName}</Fact>
      <Fact label="Email">{payment.email}</Fact>
      <Fact label="Vendor">
        <Link className="link" to={href('/operations/vendors/:id', { id: payment.vendorUserId })}>
          {payment.businessName}
        </Link>
      </Fact>
      {payment.quoteLines.map((line) => (
        <Fact key={line.label} label="Quoted">
          {lineText(line)}, {formatMoney(lineCents(line))}
        </Fact>
      ))}
      {payment.instalments.map(({ number, amountCents, dueAt, state }) => (
        <Fact key={number} label={`Instalment ${number}`}>
          {formatMoney(amountCents)}, {INSTALMENT_STATE_LABELS[state]}, {time(dueAt)}
        </Fact>
      ))}
      {payment.disputes.map(({ id, status, amountCents }) => (
        <Fact key={id} label="Dispute">
          <Link className="link" to={href('/operations/disputes/:id?', { id })}>
            {formatMoney(amountCents)}, {status.replaceAll('_', ' ')}
          </Link>
        </Fact>
      ))}
      {payment.lastError ? <Fact label="Last message">{payment.lastError}</Fact> : null}
    </dl>
  )
}

/** The ids of a payment, for support at the provider. Few need them, so they are folded. */
function PaymentIds({ payment }: { payment: PaymentTrail }) {
  return (
    <details>
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">Details</summary>
      <dl className="mt-2 border-t border-line">
        <Fact label="At the provider">{payment.reference ?? 'not yet'}</Fact>
        <Fact label="Provider">{payment.provider}</Fact>
        <Fact label="Here">{payment.id}</Fact>
        <Fact label="Booking">{payment.bookingId ?? 'none'}</Fact>
        <Fact label="Business">
          <Link className="link" to={href('/business/:id', { id: payment.businessId })}>
            {payment.businessId}
          </Link>
        </Fact>
        <Fact label="Expires">{time(payment.expiresAt)}</Fact>
      </dl>
    </details>
  )
}

/** The acts that need no problem: refunds, cancellations and asking the provider. */
function PaymentOperations({ payment, provider }: { payment: PaymentTrail; provider: string }) {
  return (
    <div className="grid gap-1">
      {payment.state === 'paid' ? <MoneyBack payment={payment} /> : null}
      {payment.provider === provider && !payment.isStuck ? <OperationForm act="ask" id={payment.id} /> : null}
    </div>
  )
}

type Refund = PaymentTrail['refunds'][number]

/** A refund that the provider keeps refusing, with another try unless the payment is of another provider. */
function FailingRefund({ refund, canAsk }: { refund: Refund; canAsk: boolean }) {
  return (
    <div className="notice notice-error">
      <div className="col-span-full grid gap-3">
        <p>
          The refund of {formatMoney(refund.amountCents)} failed {refund.attempts}{' '}
          {refund.attempts === 1 ? 'time' : 'times'}: {refund.lastError}{' '}
          {canAsk ? 'We retry it automatically.' : null}
        </p>
        {canAsk ? <OperationForm act="retry-refund" id={refund.id} /> : null}
      </div>
    </div>
  )
}

/** A refund that the bank has sent back: the task, and its two ways out. */
function CameBack({
  payment,
  refund,
  account,
}: {
  payment: PaymentTrail
  refund: Refund
  account: ShownAccount | null
}) {
  return (
    <div className="notice notice-error">
      <div className="col-span-full grid gap-3">
        <p>
          The refund of {formatMoney(refund.amountCents)} came back
          {refund.providerReason ? ` (${refund.providerReason.replaceAll('_', ' ')})` : ''}.{' '}
          {askedText({ ...payment, hasAccount: account !== null })}
        </p>
        {payment.email === '' && !account ? null : (
          <RefundAccountNote refundId={refund.id} account={account} />
        )}
        <OperationForm act="paid-otherwise" id={refund.id} values={{ account: account?.givenAt ?? '' }} />
        <OperationForm act="refund-again" id={refund.id} />
      </div>
    </div>
  )
}

/** Refunds of a part or all, and cancelling the booking for one of its sides. */
function MoneyBack({ payment }: { payment: PaymentTrail }) {
  const { policyCents } = payment
  const isAsked = payment.cancellationOrder !== null || payment.refundOrder !== null
  const isOpen = payment.bookingStatus !== null && !isCalledOff(payment.bookingStatus)
  return (
    <div className="grid gap-1">
      {payment.refundableCents + payment.dueCents > 0 && !payment.areRefundsBlocked && !isAsked ? (
        <OperationForm
          act="refund"
          id={payment.id}
          values={{ seen: String(payment.refundableCents + payment.dueCents) }}
          fields={refundFields(payment)}
        />
      ) : null}
      {isOpen && !isAsked ? (
        <>
          <OperationForm
            act="cancel-booking"
            id={payment.id}
            values={{ side: 'vendor' }}
            label={CANCEL_BUTTONS.vendor}
            fields={WITHOUT_POLICY}
          />
          <OperationForm
            act="cancel-booking"
            id={payment.id}
            values={{ side: 'customer', ...(policyCents === null ? {} : { seen: String(policyCents) }) }}
            label={CANCEL_BUTTONS.customer}
            fields={customerCancelFields(payment)}
          />
        </>
      ) : null}
    </div>
  )
}

const CANCEL_BUTTONS = ACTS['cancel-booking'].buttons

/** The fields of a cancellation for the customer: with a policy, the operator also chooses the refund. */
const customerCancelFields = ({ policyCents, refundableCents }: PaymentTrail) =>
  policyCents === null
    ? WITHOUT_POLICY
    : {
        refund: {
          options: [
            { value: 'policy', label: `By the policy: ${formatMoney(policyCents)}` },
            ...ACTS['cancel-booking'].fields.refund.options.slice(1),
          ],
        },
        amount: { hint: `In dollars, up to ${formatMoney(refundableCents)}. Only for ‘Another amount’.` },
      }
const WITHOUT_POLICY = {
  refund: null,
  amount: null,
  reason: { hint: 'Both sides read it. All that is left of the payment is refunded.' },
}

const refundFields = ({ refundableCents, dueCents }: PaymentTrail) => ({
  amount: {
    hint: `In dollars, up to ${formatMoney(refundableCents + dueCents)}${
      dueCents > 0 ? `. It comes off the ${formatMoney(dueCents)} that is still due first` : ''
    }.`,
  },
  ...(dueCents > 0
    ? {
        borneBy: {
          hint: `The vendor’s share falls with what is kept. If we bear it, it stays, and up to ${formatMoney(refundableCents)} goes back at once.`,
        },
      }
    : {}),
})
