import { Download } from 'lucide-react'
import { useState } from 'react'
import { data, href, useNavigate } from 'react-router'
import { z } from 'zod'
import { BookingList, type DecisionAnswer } from '../../features/bookings/components/booking-list.tsx'
import { BookingsFailure } from '../../features/bookings/components/bookings-failure.tsx'
import { decideBooking } from '../../features/bookings/decision-commands.server.ts'
import { listBookingsOfBusinesses } from '../../features/bookings/queries.server.ts'
import { BOOKING_STATUSES, type BookingStatus } from '../../features/bookings/rules.ts'
import { bookingsCsv, filterBookings } from '../../features/bookings/vendor-list-rules.ts'
import {
  goneTo,
  NO_BOOKINGS_FOR_ANY,
  noBookingsFor,
  PLACEHOLDER_BUSINESS_ID,
  STATUS_LABELS,
  YOUR_BOOKINGS,
} from '../../features/bookings/wording.ts'
import { useLiveUpdates } from '../../features/notifications/browser/use-live-updates.ts'
import { listBusinessesOfVendor } from '../../features/reviews/card-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { BookingsTabs } from '../../shell/bookings-tabs.tsx'
import { Button } from '../../ui/button.tsx'
import { isConnectionFailure } from '../../ui/connection.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Picture } from '../../ui/picture.tsx'
import { SegmentedControl } from '../../ui/tabs.tsx'
import { loadOrUnavailable } from '../load-or-unavailable.server.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/bookings'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(YOUR_BOOKINGS, matches[0]?.loaderData)

const ALL = 'all'

export function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext)
  return loadOrUnavailable(context, async () => {
    const session = await requireSession({ request, url, context })
    const userId = session.user.uid
    const businesses = (await listBusinessesOfVendor(db, userId)).map(({ id, name }) => ({ id, name }))
    const asked = url.searchParams.get('business')
    // One business needs no choice; with none the list is given the observed placeholder (Decision 2).
    const businessId =
      businesses.length === 1
        ? (businesses[0]?.id ?? ALL)
        : (businesses.find(({ id }) => id === asked)?.id ?? ALL)
    const bookings = await listBookingsOfBusinesses(db, { userId, businessId })
    return {
      businesses,
      businessId: businesses.length === 0 && bookings.length === 0 ? PLACEHOLDER_BUSINESS_ID : businessId,
      bookings,
      graceMs: config.refundGraceMs,
    }
  })
}

const decisionSchema = z.object({
  bookingId: z.string().min(1).max(100),
  decision: z.enum(['approved', 'declined']),
  seen: z.enum(BOOKING_STATUSES),
})

export async function action({ request, context, url }: Route.ActionArgs) {
  const services = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const form = decisionSchema.safeParse(Object.fromEntries(await readForm(request, decisionSchema)))
  if (!form.success) return data<DecisionAnswer>({ ok: false, reason: 'not_found' }, { status: 400 })
  const { bookingId, decision, seen } = form.data
  const outcome = await decideBooking(bookingDeps(services), {
    userId: session.user.uid,
    bookingId,
    decision,
    seen,
  })
  if (outcome.ok) return data<DecisionAnswer>({ ok: true, decision, changed: outcome.changed })
  if (outcome.reason === 'gone') {
    const text = goneTo(outcome.takenBy, outcome.timeZone)
    return data<DecisionAnswer>({ ok: false, reason: 'gone', text }, { status: 409 })
  }
  return data<DecisionAnswer>(
    { ok: false, reason: outcome.reason },
    { status: outcome.reason === 'not_found' ? 404 : 409 },
  )
}

/** A lost connection is told in words; the list stays as it is. */
export async function clientAction({ serverAction }: Route.ClientActionArgs): Promise<DecisionAnswer> {
  try {
    return await serverAction()
  } catch (error) {
    // A redirect to the sign-in is thrown too, and has to go on.
    if (error instanceof Response) throw error
    return { ok: false, reason: isConnectionFailure(error) ? 'not_reached' : 'failed' }
  }
}

const STATUS_OPTIONS = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: STATUS_LABELS.pending },
  { value: 'approved', label: STATUS_LABELS.approved },
  { value: 'declined', label: STATUS_LABELS.declined },
] as const

export default function Bookings({ loaderData }: Route.ComponentProps) {
  const { businesses, businessId, bookings, graceMs } = loaderData
  const navigate = useNavigate()
  const [status, setStatus] = useState<BookingStatus | 'all'>('all')
  const [name, setName] = useState('')
  useLiveUpdates(['bookings'])
  const shown = filterBookings(bookings, { status, name })
  const pendingCount = bookings.filter(({ listed }) => listed.status === 'pending').length
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <h1 className="text-3xl md:text-4xl">{YOUR_BOOKINGS}</h1>
          {pendingCount > 0 ? (
            <p className="mt-2 text-quiet" aria-live="polite">
              {pendingCount === 1
                ? '1 is waiting for your answer.'
                : `${pendingCount} are waiting for your answer.`}
            </p>
          ) : null}
        </div>
        {businesses.length > 1 ? (
          <SelectField
            label="Business"
            className="w-full sm:w-72"
            value={businessId}
            onChange={(event) =>
              void navigate(
                event.currentTarget.value === ALL ? '.' : `?business=${event.currentTarget.value}`,
                {
                  preventScrollReset: true,
                },
              )
            }
            options={[
              { value: ALL, label: 'All' },
              ...businesses.map(({ id, name: label }) => ({ value: id, label })),
            ]}
          />
        ) : null}
      </div>
      {businesses.length > 0 ? (
        <div className="mt-4">
          <BookingsTabs businessId={businesses.length > 1 && businessId !== ALL ? businessId : undefined} />
        </div>
      ) : null}

      {bookings.length === 0 ? (
        <EmptyState
          illustration={
            <Picture
              image={{
                url: href('/illustrations/:scene/:seed/:ratio?', {
                  scene: 'empty-bookings',
                  seed: 'dashboard',
                  ratio: '4x3',
                }),
                width: 960,
                height: 720,
                colour: null,
              }}
              alt=""
              sizes="280px"
              ratio="4 / 3"
            />
          }
          text={businessId === ALL ? NO_BOOKINGS_FOR_ANY : noBookingsFor(businessId)}
        />
      ) : (
        <>
          <div className="mt-6 mb-4 flex flex-wrap items-center gap-x-6 gap-y-4">
            <div className="-mx-(--gutter) max-w-[100vw] overflow-x-auto px-(--gutter) [scrollbar-width:none] sm:mx-0 sm:px-0">
              <SegmentedControl
                label="Status"
                name="status"
                options={STATUS_OPTIONS}
                value={status as (typeof STATUS_OPTIONS)[number]['value']}
                onChange={setStatus}
              />
            </div>
            <TextField
              label="Search by name"
              labelUnseen
              type="search"
              placeholder="Search by name"
              className="min-w-0 grow basis-40 sm:max-w-64"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button
              variant="quiet"
              className="ml-auto px-4"
              aria-label="Download CSV"
              icon={<Download aria-hidden="true" />}
              onClick={() => download(bookingsCsv(shown))}
            >
              <span className="hidden sm:inline">Download </span>CSV
            </Button>
          </div>
          {shown.length > 0 ? (
            <BookingList bookings={shown} graceMs={graceMs} showBusiness={businessId === ALL} />
          ) : (
            <EmptyState
              text="No booking fits this filter."
              action={
                <Button
                  onClick={() => {
                    setStatus('all')
                    setName('')
                  }}
                >
                  Show all
                </Button>
              }
            />
          )}
        </>
      )}
    </>
  )
}

/** Shown inside the frame, whose menu still works. */
export function ErrorBoundary() {
  return <BookingsFailure heading={YOUR_BOOKINGS} />
}

function download(csv: string) {
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'bookings.csv'
  link.click()
  URL.revokeObjectURL(url)
}
