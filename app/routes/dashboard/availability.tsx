import { data } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import {
  findAvailability,
  findSettingsVersion,
  listExceptions,
} from '../../features/availability/hours-queries.server.ts'
import { AVAILABILITY_TITLE } from '../../features/availability/messages.ts'
import {
  findFeed,
  listOutsideCalendars,
} from '../../features/availability/outside-calendar-queries.server.ts'
import { defaultAvailability } from '../../features/availability/rules.ts'
import type { AvailabilityAnswer } from '../../features/availability/schema.ts'
import { AvailabilityScreen } from '../../features/availability/screens/availability-screen.tsx'
import { listOwnListings } from '../../features/businesses/owner-queries.server.ts'
import { offeredBookingTypes } from '../../features/businesses/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { findSession, requireSession } from '../require-session.server.ts'
import type { Route } from './+types/availability'
import { STEP_SCHEMAS, takeStep } from './availability-steps.server.ts'
import { refuseStep, refuseWithoutConnection } from './refuse-step.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta(AVAILABILITY_TITLE, matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const at = now()
  const listings = await listOwnListings(db, session.user.uid, at)
  const businesses = listings.map(({ id, name }) => ({ id, name }))
  const business = listings.find(({ id }) => id === url.searchParams.get('business')) ?? listings[0]
  const rules = business ? await findAvailability(db, business.id) : null
  if (!business || !rules) return { businesses, shown: null }
  const today = wallTimeAt(at, rules.timeZone).date
  const [version, exceptions, calendars, feed] = await Promise.all([
    findSettingsVersion(db, business.id),
    listExceptions(db, business.id),
    listOutsideCalendars(db, business.id),
    findFeed(db, business.id),
  ])
  return {
    businesses,
    shown: {
      business: { id: business.id, name: business.name, category: business.category },
      takesPeople: offeredBookingTypes(business).includes('perPerson'),
      rules,
      usual: defaultAvailability(business.category, rules.timeZone),
      version,
      today,
      now: at,
      exceptions: exceptions.filter(({ to }) => to >= today).sort((a, b) => (a.from < b.from ? -1 : 1)),
      calendars,
      feed: feed && {
        since: wallTimeAt(feed.since, rules.timeZone).date,
        showsNames: feed.showsNames,
      },
    },
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { rateLimits } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return refuseStep('signed_out')
  const form = await readForm(request, STEP_SCHEMAS)
  if (!(await mayWrite(rateLimits, session.user.uid))) return refuseStep('too_often')
  const answer = await takeStep(context.get(servicesContext), { form, userId: session.user.uid })
  if (answer.ok) return data<AvailabilityAnswer>(answer)
  const { ok: _, reason, ...more } = answer
  return refuseStep(reason, more)
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return refuseWithoutConnection(serverAction)
}

export default function AvailabilityRoute({ loaderData: { businesses, shown } }: Route.ComponentProps) {
  return <AvailabilityScreen businesses={businesses} shown={shown} />
}
