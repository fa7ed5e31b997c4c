import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import type { CancellationOrder } from '../cancellation-order-queries.server.ts'
import { OPERATIONS_ZONE } from '../messages.ts'
import { OrderNote } from './order-note.tsx'

/** A cancellation that waits for a second operator, with the buttons to decide about it. */
export function CancellationOrderNote({
  order,
  ownEmail,
}: {
  order: CancellationOrder
  /** The email of the operator who looks at it: another one has to confirm their order. */
  ownEmail: string
}) {
  const isOwn = order.placedByEmail === ownEmail
  return (
    <OrderNote
      id={order.id}
      hint={
        <>
          {formatInstant(new Date(order.placedAt), OPERATIONS_ZONE)}.{' '}
          {isOwn ? 'Another operator has to confirm it.' : null}
        </>
      }
      confirm={isOwn ? null : { act: 'confirm-cancellation' }}
      drop="drop-cancellation"
    >
      {isOwn ? 'You have' : `${order.placedByEmail} has`} asked to cancel this booking for the {order.side},
      with {formatMoney(order.refundCents)} back: {order.reason}
    </OrderNote>
  )
}
