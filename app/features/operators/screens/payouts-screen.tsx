import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { HELD_LABELS } from '../../payouts/messages.ts'
import type { OperatorBooking, PayoutTasks } from '../../payouts/operator-queries.server.ts'
import { ACTS } from '../act-rules.ts'
import type { Approval } from '../approval-queries.server.ts'
import { OperationForm } from '../components/operation-form.tsx'
import { HoldForm, OrderForm } from '../components/payout-forms.tsx'
import { OPERATIONS_ZONE } from '../messages.ts'

const time = (iso: string) => formatInstant(new Date(iso), OPERATIONS_ZONE)

const LIMIT_HINT = 'Release it, so that it is paid out, or refund the customer on the payment’s page.'

/** The operators' tasks about vendors' money, as lists with their actions. */
export function PayoutsScreen({
  tasks,
  orders,
  ownEmail,
}: {
  tasks: PayoutTasks
  /** The orders that wait for a second operator. */
  orders: readonly Approval<'order-payout'>[]
  ownEmail: string
}) {
  const { held, limits, debts, rejected, stopped, holds } = tasks
  const past = limits.filter(({ isPast }) => isPast)
  const near = limits.filter(({ isPast }) => !isPast)
  const isEmpty = [held, limits, debts, rejected, stopped, holds, orders].every(({ length }) => length === 0)
  return (
    <>
      <h1>Payouts</h1>
      {isEmpty ? (
        <EmptyState text="Nothing waits. Held transfers, money near its limit, debts and refused vendors appear here." />
      ) : null}
      <Tasks title="Waiting for a second operator" count={orders.length}>
        {orders.map((order) => (
          <Order key={order.id} order={order} isOwn={order.askedByEmail === ownEmail} />
        ))}
      </Tasks>
      <Tasks title="Past the holding limit" hint={LIMIT_HINT} count={past.length}>
        {past.map((one) => (
          <Booking key={one.bookingId} booking={one} text={`The limit was ${time(one.at)}`} />
        ))}
      </Tasks>
      <Tasks title="Near the holding limit" hint={LIMIT_HINT} count={near.length}>
        {near.map((one) => (
          <Booking key={one.bookingId} booking={one} text={`Hold until ${time(one.at)} at most`} />
        ))}
      </Tasks>
      <Tasks
        title="Refused vendors"
        hint="The provider no longer pays these vendors. Refund their customers on the payment’s page."
        count={rejected.length}
      >
        {rejected.map((one) => (
          <Booking key={one.bookingId} booking={one} text={`Paid ${time(one.at)}`} />
        ))}
      </Tasks>
      <Stopped stopped={stopped} />
      <Tasks title="Held transfers" count={held.length}>
        {held.map((one) => (
          <Booking key={one.bookingId} booking={one} text={`Due since ${time(one.at)}`}>
            <p className="mt-2">
              <Tag>{HELD_LABELS[one.reason]}</Tag>
            </p>
            {one.reason === 'operator' ? null : (
              <HoldForm vendorUserId={one.vendorUserId} bookingId={one.bookingId} />
            )}
            <OrderForm kind="paid_by_bank" bookingId={one.bookingId} openCents={one.amountCents} />
          </Booking>
        ))}
      </Tasks>
      <Tasks title="Held by operators" count={holds.length}>
        {holds.map((hold) => (
          <li key={hold.id} className="border-b border-line py-5">
            <h3 className="text-lg">
              <Link className="link" to={href('/operations/vendors/:id', { id: hold.vendorUserId })}>
                {hold.vendorName}
              </Link>
            </h3>
            <p className="mt-1 [overflow-wrap:anywhere]">
              {hold.bookingId ? 'One booking' : 'All bookings'}: {hold.reason}
            </p>
            <p className="text-sm text-quiet">Since {time(hold.placedAt)}</p>
            <OperationForm act="release-payouts" id={hold.id} />
          </li>
        ))}
      </Tasks>
      <Tasks
        title="Debts"
        hint="Each is taken from the vendor’s next bookings, oldest first."
        count={debts.length}
      >
        {debts.map((debt) => (
          <li key={debt.bookingId} className="border-b border-line py-5">
            <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
              <h3 className="text-lg">
                <Link className="link" to={href('/operations/vendors/:id', { id: debt.vendorUserId })}>
                  {debt.businessName}
                </Link>
              </h3>
              <p className="price figures">{formatMoney(debt.cents)}</p>
            </div>
            <OrderForm kind="debt_paid" bookingId={debt.bookingId} openCents={debt.cents} />
            <OrderForm kind="write_off" bookingId={debt.bookingId} openCents={debt.cents} />
          </li>
        ))}
      </Tasks>
    </>
  )
}

/** The vendors who have to act before they are paid again. They are told, and it is on their dashboard. */
function Stopped({ stopped }: { stopped: PayoutTasks['stopped'] }) {
  return (
    <div id="stopped">
      <Tasks
        title="Paused and returned"
        hint="These vendors have been told what to do. Write to them if nothing happens."
        count={stopped.length}
      >
        {stopped.map(({ vendorUserId, vendorName, why, amountCents, at }) => (
          <li key={`${vendorUserId} ${why}`} className="border-b border-line py-5">
            <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
              <h3 className="text-lg">
                <Link className="link" to={href('/operations/vendors/:id', { id: vendorUserId })}>
                  {vendorName}
                </Link>
              </h3>
              {amountCents === null ? null : <p className="price figures">{formatMoney(amountCents)}</p>}
            </div>
            <p className="text-sm text-quiet">
              {why === 'paused' ? 'The provider has paused this account.' : 'The bank returned a payout.'}{' '}
              Checked {time(at)}
            </p>
          </li>
        ))}
      </Tasks>
    </div>
  )
}

function Tasks({
  title,
  hint,
  count,
  children,
}: {
  title: string
  hint?: string
  count: number
  children: ReactNode
}) {
  if (count === 0) return null
  return (
    <section className="mt-8">
      <h2 className="text-xl">{title}</h2>
      {hint ? <p className="mt-1 text-quiet">{hint}</p> : null}
      <ul className="mt-4 border-t border-line">{children}</ul>
    </section>
  )
}

function Booking({
  booking,
  text,
  children,
}: {
  booking: OperatorBooking
  text: string
  children?: ReactNode
}) {
  return (
    <li className="border-b border-line py-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h3 className="min-w-0 text-lg [overflow-wrap:anywhere]">
          <Link className="link" to={href('/operations/payments/:id', { id: booking.paymentId })}>
            {booking.businessName}
          </Link>
        </h3>
        <p className="price figures">{formatMoney(booking.amountCents)}</p>
      </div>
      <p className="figures mt-1">{text}</p>
      <p className="text-sm">
        <Link className="link" to={href('/operations/vendors/:id', { id: booking.vendorUserId })}>
          The vendor’s payouts
        </Link>
      </p>
      {children}
    </li>
  )
}

function Order({ order, isOwn }: { order: Approval<'order-payout'>; isOwn: boolean }) {
  return (
    <li className="border-b border-line py-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h3 className="text-lg">
          <Link className="link" to={href('/operations/vendors/:id', { id: order.payload.vendorUserId })}>
            {ACTS['order-payout'].buttons[order.payload.kind]}
          </Link>
        </h3>
        <p className="price figures">{formatMoney(order.amountCents)}</p>
      </div>
      <p className="mt-1 [overflow-wrap:anywhere]">{order.reason}</p>
      <p className="text-sm text-quiet">
        {order.askedByEmail}, {time(order.askedAt)}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        {isOwn ? null : <OperationForm act="confirm-order" id={order.id} />}
        <OperationForm act="drop-order" id={order.id} />
      </div>
    </li>
  )
}
