import { data } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { TOO_MANY_WRITES_TEXT } from '../../features/accounts/messages.ts'
import { findVendorInsights } from '../../features/bookings/insights/queries.server.ts'
import { findVendorOverview } from '../../features/bookings/list/overview-queries.server.ts'
import { VendorOverviewScreen } from '../../features/bookings/list/screens/vendor-overview-screen.tsx'
import { MY_DASHBOARD } from '../../features/bookings/messages.ts'
import { listOwnListings } from '../../features/businesses/owner-queries.server.ts'
import { snoozeTask, unsnoozeTask } from '../../features/desk/commands.server.ts'
import { BROUGHT_BACK, backText, SNOOZE_REFUSALS } from '../../features/desk/messages.ts'
import { listVendorDesk } from '../../features/desk/queries.server.ts'
import { snoozeSchema, unsnoozeSchema } from '../../features/desk/schema.ts'
import { type DeskAnswer, VendorDesk } from '../../features/desk/screens/waiting-sections.tsx'
import { countWaiting } from '../../features/enquiries/queries.server.ts'
import { findVendorRatings } from '../../features/reviews/queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
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
  const [overview, insights, ratings, listings, waitingCount, desk] = await Promise.all([
    findVendorOverview(db, userId, now()),
    findVendorInsights(db, userId, now()),
    findVendorRatings(db, userId),
    listOwnListings(db, userId, now()),
    countWaiting(db, userId),
    listVendorDesk(db, vendor),
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
    tasks: desk.tasks,
    later: desk.later,
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

const STATUSES = { not_found: 404, too_late: 409, too_many: 409 } as const

/** Puts a row of 'Waiting for you' off, or brings it back. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { db, now, config, rateLimits } = context.get(servicesContext)
  const { uid: userId } = (await requireSession({ request, url, context })).user
  const fields = Object.fromEntries(await readForm(request, [snoozeSchema, unsnoozeSchema]))
  const refuse = (status: number, text: string) => data<DeskAnswer>({ ok: false, text }, { status })
  if (!(await mayWrite(rateLimits, userId))) return refuse(429, TOO_MANY_WRITES_TEXT)
  const back = unsnoozeSchema.safeParse(fields)
  if (back.success) {
    await unsnoozeTask({ db }, { userId, ...back.data })
    return data<DeskAnswer>({ ok: true, text: BROUGHT_BACK })
  }
  const later = snoozeSchema.safeParse(fields)
  if (!later.success) return refuse(STATUSES.not_found, SNOOZE_REFUSALS.not_found)
  const provider = payoutProviderOf(config)
  const snoozed = await snoozeTask({ db, now }, { userId, provider, ...later.data })
  if (!snoozed.ok) return refuse(STATUSES[snoozed.reason], SNOOZE_REFUSALS[snoozed.reason])
  return data<DeskAnswer>({
    ok: true,
    text: `${backText(snoozed.until.toISOString(), snoozed.timeZone)}.`,
  })
}

export default function Overview({ loaderData }: Route.ComponentProps) {
  const { tasks, later, contactEmail, now, ...overview } = loaderData
  return (
    <VendorOverviewScreen
      {...overview}
      desk={
        tasks.length + later.length > 0 || overview.listings.length > 0 ? (
          <VendorDesk tasks={tasks} later={later} contactEmail={contactEmail} now={now} />
        ) : null
      }
    />
  )
}
