import { listOperatorLog } from '../../features/operators/log-queries.server.ts'
import { LogScreen } from '../../features/operators/screens/log-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/log'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Log | Operations', matches[0]?.loaderData)

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext)
  return { entries: await listOperatorLog(db) }
}

export default function OperatorLog({ loaderData }: Route.ComponentProps) {
  return <LogScreen {...loaderData} />
}
