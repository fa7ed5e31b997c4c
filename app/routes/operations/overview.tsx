import { href, redirect } from 'react-router'
import { MONEY_APPROVALS } from '../../features/operators/act-rules.ts'
import { listOpenApprovals } from '../../features/operators/approval-queries.server.ts'
import {
  countPayoutWork,
  findVolume,
  measureWorkload,
} from '../../features/operators/overview-queries.server.ts'
import { may } from '../../features/operators/role-rules.ts'
import { OverviewScreen } from '../../features/operators/screens/overview-screen.tsx'
import { listOperatorTasks } from '../../features/operators/task-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/overview'
import { requireOperator } from './operator.server.ts'
import { performOperation } from './perform.server.ts'
import { taskReaderOf } from './task-operations.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Overview | Operations', matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  // Mails from before the overview lead to the payments here.
  if (url.searchParams.has('show') || url.searchParams.has('q'))
    throw redirect(`${href('/operations/payments')}${url.search}`, 308)
  const operator = await requireOperator({ request, context })
  const { role, userId } = operator
  const { config, db, jobs, now, payouts } = context.get(servicesContext)
  const reader = await taskReaderOf({ config, jobs, now, payouts }, operator)
  const [tasks, workload, volume, orders, payoutTasks] = await Promise.all([
    listOperatorTasks(db, reader),
    measureWorkload(db, now()),
    may(role, 'see-volume') ? findVolume(db, now()) : null,
    listOpenApprovals(db, MONEY_APPROVALS),
    payouts && may(role, 'see-payouts')
      ? countPayoutWork(db, { now: now(), holdLimitMs: config.holdLimitMs, provider: payouts.name })
      : null,
  ])
  return {
    ...{ tasks, workload, volume, jobs: reader.jobs, ordersWaiting: orders.length, payoutTasks },
    ...{ ownId: userId, now: reader.now.toISOString() },
  }
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

/** Also after a refusal, which says that a colleague has changed a task. What was typed stays in its form. */
export const shouldRevalidate = () => true

export default function Overview({ loaderData }: Route.ComponentProps) {
  return <OverviewScreen {...loaderData} />
}
