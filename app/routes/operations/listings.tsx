import { listListings } from '../../features/operators/listing-queries.server.ts'
import { ListingsScreen } from '../../features/operators/screens/listings-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/listings'
import { performOperation } from './perform.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Listings | Operations', matches[0]?.loaderData)

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const words = (url.searchParams.get('q') ?? '').trim().slice(0, 100)
  const hidden = url.searchParams.has('hidden')
  return { words, hidden, listings: await listListings(services.db, { words, hidden }) }
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function Listings({ loaderData }: Route.ComponentProps) {
  return <ListingsScreen {...loaderData} />
}
