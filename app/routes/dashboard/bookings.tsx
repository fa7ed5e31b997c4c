import { data } from 'react-router'
import { listedBusiness } from '../../features/availability/calendar-rules.ts'
import { cancellationWarning } from '../../features/bookings/cancellation/messages.ts'
import { countVendorCancellations } from '../../features/bookings/cancellation/queries.server.ts'
import { instalmentDepsOf } from '../../features/bookings/checkout/fulfilment-commands.server.ts'
import { decideBooking, undoDecline } from '../../features/bookings/decisions/commands.server.ts'
import type { UndoAnswer } from '../../features/bookings/decisions/components/grace-note.tsx'
import { DECLINE_TOLD } from '../../features/bookings/decisions/messages.ts'
import type { DecisionAnswer } from '../../features/bookings/list/components/booking-list.tsx'
import { BookingsFailure } from '../../features/bookings/list/components/bookings-failure.tsx'
import type { ExtendAnswer } from '../../features/bookings/list/components/extend-button.tsx'
import {
  findPurchaseOfVendor,
  listBookingsOfBusinesses,
} from '../../features/bookings/list/queries.server.ts'
import { VendorBookingsScreen } from '../../features/bookings/list/screens/vendor-bookings-screen.tsx'
import { listVendorPlaces } from '../../features/bookings/list/vendor-list-queries.server.ts'
import {
  filterBookings,
  MAX_STEPS,
  readListFilter,
  shownBookings,
  stepsIn,
} from '../../features/bookings/list/vendor-list-rules.ts'
import {
  DECLINE_REASON_MISSING,
  goneTo,
  MORE_TIME_FAILED,
  NOT_EXTENDABLE,
  PLACEHOLDER_BUSINESS_ID,
  YOUR_BOOKINGS,
} from '../../features/bookings/messages.ts'
import type { VendorBooking } from '../../features/bookings/rules.ts'
import {
  decisionSchema,
  declineReasonSchema,
  declineWordsSchema,
  extendSchema,
  undoDeclineSchema,
} from '../../features/bookings/schema.ts'
import { isCalledOff, needsReason } from '../../features/bookings/status-rules.ts'
import { extendInstalment } from '../../features/instalments/commands.server.ts'
import { findEarnings } from '../../features/payouts/earning-queries.server.ts'
import { listBusinessesOfVendor } from '../../features/reviews/card-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { type BookingServices, bookingDeps } from '../../services/deps.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { actionFailure, notSent } from '../../ui/action-failure.ts'
import { loadOrUnavailable } from '../load-or-unavailable.server.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/bookings'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(YOUR_BOOKINGS, matches[0]?.loaderData)

export function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, config, now } = context.get(servicesContext)
  return loadOrUnavailable(context, async () => {
    const session = await requireSession({ request, url, context })
    const userId = session.user.uid
    const businesses = (await listBusinessesOfVendor(db, userId)).map(({ id, name }) => ({ id, name }))
    const businessId = listedBusiness(businesses, url.searchParams.get('business'))
    const places = await listVendorPlaces(db, { userId, businessId })
    const found = filterBookings(places, readListFilter(url.searchParams))
    const steps = stepsIn(url.searchParams.get('more'))
    const shown = shownBookings(found, { steps, now: now() })
    const ids = shown.map(({ id }) => id)
    const bookings = await listBookingsOfBusinesses(db, { userId, businessId, now: now(), ids })
    return {
      shares: config.payouts.provider === 'off' ? null : await sharesOf(bookings),
      businesses,
      // Without any business, the list gets the observed placeholder (Decision 2).
      businessId: businesses.length === 0 && places.length === 0 ? PLACEHOLDER_BUSINESS_ID : businessId,
      bookings,
      counts: {
        all: places.length,
        pending: places.filter(({ status }) => status === 'pending').length,
        rest: steps < MAX_STEPS ? found.length - shown.length : 0,
      },
      graceMs: config.refundGraceMs,
      now: now().toISOString(),
      cancelWarning: cancellationWarning(await countVendorCancellations(db, { userId, now: now() })),
    }
  })

  async function sharesOf(bookings: readonly VendorBooking[]) {
    const standing = bookings.filter(({ listed }) => !isCalledOff(listed.status))
    const ids = standing.map(({ id }) => id)
    const earnings = await findEarnings(db, ids, { now: now(), delayMs: config.payoutDelayMs })
    return Object.fromEntries(
      earnings.map(({ bookingId, yoursAfterRefundsCents, yoursDueCents }) => [
        bookingId,
        yoursAfterRefundsCents + yoursDueCents,
      ]),
    )
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const session = await requireSession({ request, url, context })
  const fields = Object.fromEntries(
    await readForm(request, [decisionSchema, extendSchema, undoDeclineSchema]),
  )
  const extension = extendSchema.safeParse(fields)
  if (extension.success)
    return extend(context.get(servicesContext), session.user.uid, extension.data.bookingId)
  const undo = undoDeclineSchema.safeParse(fields)
  if (undo.success) return takeBack(context.get(servicesContext), session.user.uid, undo.data.bookingId)
  const form = decisionSchema.safeParse(fields)
  if (!form.success) return data<DecisionAnswer>({ ok: false, reason: 'not_found' }, { status: 400 })
  const { bookingId, decision, seen, code } = form.data
  const schema = needsReason(seen, decision) ? declineReasonSchema : declineWordsSchema
  const stated = schema.safeParse({ reason: form.data.reason })
  if (!stated.success) return refuseReason(stated.error.issues.map(({ message }) => message))
  const outcome = await decideBooking(bookingDeps(context.get(servicesContext)), {
    userId: session.user.uid,
    bookingId,
    decision,
    seen,
    ...stated.data,
    ...(code ? { code } : {}),
  })
  if (outcome.ok) return data<DecisionAnswer>({ ok: true, decision, changed: outcome.changed })
  if (outcome.reason === 'gone') {
    const text = goneTo(outcome.takenBy, outcome.timeZone)
    return data<DecisionAnswer>({ ok: false, reason: 'gone', text }, { status: 409 })
  }
  if (outcome.reason === 'reason_missing') return refuseReason([DECLINE_REASON_MISSING])
  return data<DecisionAnswer>(
    { ok: false, reason: outcome.reason },
    { status: outcome.reason === 'not_found' ? 404 : 409 },
  )
}

/** Takes back a decline that the customer hasn't been told of. */
async function takeBack(services: BookingServices, userId: string, bookingId: string) {
  const outcome = await undoDecline(bookingDeps(services), { userId, bookingId })
  if (outcome.ok) return data<UndoAnswer>({ ok: true })
  return data<UndoAnswer>(outcome, { status: outcome.reason === 'not_found' ? 404 : 409 })
}

/** Gives more time for an unpaid balance. */
async function extend(services: BookingServices, userId: string, bookingId: string) {
  const firstPaymentId = await findPurchaseOfVendor(services.db, { userId, bookingId })
  if (firstPaymentId === null) return data<ExtendAnswer>({ ok: false, reason: 'not_found' }, { status: 404 })
  const outcome = await extendInstalment(instalmentDepsOf(bookingDeps(services)), { firstPaymentId })
  if (!outcome.ok) return data<ExtendAnswer>(outcome, { status: 409 })
  return data<ExtendAnswer>({ ok: true, until: outcome.until.toISOString() })
}

function refuseReason(reason: string[]) {
  return data<DecisionAnswer>({ ok: false, reason: 'reason_invalid', errors: { reason } }, { status: 422 })
}

/**
 * Reports a lost connection as a message; the list stays as it is. Its status keeps React Router from loading the list
 * again, which would fail as well and hold the message back until it has.
 */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch (error) {
    return notSent<DecisionAnswer | ExtendAnswer | UndoAnswer>({ ok: false, reason: actionFailure(error) })
  }
}

export default function Bookings({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <VendorBookingsScreen
      {...loaderData}
      // Only the forms that work without JavaScript answer here.
      refusal={actionData && !actionData.ok ? refusedForm(actionData.reason) : null}
    />
  )
}

function refusedForm(reason: string): string {
  if (reason === 'decline_told') return DECLINE_TOLD
  return reason === 'not_extendable' ? NOT_EXTENDABLE : MORE_TIME_FAILED
}

/** Shown inside the frame, so the menu still works. */
export function ErrorBoundary() {
  return <BookingsFailure heading={YOUR_BOOKINGS} />
}
