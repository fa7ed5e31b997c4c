import { countVendorCancellations } from '../../features/bookings/cancellation/queries.server.ts'
import { VendorScreen } from '../../features/operators/screens/vendor-screen.tsx'
import { findVendorFacts } from '../../features/operators/vendor-queries.server.ts'
import { findVendorPayouts } from '../../features/payouts/operator-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/vendor'
import { requireOperator } from './operator.server.ts'
import { performOperation } from './perform.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Vendor | Operations', matches[0]?.loaderData)

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { config, db, now, payouts } = context.get(servicesContext)
  const { role, userId: ownId } = await requireOperator({ request, context })
  const about = { userId: params.id, provider: payouts?.name ?? '', now: now() }
  const facts = await findVendorFacts(db, { ...about, role, adminEmails: config.operatorEmails })
  if (!facts) throw new Response('Not found', { status: 404 })
  const [money, cancellations] = await Promise.all([
    payouts ? findVendorPayouts(db, about) : null,
    countVendorCancellations(db, about),
  ])
  return { facts, money, cancellations, ownId }
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function Vendor({ loaderData }: Route.ComponentProps) {
  return <VendorScreen {...loaderData} />
}
