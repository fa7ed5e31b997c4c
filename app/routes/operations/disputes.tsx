import { findDispute } from '../../features/operators/dispute-facts-queries.server.ts'
import { listDisputes } from '../../features/operators/dispute-queries.server.ts'
import { DisputeScreen } from '../../features/operators/screens/dispute-screen.tsx'
import { DisputesScreen } from '../../features/operators/screens/disputes-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/disputes'
import { requireOperator } from './operator.server.ts'
import { performOperation } from './perform.server.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  privateMeta(`${params.id ? 'Dispute' : 'Disputes'} | Operations`, matches[0]?.loaderData)

/** The list of disputes, or one of them. */
export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const { config, db, now, payments, payouts } = context.get(servicesContext)
  const operator = await requireOperator({ request, context })
  if (params.id === undefined) {
    const show = url.searchParams.get('show') === 'closed' ? 'closed' : 'open'
    return { show, disputes: await listDisputes(db, show) } as const
  }
  const dispute = await findDispute(db, {
    disputeId: params.id,
    now: now(),
    brand: config.brand,
    secondOperatorCents: config.operatorSecondPersonCents,
  })
  if (!dispute) throw new Response('Not found', { status: 404 })
  return { dispute, provider: payments.name, hasPayouts: payouts !== null, ownEmail: operator.email }
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function Disputes({ loaderData }: Route.ComponentProps) {
  const { dispute } = loaderData
  if (!dispute) return <DisputesScreen {...loaderData} />
  // Another dispute is another form.
  return <DisputeScreen key={dispute.id} {...loaderData} />
}
