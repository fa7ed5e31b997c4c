import { href } from 'react-router'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { Approval } from '../approval-queries.server.ts'
import { FilterLinks, ListFoot, type Pictures } from '../components/list-parts.tsx'
import { PaymentRows } from '../components/list-rows.tsx'
import { NearDeclines } from '../components/near-declines.tsx'
import { SearchForm } from '../components/search-form.tsx'
import { UnpaidInstalments } from '../components/unpaid-instalments.tsx'
import { WaitingOrders } from '../components/waiting-orders.tsx'
import type { NearDecline } from '../decline-queries.server.ts'
import type { UnpaidInstalment } from '../instalment-queries.server.ts'
import { FILTER_EMPTY, FILTER_LABELS } from '../messages.ts'
import type { OperatorPayment } from '../payment-queries.server.ts'
import type { PaymentFilter } from '../rules.ts'
import { PAYMENT_FILTERS } from '../rules.ts'

/** The list of payments, with filters and a search. */
export function PaymentsScreen({
  filter,
  words,
  payments,
  pictures,
  older,
  isFirst,
  unpaid,
  nearDeclines,
  waitingOrders,
  provider,
}: {
  filter: PaymentFilter
  words: string
  payments: readonly OperatorPayment[]
  pictures: Pictures
  /** The cursor of the next page; null on the last. */
  older: string | null
  isFirst: boolean
  /** Shown in the place of payments by their own filter. */
  unpaid: readonly UnpaidInstalment[]
  /** Shown above the list when it is not filtered. */
  nearDeclines: readonly NearDecline[]
  /** Orders of operators that a second person has to confirm. */
  waitingOrders: readonly Approval[]
  /** The provider in the settings. */
  provider: string
}) {
  const hrefFor = (show: string) =>
    `${href('/operations/payments')}?${new URLSearchParams({ show, ...(words ? { q: words } : {}) })}`
  return (
    <>
      <h1>Payments</h1>
      <div className="mt-6 grid gap-5">
        <FilterLinks
          label="Filter payments"
          names={PAYMENT_FILTERS}
          labels={FILTER_LABELS}
          current={filter}
          hrefFor={hrefFor}
        />
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
        <PaymentRows payments={payments} pictures={pictures} provider={provider} />
      )}
      <ListFoot
        path={href('/operations/payments')}
        filter={{ ...(filter === 'all' ? {} : { show: filter }), ...(words ? { q: words } : {}) }}
        older={older}
        isFirst={isFirst}
        exportPath={filter === 'unpaid' ? null : href('/operations/export/:list', { list: 'payments' })}
      />
    </>
  )
}
