import { listNearDeclines } from '../../features/operators/decline-queries.server.ts'
import { listUnpaidInstalments } from '../../features/operators/instalment-queries.server.ts'
import { listWaitingOrders } from '../../features/operators/order-queries.server.ts'
import { listPayments } from '../../features/operators/payment-queries.server.ts'
import { paymentFilterSchema } from '../../features/operators/schema.ts'
import { PaymentsScreen } from '../../features/operators/screens/payments-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/payments'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Payments | Operations', matches[0]?.loaderData)

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const filter = paymentFilterSchema.parse(url.searchParams.get('show') ?? 'all')
  const words = (url.searchParams.get('q') ?? '').trim().slice(0, 100)
  const now = services.now()
  const [payments, unpaid, nearDeclines, waitingOrders] = await Promise.all([
    filter === 'unpaid' ? [] : listPayments(services.db, { filter, words, now }),
    filter === 'unpaid' ? listUnpaidInstalments(services.db, { words }) : [],
    filter === 'all' && words === '' ? listNearDeclines(services.db, now) : [],
    filter === 'all' && words === '' ? listWaitingOrders(services.db) : [],
  ])
  return {
    filter,
    words,
    payments,
    unpaid,
    nearDeclines,
    waitingOrders,
    provider: services.payments.name,
  }
}

export default function Payments({ loaderData }: Route.ComponentProps) {
  return <PaymentsScreen {...loaderData} />
}
