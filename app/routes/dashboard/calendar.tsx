import { parseWithZod } from '@conform-to/zod/v4'
import { data, href, redirect } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { blockTime, unblockTime } from '../../features/availability/hours-commands.server.ts'
import { findAvailability } from '../../features/availability/hours-queries.server.ts'
import { CALENDAR_TITLE, openHoursText } from '../../features/availability/messages.ts'
import { monthWeeks } from '../../features/availability/month-layout-rules.ts'
import { askedMonth } from '../../features/availability/month-rules.ts'
import { listOutsideCalendars } from '../../features/availability/outside-calendar-queries.server.ts'
import { hoursOf } from '../../features/availability/rules.ts'
import { type BlockAnswer, blockSchema, calendarStepSchema } from '../../features/availability/schema.ts'
import { CalendarScreen } from '../../features/availability/screens/calendar-screen.tsx'
import {
  findNextEvent,
  listBookingsToDecide,
  listCalendarEntries,
} from '../../features/bookings/calendar-queries.server.ts'
import { listOwnListings } from '../../features/businesses/owner-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { availabilityDeps } from '../../services.server.ts'
import { addDays, type LocalDate, wallTimeAt, wallTimeToUtc } from '../../shared/dates.ts'
import { readForm } from '../../shared/form.ts'
import { BookingsTabs } from '../../shell/bookings-tabs.tsx'
import { findSession, requireSession } from '../require-session.server.ts'
import type { Route } from './+types/calendar'
import { refuseStep, refuseWithoutConnection } from './refuse-step.ts'

export const meta: Route.MetaFunction = () => [{ title: CALENDAR_TITLE }]

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const at = now()
  const businesses = (await listOwnListings(db, session.user.uid, at)).map(({ id, name }) => ({ id, name }))
  // An address of its own, so that news of another booking doesn't turn the page.
  if (url.search === '') {
    const next = await findNextEvent(db, { userId: session.user.uid, now: at })
    const month = next?.date.slice(0, 7) ?? ''
    if (next)
      throw redirect(
        `${href('/dashboard/calendar')}?${new URLSearchParams({ business: next.businessId, month })}`,
      )
  }
  const business = businesses.find(({ id }) => id === url.searchParams.get('business')) ?? businesses[0]
  const rules = business ? await findAvailability(db, business.id) : null
  if (!business || !rules) return { businesses, shown: null }
  const today = wallTimeAt(at, rules.timeZone).date
  const month = askedMonth(url.searchParams.get('month'), today)
  const days = monthWeeks(month).flat()
  const instant = (day: LocalDate) => wallTimeToUtc(day, '00:00', rules.timeZone)
  const range = { from: instant(days[0] as LocalDate), until: instant(addDays(days.at(-1) as LocalDate, 1)) }
  const [entries, toDecide, calendars] = await Promise.all([
    listCalendarEntries(db, { businessId: business.id, range, now: at }),
    listBookingsToDecide(db, { businessId: business.id, now: at }),
    listOutsideCalendars(db, business.id),
  ])
  return {
    businesses,
    shown: {
      business,
      timeZone: rules.timeZone,
      today,
      month,
      entries,
      hours: Object.fromEntries(days.map((day) => [day, openHoursText(hoursOf(rules, day))])),
      closedDays: days.filter((day) => hoursOf(rules, day).length === 0),
      toDecide,
      unreadCalendars: calendars.filter(({ lastError }) => lastError !== null).map(({ name }) => name),
    },
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return refuseStep('signed_out')
  const form = await readForm(request, [blockSchema, calendarStepSchema])
  if (!(await mayWrite(services.rateLimits, session.user.uid))) return refuseStep('too_often')
  const own = { userId: session.user.uid, businessId: String(form.get('businessId')) }
  const deps = availabilityDeps(services)
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
  return (
    <CalendarScreen
      businesses={businesses}
      shown={shown}
      tabs={shown ? <BookingsTabs businessId={shown.business.id} /> : null}
    />
  )
}
