import { useEffect } from 'react'
import { href, Link, useFetcher, useLocation, useNavigate, useRevalidator } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { CONNECTION_FAILED_TEXT } from '../../../ui/connection.ts'
import { useDialogs } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { Picture, type PictureImage } from '../../../ui/picture.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { useMounted } from '../../../ui/use-mounted.ts'
import { useAuth } from '../../accounts/components/auth-context.tsx'
import { TOO_MANY_WRITES_TEXT } from '../../accounts/messages.ts'
import { readListed } from '../browser/listed-handoff.ts'
import type { Completeness } from '../completeness-rules.ts'
import { ListingCard } from '../components/listing-card.tsx'
import { ListingLoggedOut } from '../components/listing-logged-out.tsx'
import { stepPath } from '../components/listing-steps.tsx'
import { SharePage } from '../components/share-page.tsx'
import type { FactLine } from '../fact-messages.ts'
import { FIRST_STEPS } from '../first-step-messages.ts'
import type { FirstStepKey } from '../first-step-rules.ts'
import {
  DELETE_FAILED_TEXT,
  DELETE_QUESTION,
  HIDDEN_INSTEAD_TEXT,
  HIDE_QUESTION,
  LIST_BUTTON_TEXT,
  LISTING_TOAST_LIFE_MS,
  LISTINGS_HEADING,
  NEXT_STEPS_TITLE,
  NO_LISTINGS_TEXT,
  NOW_LISTED_TEXT,
  openBookingsText,
  PAGE_LIVE_TITLE,
  SEE_PAGE_TEXT,
} from '../listing-messages.ts'
import type { OwnListing } from '../owner-queries.server.ts'
import { PREFILLED_PUBLISHED_TEXT } from '../prefilled-messages.ts'
import type { ListingIntent, ListingStepAnswer } from '../schema.ts'

type OwnListingWithBookings = OwnListing & {
  openBookings: number
  completeness: Completeness
  /** Facts that our form had filled in, and that the vendor hasn't confirmed. */
  prefilled: readonly FactLine[]
}

/**
 * My Listings (Specification, section 2): a vendor's businesses, with the actions to edit, show and delete them.
 * @param listings null without a session
 * @param nextSteps of a new vendor, shown beside a listing that was just published
 * @param picture shown while there are no listings
 */
export function MyListingsScreen({
  listings,
  nextSteps,
  picture,
}: {
  listings: readonly OwnListingWithBookings[] | null
  nextSteps: readonly NextStep[]
  picture: PictureImage
}) {
  useEndOfSession(listings !== null)
  const box = useKeptFocus<HTMLDivElement>()
  const { state } = useLocation()
  // The server can't see navigation state, which a reload keeps.
  const listedId = useMounted() ? readListed(state) : null
  if (!listings) return <ListingLoggedOut next={href('/dashboard/list-business')} />
  const live = listings.find(({ id, hidden }) => id === listedId && !hidden)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
        <h1 className="text-3xl md:text-4xl">{LISTINGS_HEADING}</h1>
        <ButtonLink variant="primary" to={href('/dashboard/list-business/new')}>
          {LIST_BUTTON_TEXT}
        </ButtonLink>
      </div>
      {live ? <PageIsLive id={live.id} nextSteps={nextSteps} /> : null}
      <div ref={box}>
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
      </div>
    </>
  )
}

type NextStep = Exclude<FirstStepKey, 'share'>

/** The banner right after publishing: the page to share, and the two most important steps. */
function PageIsLive({ id, nextSteps }: { id: string; nextSteps: readonly NextStep[] }) {
  const path = href('/business/:id', { id })
  return (
    <div className="mt-6">
      <Banner
        tone="glow"
        title={PAGE_LIVE_TITLE}
        action={
          <ButtonLink size="small" to={path}>
            {SEE_PAGE_TEXT}
          </ButtonLink>
        }
      >
        {NOW_LISTED_TEXT}
        <div className="mt-3 max-w-column">
          {/* Shown only after publishing, never by the server. */}
          <SharePage address={new URL(path, window.location.origin).href} qr={null} />
        </div>
        {nextSteps.length > 0 ? (
          <>
            <p className="mt-4 font-semibold">{NEXT_STEPS_TITLE}</p>
            <ol className="mt-1 grid gap-1">
              {nextSteps.map((key) => (
                <li key={key}>
                  <Link className="link inline-flex min-h-11 items-center" to={stepPath(key, 'listings')}>
                    {FIRST_STEPS[key].title}
                  </Link>
                  <span className="block text-sm text-quiet">{FIRST_STEPS[key].text}</span>
                </li>
              ))}
            </ol>
          </>
        ) : null}
      </Banner>
    </div>
  )
}

/** Reloads the screen once the user has signed out, here or in another tab (Decision 15). */
function useEndOfSession(isShown: boolean) {
  const { user, loading } = useAuth()
  const { revalidate } = useRevalidator()
  const isGone = isShown && !loading && !user
  useEffect(() => {
    if (isGone) void revalidate()
  }, [isGone, revalidate])
}

function Listing({ listing }: { listing: OwnListingWithBookings }) {
  const fetcher = useFetcher<ListingStepAnswer>()
  const dialogs = useDialogs()
  const toast = useToast()
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const pending = fetcher.state !== 'idle'

  const send = async (intent: ListingIntent) => {
    await fetcher.submit({ intent, businessId: listing.id }, { method: 'post' })
  }
  const remove = async () => {
    // The count is as old as the page, so what was agreed to is sent.
    const mustHide = listing.openBookings > 0
    const agreed = await dialogs.confirm({
      title: mustHide ? HIDE_QUESTION : DELETE_QUESTION,
      body: mustHide ? openBookingsText(listing.openBookings) : listing.name,
      confirmLabel: mustHide ? 'Hide' : 'Delete',
      danger: true,
    })
    if (agreed) await send(mustHide ? 'hide' : 'delete')
  }

  useAnswer<ListingStepAnswer>(fetcher, (answer) => {
    if (answer.ok) {
      if (answer.outcome === 'hidden') {
        const { openBookings } = answer
        void dialogs.alert(openBookings > 0 ? openBookingsText(openBookings) : HIDDEN_INSTEAD_TEXT)
      }
      if (answer.outcome === 'facts') {
        toast({ type: 'success', text: PREFILLED_PUBLISHED_TEXT, lifeMs: LISTING_TOAST_LIFE_MS })
      }
      // Showing it again needs the agreement first.
      if (answer.outcome === 'waiting') void navigate(href('/dashboard/agreement'))
      if (answer.outcome === 'shown') {
        toast({ type: 'success', text: 'Customers see it again.', lifeMs: LISTING_TOAST_LIFE_MS })
      }
      return
    }
    // A refused action doesn't revalidate, and these two reasons mean that the list is stale.
    if (answer.reason === 'signed_out' || answer.reason === 'not_found') void revalidate()
    const cause = answer.reason === 'not_reached' ? ` ${CONNECTION_FAILED_TEXT}` : ''
    if (answer.reason === 'too_often') void dialogs.alert(TOO_MANY_WRITES_TEXT)
    else if (answer.intent === 'publish-facts' || answer.intent === 'drop-facts')
      toast({ type: 'error', text: `It’s not saved. Please try again.${cause}` })
    else if (answer.intent !== 'show') void dialogs.alert(DELETE_FAILED_TEXT + cause)
    else toast({ type: 'error', text: `It’s still hidden. Please try again.${cause}` })
  })

  return (
    <ListingCard
      listing={listing}
      pending={pending}
      onDelete={() => void remove()}
      onShow={() => void send('show')}
      onFacts={(isRight) => void send(isRight ? 'publish-facts' : 'drop-facts')}
    />
  )
}
