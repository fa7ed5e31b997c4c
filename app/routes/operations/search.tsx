import { redirect } from 'react-router'
import { MIN_WORDS, readWords } from '../../features/operators/rules.ts'
import { SearchScreen } from '../../features/operators/screens/search-screen.tsx'
import { findById, searchEverything } from '../../features/operators/search-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/search'
import { picturesOf } from './list-page.server.ts'
import { requireOperator } from './operator.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Search | Operations', matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { role } = await requireOperator({ request, context })
  const { config, db, now: clock, payments } = context.get(servicesContext)
  const words = readWords(url.searchParams.get('q'))
  const now = clock()
  const common = { words, provider: payments.name, now: now.toISOString() }
  if (words.length < MIN_WORDS) return { ...common, found: null, pictures: {} }
  const path = await findById(db, words, role)
  if (path) throw redirect(path)
  const found = await searchEverything(db, { words, role, now, adminEmails: config.operatorEmails })
  const businessIds = [
    ...(found.vendors?.rows ?? []).map(({ businessId }) => businessId),
    ...(found.accounts?.rows ?? []).map(({ businessId }) => businessId),
    ...(found.bookings?.rows ?? []).map(({ businessId }) => businessId),
    ...(found.payments?.rows ?? []).map(({ businessId }) => businessId),
    ...(found.listings?.rows ?? []).map(({ id }) => id),
  ]
  return { ...common, found, pictures: await picturesOf(db, businessIds, (id) => id) }
}

export default function Search({ loaderData }: Route.ComponentProps) {
  return <SearchScreen {...loaderData} />
}
