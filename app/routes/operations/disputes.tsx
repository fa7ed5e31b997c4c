import { listDisputes } from '../../features/operators/dispute-queries.server.ts'
import { DisputesScreen } from '../../features/operators/screens/disputes-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/disputes'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Disputes | Operations', matches[0]?.loaderData)

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const show = url.searchParams.get('show') === 'closed' ? 'closed' : 'open'
  return { show, disputes: await listDisputes(services.db, show) } as const
}

export default function Disputes({ loaderData }: Route.ComponentProps) {
  return <DisputesScreen {...loaderData} />
}
