import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { ACTS, type ApprovalAct } from '../act-rules.ts'
import type { Approval } from '../approval-queries.server.ts'
import { OPERATIONS_ZONE } from '../messages.ts'
import { OrderNote } from './order-note.tsx'

const time = (at: Date) => formatInstant(at, OPERATIONS_ZONE)
const nameOf = ({ act }: Approval) => ACTS[act].secondPerson.waiting

/** The orders that wait for a second person, above the list of payments. */
export function WaitingOrders({ orders }: { orders: readonly Approval[] }) {
  if (orders.length === 0) return null
  return (
    <section aria-labelledby="waiting-orders" className="mt-8">
      <h2 id="waiting-orders" className="text-xl">
        Waiting for a second person
      </h2>
      <ul className="mt-3 border-t border-line">
        {orders.map((order) => (
          <li key={order.id} className="relative border-b border-line py-4">
            <div className="flex flex-wrap items-baseline justify-between gap-x-6">
              <Link className="cover-link min-w-0 wrap-anywhere" to={pathOf(order)}>
                {nameOf(order)}: {order.label}
              </Link>
              <span className="price figures">{formatMoney(order.amountCents)}</span>
            </div>
            <p className="figures mt-1 text-sm text-quiet wrap-anywhere">
              {order.askedByEmail}, {time(new Date(order.askedAt))}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The page on which it is decided. */
function pathOf({ act, subjectKind, subjectId: id }: Approval): string {
  if (act === 'order-payout') return href('/operations/payouts')
  if (subjectKind === 'dispute') return href('/operations/disputes/:id?', { id })
  return href('/operations/payments/:id', { id })
}

/** A refund that waits for a second person, with the buttons to decide about it. */
export function RefundOrderNote({
  order,
  ownEmail,
}: {
  order: Approval<ApprovalAct<'refund'>>
  /** The email of the operator who looks at it: another person has to confirm their order. */
  ownEmail: string
}) {
  const isOwn = order.askedByEmail === ownEmail
  return (
    <OrderNote
      id={order.id}
      hint={
        <>
          {isOwn ? 'Another person has to confirm it' : 'It waits for you or another person'} until{' '}
          {time(new Date(order.expiresAt ?? order.askedAt))}.
        </>
      }
      confirm={isOwn ? null : { act: 'confirm-refund', label: `Confirm ${formatMoney(order.amountCents)}` }}
      drop="drop-refund"
    >
      {isOwn ? 'You have' : `${order.askedByEmail} has`} proposed:{' '}
      {`${nameOf(order).toLowerCase()}, ${formatMoney(order.amountCents)}. ${order.reason}`}
    </OrderNote>
  )
}
