import { listReviews } from '../../features/operators/review-queries.server.ts'
import { ReviewsScreen } from '../../features/operators/screens/reviews-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/reviews'
import { performOperation } from './perform.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Reviews | Operations', matches[0]?.loaderData)

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext)
  const show = url.searchParams.get('show') === 'decided' ? 'decided' : 'waiting'
  return { show, reviews: await listReviews(db, show) } as const
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function Reviews({ loaderData }: Route.ComponentProps) {
  return <ReviewsScreen {...loaderData} />
}
