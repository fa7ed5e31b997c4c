import { parseWithZod } from '@conform-to/zod/v4'
import { data, href } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import {
  addException,
  removeException,
  setAvailability,
} from '../../features/availability/hours-commands.server.ts'
import {
  findAvailability,
  findSettingsVersion,
  listExceptions,
} from '../../features/availability/hours-queries.server.ts'
import {
  AVAILABILITY_TITLE,
  calendarAddedText,
  feedNamesText,
  STEP_DONE,
} from '../../features/availability/messages.ts'
import {
  addOutsideCalendar,
  makeFeed,
  removeOutsideCalendar,
  revokeFeed,
  showNamesInFeed,
  syncOutsideCalendarNow,
} from '../../features/availability/outside-calendar-commands.server.ts'
import {
  findFeed,
  listOutsideCalendars,
} from '../../features/availability/outside-calendar-queries.server.ts'
import { CALENDAR_READ_LIMIT, defaultAvailability } from '../../features/availability/rules.ts'
import {
  type AvailabilityAnswer,
  availabilityStepSchema,
  exceptionSchema,
  outsideCalendarSchema,
  settingsSchema,
} from '../../features/availability/schema.ts'
import { AvailabilityScreen } from '../../features/availability/screens/availability-screen.tsx'
import { listOwnListings } from '../../features/businesses/owner-queries.server.ts'
import { offeredBookingTypes } from '../../features/businesses/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { availabilityDeps } from '../../services/deps.server.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { BookingsTabs } from '../../shell/bookings-tabs.tsx'
import { findSession, requireSession } from '../require-session.server.ts'
import type { Route } from './+types/availability'
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

/** The event that the answer names. */
const eventOf = (outcome: object) =>
  'event' in outcome && typeof outcome.event === 'string' ? { event: outcome.event } : {}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return refuseStep('signed_out')
  const form = await readForm(request, [
    settingsSchema,
    exceptionSchema,
    outsideCalendarSchema,
    availabilityStepSchema,
  ])
  if (!(await mayWrite(services.rateLimits, session.user.uid))) return refuseStep('too_often')
  const userId = session.user.uid
  const own = { userId, businessId: String(form.get('businessId')) }
  const deps = availabilityDeps(services)
  const mayRead = () => services.rateLimits.take(`calendar-read:${userId}`, CALENDAR_READ_LIMIT)
  const done = (text: string) => data<AvailabilityAnswer>({ ok: true, text })

  switch (form.get('intent')) {
    case 'settings': {
      const submission = parseWithZod(form, { schema: settingsSchema })
      if (submission.status !== 'success')
        return refuseStep('invalid_fields', { errors: submission.error ?? null })
      const seen = String(form.get('seen') ?? '') || null
      const outcome = await setAvailability(deps, { ...own, settings: submission.value, seen })
      if (outcome.ok) return done(STEP_DONE.settings)
      if (outcome.reason !== 'changed_meanwhile') return refuseStep(outcome.reason)
      const version = await findSettingsVersion(services.db, own.businessId)
      return refuseStep(outcome.reason, { version })
    }
    case 'exception': {
      const submission = parseWithZod(form, { schema: exceptionSchema })
      if (submission.status !== 'success')
        return refuseStep('invalid_fields', { errors: submission.error ?? null })
      const outcome = await addException(deps, { ...own, exception: submission.value })
      return outcome.ok ? done(STEP_DONE.exception) : refuseStep(outcome.reason)
    }
    case 'remove-exception': {
      const outcome = await removeException(deps, { ...own, exceptionId: String(form.get('id')) })
      return outcome.ok ? done(STEP_DONE['remove-exception']) : refuseStep(outcome.reason)
    }
    case 'add-calendar': {
      const submission = parseWithZod(form, { schema: outsideCalendarSchema })
      if (submission.status !== 'success')
        return refuseStep('invalid_fields', { errors: submission.error ?? null })
      if (!(await mayRead())) return refuseStep('too_often')
      const outcome = await addOutsideCalendar(deps, { ...own, ...submission.value })
      return outcome.ok
        ? done(calendarAddedText(outcome.events))
        : refuseStep(outcome.reason, eventOf(outcome))
    }
    case 'sync-calendar': {
      if (!(await mayRead())) return refuseStep('too_often')
      const outcome = await syncOutsideCalendarNow(deps, { ...own, calendarId: String(form.get('id')) })
      return outcome.ok ? done(STEP_DONE['sync-calendar']) : refuseStep(outcome.reason, eventOf(outcome))
    }
    case 'remove-calendar': {
      const outcome = await removeOutsideCalendar(deps, { ...own, calendarId: String(form.get('id')) })
      return outcome.ok ? done(STEP_DONE['remove-calendar']) : refuseStep(outcome.reason)
    }
    case 'make-feed': {
      const outcome = await makeFeed(deps, own)
      if (!outcome.ok) return refuseStep(outcome.reason)
      const address = new URL(
        href('/calendar-feed/:token.ics', { token: outcome.token }),
        services.config.publicUrl,
      ).href
      return data<AvailabilityAnswer>({ ok: true, text: STEP_DONE['make-feed'], address })
    }
    case 'revoke-feed': {
      const outcome = await revokeFeed(deps, own)
      return outcome.ok ? done(STEP_DONE['revoke-feed']) : refuseStep(outcome.reason)
    }
    case 'feed-names': {
      const showsNames = form.get('showsNames') === 'true'
      const outcome = await showNamesInFeed(deps, { ...own, showsNames })
      return outcome.ok ? done(feedNamesText(showsNames)) : refuseStep(outcome.reason)
    }
    default:
      return refuseStep('invalid_fields')
  }
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return refuseWithoutConnection(serverAction)
}

export default function AvailabilityRoute({ loaderData: { businesses, shown } }: Route.ComponentProps) {
  return (
    <AvailabilityScreen
      businesses={businesses}
      shown={shown}
      tabs={shown ? <BookingsTabs businessId={shown.business.id} /> : null}
    />
  )
}
