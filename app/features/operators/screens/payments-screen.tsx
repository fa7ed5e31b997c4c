import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { NearDeclines } from '../components/near-declines.tsx'
import { PaymentTags } from '../components/payment-tags.tsx'
import { SearchForm } from '../components/search-form.tsx'
import { UnpaidInstalments } from '../components/unpaid-instalments.tsx'
import { WaitingOrders } from '../components/waiting-orders.tsx'
import type { NearDecline } from '../decline-queries.server.ts'
import type { UnpaidInstalment } from '../instalment-queries.server.ts'
import { FILTER_EMPTY, FILTER_LABELS, OPERATIONS_ZONE } from '../messages.ts'
import type { WaitingOrder } from '../order-queries.server.ts'
import type { OperatorPayment } from '../payment-queries.server.ts'
import type { PaymentFilter } from '../rules.ts'
import { PAYMENT_FILTERS } from '../rules.ts'

/** The list of payments, with filters and a search. */
export function PaymentsScreen({
  filter,
  words,
  payments,
  unpaid,
  nearDeclines,
  waitingOrders,
  provider,
}: {
  filter: PaymentFilter
  words: string
  payments: readonly OperatorPayment[]
  /** Shown in the place of payments by their own filter. */
  unpaid: readonly UnpaidInstalment[]
  /** Shown above the list when it is not filtered. */
  nearDeclines: readonly NearDecline[]
  /** Orders of operators that a second person has to confirm. */
  waitingOrders: readonly WaitingOrder[]
  /** The provider in the settings. */
  provider: string
}) {
  const hrefFor = (show: string) =>
    `${href('/operations')}?${new URLSearchParams({ show, ...(words ? { q: words } : {}) })}`
  return (
    <>
      <h1>Payments</h1>
      <div className="mt-6 grid gap-5">
        <nav aria-label="Filter payments" className="flex flex-wrap gap-2">
          {PAYMENT_FILTERS.map((name) => (
            <Link
              key={name}
              to={hrefFor(name)}
              aria-current={name === filter ? 'page' : undefined}
              className="tag min-h-11 px-4 text-base aria-[current]:bg-brand aria-[current]:text-on-brand"
            >
              {FILTER_LABELS[name]}
            </Link>
          ))}
        </nav>
        <SearchForm
          label="Name, email, business or reference"
          words={words}
          keep={filter === 'all' ? {} : { show: filter }}
        />
      </div>
      <WaitingOrders orders={waitingOrders} />
      <NearDeclines declines={nearDeclines} />
      {payments.length + unpaid.length === 0 ? (
        <EmptyState text={words ? 'No payment matches these words.' : FILTER_EMPTY[filter]} />
      ) : filter === 'unpaid' ? (
        <UnpaidInstalments instalments={unpaid} />
      ) : (
        <ul className="mt-6 border-t border-line">
          {payments.map((payment) => (
            <li key={payment.id} className="relative border-b border-line py-5">
              <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
                <h2 className="min-w-0 text-lg [overflow-wrap:anywhere]">
                  <Link className="cover-link" to={href('/operations/payments/:id', { id: payment.id })}>
                    {payment.businessName}
                  </Link>
                </h2>
                <p className="price figures">{formatMoney(payment.amountCents)}</p>
              </div>
              <p className="mt-1 [overflow-wrap:anywhere]">
                {payment.customerName}, {payment.email}
              </p>
              <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
                <PaymentTags payment={payment} provider={provider} />
                <p className="figures text-sm text-quiet">
                  {formatInstant(new Date(payment.createdAt), OPERATIONS_ZONE)}
                </p>
              </div>
              {payment.lastError ? <p className="mt-2 text-sm text-quiet">{payment.lastError}</p> : null}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
