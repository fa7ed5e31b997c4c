import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { OPERATIONS_ZONE } from '../messages.ts'
import type { CancellationOrder } from '../payment-queries.server.ts'
import { OperationForm } from './operation-form.tsx'

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
    <div className="notice">
      <div className="col-span-full grid gap-3">
        <p className="[overflow-wrap:anywhere]">
          {isOwn ? 'You have' : `${order.placedByEmail} has`} asked to cancel this booking for the{' '}
          {order.side}, with {formatMoney(order.refundCents)} back: {order.reason}
        </p>
        <p className="figures text-sm text-quiet">
          {formatInstant(new Date(order.placedAt), OPERATIONS_ZONE)}.{' '}
          {isOwn ? 'Another operator has to confirm it.' : null}
        </p>
        <div className="flex flex-wrap gap-3">
          {isOwn ? null : (
            <OperationForm
              intent="confirm-cancellation"
              id={order.id}
              label="Confirm the cancellation"
              pendingLabel="Cancelling..."
              variant="danger"
            />
          )}
          <OperationForm
            intent="drop-cancellation"
            id={order.id}
            label="Drop"
            pendingLabel="Dropping..."
            variant="quiet"
          />
        </div>
      </div>
    </div>
  )
}
