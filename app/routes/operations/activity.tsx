import { openActivity } from '../../features/operators/activity-commands.server.ts'
import { ActivityScreen } from '../../features/operators/screens/activity-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/activity'
import { requireOperator } from './operator.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Activity | Operations', matches[0]?.loaderData)

/** One account's security log, whose opening is logged. */
export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const operator = await requireOperator({ request, context })
  const before = url.searchParams.get('before')
  const opened = await openActivity({ db, now }, { operator, userId: params.id, before })
  if (!opened) throw new Response('Not found', { status: 404 })
  return { ...opened, id: params.id, isFirst: before === null }
}

export default function AccountActivity({ loaderData }: Route.ComponentProps) {
  return <ActivityScreen {...loaderData} />
}
