import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { OPERATIONS_ZONE, WAITING_LABELS } from '../messages.ts'
import type { WaitingOrder } from '../order-queries.server.ts'
import { ORDER_LIFE_MS } from '../rules.ts'
import { OrderNote } from './order-note.tsx'

const time = (at: Date) => formatInstant(at, OPERATIONS_ZONE)
const expiryOf = ({ placedAt }: WaitingOrder) => time(new Date(new Date(placedAt).getTime() + ORDER_LIFE_MS))

/** The orders that wait for a second person, above the list of payments. */
export function WaitingOrders({ orders }: { orders: readonly WaitingOrder[] }) {
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
                {WAITING_LABELS[order.kind]}: {order.businessName}
              </Link>
              <span className="price figures">{formatMoney(order.amountCents)}</span>
            </div>
            <p className="figures mt-1 text-sm text-quiet wrap-anywhere">
              {order.placedByEmail}, {time(new Date(order.placedAt))}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function pathOf({ kind, subjectId: id }: WaitingOrder): string {
  if (kind === 'payout') return href('/operations/payouts')
  if (kind === 'dispute') return href('/operations/disputes/:id?', { id })
  return href('/operations/payments/:id', { id })
}

/** A refund that waits for a second person, with the buttons to decide about it. */
export function RefundOrderNote({
  order,
  ownEmail,
}: {
  order: WaitingOrder
  /** The email of the operator who looks at it: another person has to confirm their order. */
  ownEmail: string
}) {
  const isOwn = order.placedByEmail === ownEmail
  return (
    <OrderNote
      id={order.id}
      hint={
        <>
          {isOwn ? 'Another person has to confirm it' : 'It waits for you or another person'} until{' '}
          {expiryOf(order)}.
        </>
      }
      confirm={isOwn ? null : { act: 'confirm-refund', label: `Confirm ${formatMoney(order.amountCents)}` }}
      drop="drop-refund"
    >
      {isOwn ? 'You have' : `${order.placedByEmail} has`} proposed:{' '}
      {`${WAITING_LABELS[order.kind].toLowerCase()}, ${formatMoney(order.amountCents)}. ${order.reason}`}
    </OrderNote>
  )
}
