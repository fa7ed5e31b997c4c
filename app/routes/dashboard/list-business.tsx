import { useEffect } from 'react'
import { data, href, useFetcher, useRevalidator } from 'react-router'
import { z } from 'zod'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { useAuth } from '../../features/accounts/components/auth-context.tsx'
import { TOO_MANY_WRITES_TEXT } from '../../features/accounts/wording.ts'
import { countOpenBookings } from '../../features/bookings/queries.server.ts'
import { removeListing, showListing } from '../../features/businesses/commands.server.ts'
import { ListingCard } from '../../features/businesses/components/listing-card.tsx'
import { ListingLoggedOut } from '../../features/businesses/components/listing-logged-out.tsx'
import {
  DELETE_FAILED_TEXT,
  DELETE_QUESTION,
  LIST_BUTTON_TEXT,
  LISTING_TOAST_LIFE_MS,
  LISTINGS_HEADING,
  NO_LISTINGS_TEXT,
  openBookingsText,
} from '../../features/businesses/listing-wording.ts'
import { listOwnListings, type OwnListing } from '../../features/businesses/owner-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CONNECTION_FAILED_TEXT, isConnectionFailure } from '../../ui/connection.ts'
import { useDialogs } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Picture } from '../../ui/picture.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useAnswer } from '../../ui/use-answer.ts'
import { findSession } from '../require-session.server.ts'
import { siteImage } from '../site/site-image.server.ts'
import type { Route } from './+types/list-business'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('My Listings', matches[0]?.loaderData)

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const session = await findSession({ request, context })
  const picture = siteImage('empty-listings', 'my-listings', '4x3')
  if (!session) return { listings: null, picture }
  const listings = await listOwnListings(db, session.user.uid, now())
  const open = await countOpenBookings(
    db,
    listings.map(({ id }) => id),
    now(),
  )
  return {
    listings: listings.map((listing) => ({ ...listing, openBookings: open.get(listing.id) ?? 0 })),
    picture,
  }
}

const steps = z.object({ intent: z.enum(['delete', 'show']), businessId: z.string().min(1).max(120) })

type Refusal =
  | 'signed_out'
  | 'too_often'
  | 'not_a_step'
  | 'not_found'
  | 'hidden_by_operator'
  | 'not_reached'
  | 'failed'

const STATUSES = {
  signed_out: 401,
  too_often: 429,
  not_a_step: 400,
  not_found: 404,
  hidden_by_operator: 409,
  not_reached: 503,
  failed: 503,
} as const satisfies Record<Refusal, number>

type Answer =
  | { ok: true; outcome: 'deleted' | 'shown' }
  | { ok: true; outcome: 'hidden'; openBookings: number }
  | { ok: false; intent: 'delete' | 'show'; reason: Refusal }

export async function action({ request, context }: Route.ActionArgs) {
  const { db, files, config, now, rateLimits } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return refuse('delete', 'signed_out')
  const step = steps.safeParse(Object.fromEntries(await readForm(request, steps)))
  if (!step.success) return refuse('delete', 'not_a_step')
  const { intent, businessId } = step.data
  if (!(await mayWrite(rateLimits, session.user.uid))) return refuse(intent, 'too_often')
  const deps = { db, files, brand: config.brand, now, countOpenBookings }
  const input = { userId: session.user.uid, businessId }
  if (intent === 'show') {
    const outcome = await showListing(deps, input)
    return outcome.ok ? data<Answer>({ ok: true, outcome: 'shown' }) : refuse(intent, outcome.reason)
  }
  const outcome = await removeListing(deps, input)
  return outcome.ok ? data<Answer>(outcome) : refuse(intent, outcome.reason)
}

function refuse(intent: 'delete' | 'show', reason: Refusal) {
  return data<Answer>({ ok: false, intent, reason }, { status: STATUSES[reason] })
}

/** A lost connection or a failure on our side is told in words; the list stays as it is. */
export async function clientAction({ serverAction, request }: Route.ClientActionArgs) {
  const isShow = (await request.clone().formData()).get('intent') === 'show'
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response) throw error
    return refuse(isShow ? 'show' : 'delete', isConnectionFailure(error) ? 'not_reached' : 'failed')
  }
}

export default function ListBusiness({ loaderData }: Route.ComponentProps) {
  const { listings, picture } = loaderData
  useEndOfSession(listings !== null)
  if (!listings) return <ListingLoggedOut next={href('/dashboard/list-business')} />
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
        <h1 className="text-3xl md:text-4xl">{LISTINGS_HEADING}</h1>
        <ButtonLink variant="primary" to={href('/dashboard/list-business/new')}>
          {LIST_BUTTON_TEXT}
        </ButtonLink>
      </div>
      {listings.length === 0 ? (
        <EmptyState
          illustration={<Picture image={picture} alt="" sizes="280px" ratio="4 / 3" />}
          text={NO_LISTINGS_TEXT}
        />
      ) : (
        <ul className="mt-8 border-b border-line">
          {listings.map((listing) => (
            <li key={listing.id}>
              <Listing listing={listing} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Signing out, here or in another tab, is noticed: the loader then says what this screen shows (Decision 15). */
function useEndOfSession(isShown: boolean) {
  const { user, loading } = useAuth()
  const { revalidate } = useRevalidator()
  const isGone = isShown && !loading && !user
  useEffect(() => {
    if (isGone) void revalidate()
  }, [isGone, revalidate])
}

function Listing({ listing }: { listing: OwnListing & { openBookings: number } }) {
  const fetcher = useFetcher<typeof clientAction>()
  const dialogs = useDialogs()
  const toast = useToast()
  const { revalidate } = useRevalidator()
  const pending = fetcher.state !== 'idle'

  const send = async (intent: 'delete' | 'show') => {
    await fetcher.submit({ intent, businessId: listing.id }, { method: 'post' })
  }
  const remove = async () => {
    const agreed = await dialogs.confirm({
      title: DELETE_QUESTION,
      body: listing.openBookings > 0 ? openBookingsText(listing.openBookings) : listing.name,
      confirmLabel: listing.openBookings > 0 ? 'Hide' : 'Delete',
      danger: true,
    })
    if (agreed) await send('delete')
  }

  useAnswer<Answer>(fetcher, (answer) => {
    if (answer.ok) {
      if (answer.outcome === 'hidden') void dialogs.alert(openBookingsText(answer.openBookings))
      if (answer.outcome === 'shown') {
        toast({ type: 'success', text: 'Customers see it again.', lifeMs: LISTING_TOAST_LIFE_MS })
      }
      return
    }
    // A refused step loads nothing again by itself, and these two mean that the list is no longer so.
    if (answer.reason === 'signed_out' || answer.reason === 'not_found') void revalidate()
    const cause = answer.reason === 'not_reached' ? ` ${CONNECTION_FAILED_TEXT}` : ''
    if (answer.reason === 'too_often') void dialogs.alert(TOO_MANY_WRITES_TEXT)
    else if (answer.intent === 'delete') void dialogs.alert(DELETE_FAILED_TEXT + cause)
    else toast({ type: 'error', text: `It is still hidden. Please try again.${cause}` })
  })

  return (
    <ListingCard
      listing={listing}
      pending={pending}
      onDelete={() => void remove()}
      onShow={() => void send('show')}
    />
  )
}
