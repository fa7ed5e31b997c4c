import { href, Link } from 'react-router'
import { PaymentTags } from '../../features/operators/components/payment-tags.tsx'
import { SearchForm } from '../../features/operators/components/search-form.tsx'
import { listPayments } from '../../features/operators/payment-queries.server.ts'
import { PAYMENT_FILTERS } from '../../features/operators/rules.ts'
import { paymentFilterSchema } from '../../features/operators/schema.ts'
import { FILTER_EMPTY, FILTER_LABELS } from '../../features/operators/wording.ts'
import { servicesContext } from '../../request-context.server.ts'
import { formatInstant } from '../../shared/dates.ts'
import { formatMoney } from '../../shared/money.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { Route } from './+types/payments'
import { OPERATIONS_ZONE } from './zone.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Payments | Operations', matches[0]?.loaderData)

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const filter = paymentFilterSchema.parse(url.searchParams.get('show') ?? 'all')
  const words = (url.searchParams.get('q') ?? '').trim().slice(0, 100)
  const payments = await listPayments(services.db, { filter, words, now: services.now() })
  return { filter, words, payments, provider: services.payments.name }
}

export default function Payments({
  loaderData: { filter, words, payments, provider },
}: Route.ComponentProps) {
  const hrefFor = (show: string) =>
    `${href('/operations')}?${new URLSearchParams({ show, ...(words ? { q: words } : {}) })}`
  return (
    <>
      <h1>Payments</h1>
      <div className="mt-6 grid gap-5">
        <nav aria-label="Which payments" className="flex flex-wrap gap-2">
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
          label="Name, e-mail, business or reference"
          words={words}
          keep={filter === 'all' ? {} : { show: filter }}
        />
      </div>
      {payments.length === 0 ? (
        <EmptyState text={words ? 'No payment fits these words.' : FILTER_EMPTY[filter]} />
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
