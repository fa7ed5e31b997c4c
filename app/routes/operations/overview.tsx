import { href, redirect } from 'react-router'
import { MONEY_APPROVALS } from '../../features/operators/act-rules.ts'
import { listOpenApprovals } from '../../features/operators/approval-queries.server.ts'
import {
  countPayoutWork,
  findVolume,
  measureWorkload,
} from '../../features/operators/overview-queries.server.ts'
import { may } from '../../features/operators/role-rules.ts'
import { jobHealthOf } from '../../features/operators/rules.ts'
import { OverviewScreen } from '../../features/operators/screens/overview-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/overview'
import { requireOperator } from './operator.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Overview | Operations', matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  // Mails from before the overview lead to the payments here.
  if (url.searchParams.has('show') || url.searchParams.has('q'))
    throw redirect(`${href('/operations/payments')}${url.search}`, 308)
  const { role } = await requireOperator({ request, context })
  const { config, db, jobs, now, payouts } = context.get(servicesContext)
  const [workload, volume, counts, orders, payoutTasks] = await Promise.all([
    measureWorkload(db, now()),
    may(role, 'see-volume') ? findVolume(db, now()) : null,
    jobs.count(),
    listOpenApprovals(db, MONEY_APPROVALS),
    payouts && may(role, 'see-payouts')
      ? countPayoutWork(db, { now: now(), holdLimitMs: config.holdLimitMs, provider: payouts.name })
      : null,
  ])
  return { workload, volume, jobs: jobHealthOf(counts), ordersWaiting: orders.length, payoutTasks }
}

export default function Overview({ loaderData }: Route.ComponentProps) {
  return <OverviewScreen {...loaderData} />
}
