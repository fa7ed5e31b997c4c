import { findVendorInsights } from '../../features/bookings/insights/queries.server.ts'
import { findVendorOverview } from '../../features/bookings/list/overview-queries.server.ts'
import { VendorOverviewScreen } from '../../features/bookings/list/screens/vendor-overview-screen.tsx'
import { MY_DASHBOARD } from '../../features/bookings/messages.ts'
import { listOwnListings } from '../../features/businesses/owner-queries.server.ts'
import { listVendorTasks } from '../../features/desk/queries.server.ts'
import { VendorDesk } from '../../features/desk/screens/waiting-sections.tsx'
import { countWaiting } from '../../features/enquiries/queries.server.ts'
import { findVendorRatings } from '../../features/reviews/queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/overview'
import { withCompleteness } from './completeness.server.ts'
import { findStepFacts, sharedPageOf } from './first-steps.server.ts'
import { payoutProviderOf } from './payouts-on.server.ts'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(MY_DASHBOARD, matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, now, config } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const userId = session.user.uid
  const vendor = { userId, provider: payoutProviderOf(config), now: now() }
  const [overview, insights, ratings, listings, waitingCount, tasks] = await Promise.all([
    findVendorOverview(db, userId, now()),
    findVendorInsights(db, userId, now()),
    findVendorRatings(db, userId),
    listOwnListings(db, userId, now()),
    countWaiting(db, userId),
    listVendorTasks(db, vendor),
  ])
  const [scored, facts] = await Promise.all([
    withCompleteness({ db, config }, userId, listings),
    findStepFacts({ db, config, now }, { userId, listings }),
  ])
  const isBooked = overview.hasEverBeenBooked
  return {
    overview,
    insights,
    ratings,
    waitingCount,
    tasks,
    contactEmail: config.contact.email,
    now: vendor.now.toISOString(),
    listings: scored.map(({ id, name, category, pictures, recentViews, hidden, completeness }) => ({
      id,
      name,
      category,
      completeness,
      picture: pictures[0] ?? null,
      recentViews,
      hidden: hidden !== null,
    })),
    firstSteps: { facts: { ...facts, isBooked }, page: isBooked ? null : sharedPageOf({ config }, listings) },
  }
}

export default function Overview({ loaderData }: Route.ComponentProps) {
  const { tasks, contactEmail, now, ...overview } = loaderData
  return (
    <VendorOverviewScreen
      {...overview}
      desk={
        tasks.length > 0 || overview.listings.length > 0 ? (
          <VendorDesk tasks={tasks} contactEmail={contactEmail} now={now} />
        ) : null
      }
    />
  )
}
