import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import type { Approval } from '../approval-queries.server.ts'
import { OPERATIONS_ZONE } from '../messages.ts'
import { OrderNote } from './order-note.tsx'

/** A cancellation that waits for a second operator, with the buttons to decide about it. */
export function CancellationOrderNote({
  order,
  ownEmail,
}: {
  order: Approval<'cancel-booking'>
  /** The email of the operator who looks at it: another one has to confirm their order. */
  ownEmail: string
}) {
  const isOwn = order.askedByEmail === ownEmail
  return (
    <OrderNote
      id={order.id}
      hint={
        <>
          {formatInstant(new Date(order.askedAt), OPERATIONS_ZONE)}.{' '}
          {isOwn ? 'Another operator has to confirm it.' : null}
        </>
      }
      confirm={isOwn ? null : { act: 'confirm-cancellation' }}
      drop="drop-cancellation"
    >
      {isOwn ? 'You have' : `${order.askedByEmail} has`} asked to cancel this booking for the{' '}
      {order.payload.side}, with {formatMoney(order.amountCents)} back: {order.reason}
    </OrderNote>
  )
}
