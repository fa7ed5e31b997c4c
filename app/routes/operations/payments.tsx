import { MONEY_APPROVALS } from '../../features/operators/act-rules.ts'
import { listOpenApprovals } from '../../features/operators/approval-queries.server.ts'
import { listNearDeclines } from '../../features/operators/decline-queries.server.ts'
import { listUnpaidInstalments } from '../../features/operators/instalment-queries.server.ts'
import { listPayments } from '../../features/operators/payment-queries.server.ts'
import { readWords } from '../../features/operators/rules.ts'
import { paymentFilterSchema } from '../../features/operators/schema.ts'
import { PaymentsScreen } from '../../features/operators/screens/payments-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/payments'
import { loadPage } from './list-page.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Payments | Operations', matches[0]?.loaderData)

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, now: clock, payments: provider } = context.get(servicesContext)
  const filter = paymentFilterSchema.parse(url.searchParams.get('show') ?? 'all')
  const words = readWords(url.searchParams.get('q'))
  const now = clock()
  const isUnfiltered = filter === 'all' && words === '' && !url.searchParams.has('before')
  const [{ rows: payments, ...page }, unpaid, nearDeclines, waitingOrders] = await Promise.all([
    loadPage(
      { db, url },
      async (range) => (filter === 'unpaid' ? [] : listPayments(db, { filter, words, now, ...range })),
      ({ businessId }) => businessId,
    ),
    filter === 'unpaid' ? listUnpaidInstalments(db, { words }) : [],
    isUnfiltered ? listNearDeclines(db, now) : [],
    isUnfiltered ? listOpenApprovals(db, MONEY_APPROVALS) : [],
  ])
  return {
    filter,
    words,
    payments,
    ...page,
    unpaid,
    nearDeclines,
    waitingOrders,
    provider: provider.name,
  }
}

export default function Payments({ loaderData }: Route.ComponentProps) {
  return <PaymentsScreen {...loaderData} />
}
