import { findNewestComparison } from '../../features/operators/comparison-queries.server.ts'
import { ComparisonScreen } from '../../features/operators/screens/comparison-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/comparison'
import { performOperation } from './perform.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Comparison | Operations', matches[0]?.loaderData)

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext)
  return { comparison: await findNewestComparison(db) }
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function Comparison({ loaderData }: Route.ComponentProps) {
  return <ComparisonScreen {...loaderData} />
}
