import { parseWithZod } from '@conform-to/zod/v4'
import { data, href, redirect } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { ALL_BUSINESSES, listedBusiness } from '../../features/availability/calendar-rules.ts'
import { blockTime, unblockTime } from '../../features/availability/hours-commands.server.ts'
import { listAvailability } from '../../features/availability/hours-queries.server.ts'
import { CALENDAR_TITLE, openHoursText } from '../../features/availability/messages.ts'
import { monthWeeks } from '../../features/availability/month-layout-rules.ts'
import { askedMonth } from '../../features/availability/month-rules.ts'
import { listUnreadCalendars } from '../../features/availability/outside-calendar-queries.server.ts'
import { hoursOf } from '../../features/availability/rules.ts'
import { type BlockAnswer, blockSchema, calendarStepSchema } from '../../features/availability/schema.ts'
import { CalendarScreen } from '../../features/availability/screens/calendar-screen.tsx'
import { monthPath } from '../../features/availability/screens/calendar-sections.tsx'
import {
  findNextEvent,
  listBookingsToDecide,
  listEntriesOf,
} from '../../features/bookings/list/calendar-queries.server.ts'
import { listOwnListings } from '../../features/businesses/owner-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { availabilityDeps } from '../../services/deps.server.ts'
import { addDays, type LocalDate, wallTimeAt, wallTimeToUtc } from '../../shared/dates.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { findSession, requireSession } from '../require-session.server.ts'
import type { Route } from './+types/calendar'
import { refuseStep, refuseWithoutConnection } from './refuse-step.ts'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(CALENDAR_TITLE, matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const at = now()
  const businesses = (await listOwnListings(db, session.user.uid, at)).map(({ id, name }) => ({ id, name }))
  const businessId = listedBusiness(businesses, url.searchParams.get('business'))
  // An address of its own, so that news of another booking doesn't turn the page.
  if (url.search === '') {
    const next = await findNextEvent(db, { userId: session.user.uid, now: at })
    if (next) throw redirect(`${href('/dashboard/calendar')}${monthPath(businessId, next.slice(0, 7))}`)
  }
  const chosen = businesses.filter(({ id }) => businessId === ALL_BUSINESSES || id === businessId)
  const rulesOf =
    chosen.length > 0
      ? await listAvailability(
          db,
          chosen.map(({ id }) => id),
        )
      : new Map()
  const listings = chosen.flatMap(({ id, name }) => {
    const rules = rulesOf.get(id)?.rules
    return rules ? [{ id, name, rules }] : []
  })
  const [first] = listings
  if (!first) return { businesses, shown: null }
  const zones = [...new Set(listings.map(({ rules }) => rules.timeZone))]
  // The earliest day of several zones: an event of today is never shown as past.
  const today = zones.map((zone) => wallTimeAt(at, zone).date).sort()[0] as LocalDate
  const month = askedMonth(url.searchParams.get('month'), today)
  const days = monthWeeks(month).flat()
  const instants = (day: LocalDate) => zones.map((zone) => wallTimeToUtc(day, '00:00', zone).getTime())
  const range = {
    from: new Date(Math.min(...instants(days[0] as LocalDate))),
    until: new Date(Math.max(...instants(addDays(days.at(-1) as LocalDate, 1)))),
  }
  const businessIds = listings.map(({ id }) => id)
  const [entries, toDecide, unreadCalendars] = await Promise.all([
    listEntriesOf(db, { businessIds, range, now: at }),
    listBookingsToDecide(db, { businessIds, now: at }),
    listUnreadCalendars(db, businessIds),
  ])
  const hoursText = (day: LocalDate) =>
    businessId === ALL_BUSINESSES ? '' : openHoursText(hoursOf(first.rules, day))
  return {
    businesses,
    shown: {
      businessId,
      listings: listings.map(({ id, name, rules }) => ({ id, name, timeZone: rules.timeZone })),
      today,
      month,
      entries,
      hours: Object.fromEntries(days.map((day) => [day, hoursText(day)])),
      closedDays: days.filter((day) => listings.every(({ rules }) => hoursOf(rules, day).length === 0)),
      toDecide,
      unreadCalendars,
    },
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { rateLimits } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return refuseStep('signed_out')
  const form = await readForm(request, [blockSchema, calendarStepSchema])
  if (!(await mayWrite(rateLimits, session.user.uid))) return refuseStep('too_often')
  const own = { userId: session.user.uid, businessId: String(form.get('businessId')) }
  const deps = availabilityDeps(context.get(servicesContext))
  if (form.get('intent') === 'unblock') {
    const outcome = await unblockTime(deps, { ...own, blockId: String(form.get('blockId')) })
    return outcome.ok ? data<BlockAnswer>({ ok: true }) : refuseStep(outcome.reason)
  }
  const submission = parseWithZod(form, { schema: blockSchema })
  if (submission.status !== 'success')
    return refuseStep('invalid_fields', { errors: submission.error ?? null })
  const outcome = await blockTime(deps, { ...own, block: submission.value })
  return outcome.ok ? data<BlockAnswer>({ ok: true }) : refuseStep(outcome.reason)
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return refuseWithoutConnection(serverAction)
}

export default function CalendarRoute({ loaderData: { businesses, shown } }: Route.ComponentProps) {
  return <CalendarScreen businesses={businesses} shown={shown} />
}
