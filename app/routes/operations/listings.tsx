import { listListings } from '../../features/operators/listing-queries.server.ts'
import { readWords } from '../../features/operators/rules.ts'
import { listingFilterSchema } from '../../features/operators/schema.ts'
import { ListingsScreen } from '../../features/operators/screens/listings-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/listings'
import { loadPage } from './list-page.server.ts'
import { performOperation } from './perform.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Listings | Operations', matches[0]?.loaderData)

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const words = readWords(url.searchParams.get('q'))
  const filter = listingFilterSchema.parse(url.searchParams.get('show') ?? 'all')
  const hidden = url.searchParams.has('hidden')
  const { rows: listings, ...page } = await loadPage(
    { db, url },
    (range) => listListings(db, { words, hidden, filter, now: now(), ...range }),
    ({ id }) => id,
  )
  return { words, hidden, filter, listings, ...page }
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function Listings({ loaderData }: Route.ComponentProps) {
  return <ListingsScreen {...loaderData} />
}
