import type { SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { data, href, Link, useFetcher, useNavigate } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { withNext } from '../../features/accounts/rules.ts'
import { TOO_MANY_WRITES_TEXT } from '../../features/accounts/wording.ts'
import {
  EMPTY_DRAFT,
  type ListingDraft,
  listingDraft,
  postedDraft,
} from '../../features/businesses/browser/listing-draft.ts'
import {
  changeListing,
  type ListingRefusal,
  publishListing,
} from '../../features/businesses/commands.server.ts'
import { ListingForm } from '../../features/businesses/components/listing-form.tsx'
import { ListingLoggedOut } from '../../features/businesses/components/listing-logged-out.tsx'
import {
  ambiguousPlaceText,
  EDIT_LISTING_TITLE,
  LISTED_TEXT,
  LISTING_CHANGED_TEXT,
  LISTING_CLOSES_AFTER_MS,
  LISTING_TOAST_LIFE_MS,
  LOG_IN_TO_LIST_TEXT,
  NEW_LISTING_TITLE,
  REQUIRED_FIELDS_TEXT,
  SUBMIT_FAILED_TEXT,
  TOO_MANY_IMAGES_TEXT,
  tooManyListingsText,
  UNKNOWN_IMAGE_TEXT,
  UNKNOWN_PLACE_TEXT,
} from '../../features/businesses/listing-wording.ts'
import { findOwnListing, type OwnListing } from '../../features/businesses/owner-queries.server.ts'
import { offeredBookingTypes } from '../../features/businesses/rules.ts'
import { hasMissingFields, listingSchema } from '../../features/businesses/schema.ts'
import { BUSINESS_NOT_FOUND_TEXT } from '../../features/businesses/wording.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { newId } from '../../shared/ids.ts'
import { toNumericString } from '../../shared/money.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CONNECTION_FAILED_TEXT, isConnectionFailure } from '../../ui/connection.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useAnswer } from '../../ui/use-answer.ts'
import { useLeaveWarning } from '../../ui/use-leave-warning.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/listing-form'

const formPath = (id: string | undefined) =>
  id ? href('/dashboard/list-business/:id/edit', { id }) : href('/dashboard/list-business/new')

export const meta: Route.MetaFunction = ({ params, matches }) =>
  privateMeta(params.id ? EDIT_LISTING_TITLE : NEW_LISTING_TITLE, matches[0]?.loaderData)

/** One module for both forms: with an id it edits that listing of the user's own, without one it makes a new one. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return data({ screen: 'logged-out' as const })
  const userId = session.user.uid
  if (!params.id) return data({ screen: 'form' as const, userId, listing: null })
  const listing = await findOwnListing(db, { userId, businessId: params.id, now: now() })
  return listing
    ? data({ screen: 'form' as const, userId, listing })
    : data({ screen: 'not-found' as const }, { status: 404 })
}

type Refusal = ListingRefusal | 'invalid_fields' | 'signed_out' | 'too_often' | 'not_reached' | 'failed'

/** The refusals that no single field can answer for. */
const PROBLEMS = {
  not_found: SUBMIT_FAILED_TEXT,
  not_reached: `${SUBMIT_FAILED_TEXT} ${CONNECTION_FAILED_TEXT}`,
  failed: SUBMIT_FAILED_TEXT,
  signed_out: LOG_IN_TO_LIST_TEXT,
  too_often: TOO_MANY_WRITES_TEXT,
  too_many_listings: null,
  invalid_fields: null,
  unknown_place: null,
  ambiguous_place: null,
  too_many_images: null,
  unknown_image: null,
} as const satisfies Record<Refusal, string | null>

const STATUSES = {
  not_found: 404,
  not_reached: 503,
  failed: 503,
  signed_out: 401,
  too_often: 429,
  too_many_listings: 409,
  invalid_fields: 400,
  unknown_place: 400,
  ambiguous_place: 400,
  too_many_images: 400,
  unknown_image: 404,
} as const satisfies Record<Refusal, number>

export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, files, config, now, rateLimits } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return refuse('signed_out')
  const userId = session.user.uid
  const submission = parseWithZod(await readForm(request, listingSchema), { schema: listingSchema })
  if (submission.status !== 'success') {
    const missing = hasMissingFields(submission.error ?? {})
    return refuse('invalid_fields', submission.reply(missing ? { formErrors: [REQUIRED_FIELDS_TEXT] } : {}))
  }
  if (!(await mayWrite(rateLimits, userId))) return refuse('too_often', submission.reply())
  const listing = submission.value
  const { brand, maxListings } = config
  const deps = { db, files, brand, maxListings, now }
  const outcome = params.id
    ? await changeListing(deps, { userId, businessId: params.id }, listing)
    : await publishListing(deps, userId, listing)
  if (outcome.ok) return data({ ok: true as const, id: outcome.id })
  const { reason } = outcome
  const fieldErrors = {
    not_found: {},
    unknown_place: { location: [UNKNOWN_PLACE_TEXT] },
    ambiguous_place: { location: [ambiguousPlaceText(listing.location)] },
    too_many_images: { images: [TOO_MANY_IMAGES_TEXT] },
    unknown_image: { images: [UNKNOWN_IMAGE_TEXT] },
  } as const satisfies Record<Exclude<ListingRefusal, 'too_many_listings'>, object>
  return refuse(
    reason,
    submission.reply(
      reason === 'too_many_listings'
        ? { formErrors: [tooManyListingsText(maxListings)] }
        : { fieldErrors: fieldErrors[reason] as never },
    ),
  )
}

function refuse(reason: Refusal, result?: SubmissionResult) {
  return data({ ok: false as const, reason, result }, { status: STATUSES[reason] })
}

/** A lost connection or a failure on our side is told in words; what was typed stays. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response) throw error
    return refuse(isConnectionFailure(error) ? 'not_reached' : 'failed')
  }
}

export default function ListingFormRoute({ loaderData, actionData, params }: Route.ComponentProps) {
  if (loaderData.screen === 'logged-out') return <ListingLoggedOut next={formPath(params.id)} />
  if (loaderData.screen === 'not-found') {
    return (
      <EmptyState
        text={BUSINESS_NOT_FOUND_TEXT}
        action={<ButtonLink to={href('/dashboard/list-business')}>Back to My Listings</ButtonLink>}
      />
    )
  }
  const { userId, listing } = loaderData
  if (actionData?.ok) {
    return (
      <EmptyState
        text={listing ? LISTING_CHANGED_TEXT : LISTED_TEXT}
        action={<ButtonLink to={href('/dashboard/list-business')}>Back to My Listings</ButtonLink>}
      />
    )
  }
  return <Screen key={params.id ?? 'new'} userId={userId} listing={listing} posted={actionData} />
}

function Screen({
  userId,
  listing,
  posted,
}: {
  userId: string
  listing: OwnListing | null
  /** The answer to a form that was sent without JavaScript. */
  posted: Route.ComponentProps['actionData']
}) {
  const businessId = listing?.id ?? null
  const version = listing?.updatedAt ?? ''
  // The page may load again at any time; what is being typed must not be taken for something that was kept.
  const store = useMemo(() => listingDraft({ userId, businessId, version }), [userId, businessId, version])
  const saved = useMemo(() => (listing ? toDraft(listing) : EMPTY_DRAFT), [listing])
  const [start, setStart] = useState(() => ({
    draft: posted && !posted.ok && posted.result ? postedDraft(posted.result.initialValue, saved) : saved,
    isKept: false,
  }))
  const [unsaved, setUnsaved] = useState(false)
  const [closing, setClosing] = useState(false)
  // Two presses with a lost answer in between make one listing.
  const [submitKey] = useState(() => newId())
  const fetcher = useFetcher<typeof clientAction>()
  const navigate = useNavigate()
  const toast = useToast()

  // What is kept is known in the browser alone, so it can only come after the first paint.
  useEffect(() => {
    const kept = store.read()
    if (!kept) return
    setStart({ draft: kept, isKept: true })
    setUnsaved(true)
  }, [store])

  const letGo = useLeaveWarning(unsaved && !closing, {
    title: 'Leave without saving?',
    body: listing
      ? 'Your changes stay in this tab, so you can come back to them. Customers still see the old listing.'
      : 'What you filled in stays in this tab, so you can come back to it. Nothing is listed yet.',
    confirmLabel: 'Leave',
    cancelLabel: 'Stay here',
  })
  const close = useCallback(() => {
    letGo()
    void navigate(href('/dashboard/list-business'), { replace: true })
  }, [letGo, navigate])

  const startAgain = () => {
    store.forget()
    setStart({ draft: saved, isKept: false })
    setUnsaved(false)
  }

  const answer = fetcher.data ?? posted
  useAnswer(fetcher, ({ ok }) => {
    if (!ok) return
    store.forget()
    setClosing(true)
    toast({
      type: 'success',
      text: listing ? LISTING_CHANGED_TEXT : LISTED_TEXT,
      lifeMs: LISTING_TOAST_LIFE_MS,
    })
  })
  useEffect(() => {
    if (!closing) return
    const timer = setTimeout(close, LISTING_CLOSES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [closing, close])

  const pending = fetcher.state !== 'idle'
  return (
    <div className="max-w-column">
      <h1 className="text-3xl md:text-4xl">{listing ? EDIT_LISTING_TITLE : NEW_LISTING_TITLE}</h1>
      {start.isKept ? (
        <div className="mt-5">
          <Banner
            action={
              <Button size="small" onClick={startAgain}>
                {listing ? 'Discard it' : 'Start again'}
              </Button>
            }
          >
            <p role="status">This is what you had filled in before. It isn’t saved yet.</p>
          </Banner>
        </div>
      ) : null}
      <div className="mt-8">
        <ListingForm
          key={start.isKept ? 'kept' : 'fresh'}
          start={start.draft}
          unpricedUnit={listing?.unpricedUnit ?? null}
          submitLabel={listing ? 'Update' : 'Submit'}
          lastResult={answer && !answer.ok ? answer.result : undefined}
          problem={
            pending || !answer || answer.ok || !PROBLEMS[answer.reason] ? null : (
              <Problem reason={answer.reason} id={listing?.id} />
            )
          }
          pending={pending}
          closing={closing}
          onTyped={(draft) => {
            if (closing) return
            setUnsaved(true)
            store.keep(draft)
          }}
          onSubmit={(form) => {
            if (!listing) form.set('submitKey', submitKey)
            void fetcher.submit(form, { method: 'post' })
          }}
          // What was typed is kept: a press beside Submit must not cost an hour's work.
          onCancel={close}
        />
      </div>
    </div>
  )
}

/** What no field can answer for. Whoever is no longer signed in finds everything as it was after signing in. */
function Problem({ reason, id }: { reason: Refusal; id: string | undefined }) {
  if (reason !== 'signed_out') return PROBLEMS[reason]
  return (
    <>
      {PROBLEMS[reason]}{' '}
      <Link className="link" to={withNext(href('/login'), formPath(id))}>
        Log In
      </Link>
    </>
  )
}

function toDraft(listing: OwnListing): ListingDraft {
  return {
    name: listing.name,
    category: listing.category,
    description: listing.description,
    price: listing.price,
    priceUnit: listing.priceUnit,
    secondPrice: listing.secondPrice ? toNumericString(listing.secondPrice.cents) : '',
    location: listing.location,
    servicesOffered: listing.servicesOffered.join(', '),
    bookingTypes: offeredBookingTypes(listing),
    images: listing.pictures.map((image) => ({ image, isNew: false })),
  }
}
