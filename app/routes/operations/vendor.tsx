import { countVendorCancellations } from '../../features/bookings/cancellation/queries.server.ts'
import { VendorScreen } from '../../features/operators/screens/vendor-screen.tsx'
import { findVendorPayouts } from '../../features/payouts/operator-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/vendor'
import { performOperation } from './perform.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Vendor | Operations', matches[0]?.loaderData)

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db, now, payouts } = context.get(servicesContext)
  const about = { userId: params.id, provider: payouts?.name ?? '', now: now() }
  const vendor = payouts ? await findVendorPayouts(db, about) : null
  if (!vendor) throw new Response('Not found', { status: 404 })
  const cancellations = await countVendorCancellations(db, about)
  return { vendor, cancellations }
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function Vendor({ loaderData }: Route.ComponentProps) {
  return <VendorScreen {...loaderData} />
}
