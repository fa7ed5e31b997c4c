import { APPROVAL_ACTS } from '../../features/operators/act-rules.ts'
import { listOpenApprovals } from '../../features/operators/approval-queries.server.ts'
import { PayoutsScreen } from '../../features/operators/screens/payouts-screen.tsx'
import { listPayoutTasks } from '../../features/payouts/operator-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/payouts'
import { requireOperator } from './operator.server.ts'
import { performOperation } from './perform.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Payouts | Operations', matches[0]?.loaderData)

export async function loader({ request, context }: Route.LoaderArgs) {
  const { config, db, now, payouts } = context.get(servicesContext)
  const operator = await requireOperator({ request, context })
  if (!payouts) throw new Response('Not found', { status: 404 })
  const about = { now: now(), holdLimitMs: config.holdLimitMs, provider: payouts.name }
  return {
    tasks: await listPayoutTasks(db, about),
    orders: await listOpenApprovals(db, APPROVAL_ACTS.order),
    ownEmail: operator.email,
  }
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function Payouts({ loaderData }: Route.ComponentProps) {
  return <PayoutsScreen {...loaderData} />
}
