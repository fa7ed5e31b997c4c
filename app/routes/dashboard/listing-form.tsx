import type { SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { data } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { vendorAgreement } from '../../features/agreements/text-queries.server.ts'
import {
  changeListing,
  type ListingRefusal,
  publishListing,
} from '../../features/businesses/commands.server.ts'
import {
  ambiguousPlaceText,
  EDIT_LISTING_TITLE,
  NEW_LISTING_TITLE,
  REQUIRED_FIELDS_TEXT,
  TOO_MANY_IMAGES_TEXT,
  tooManyListingsText,
  UNKNOWN_IMAGE_TEXT,
  UNKNOWN_PLACE_TEXT,
} from '../../features/businesses/listing-messages.ts'
import { findOwnListing } from '../../features/businesses/owner-queries.server.ts'
import { hasMissingFields, listingSchema } from '../../features/businesses/schema.ts'
import {
  type ListingAnswer,
  type ListingFormRefusal,
  ListingFormScreen,
} from '../../features/businesses/screens/listing-form-screen.tsx'
import { vendorShare } from '../../features/payouts/earning-rules.ts'
import { findListingRates } from '../../features/payouts/rate-queries.server.ts'
import { listingTerms, receiveText } from '../../features/payouts/rate-rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { actionFailure } from '../../ui/action-failure.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/listing-form'

export const meta: Route.MetaFunction = ({ params, matches }) =>
  privateMeta(params.id ? EDIT_LISTING_TITLE : NEW_LISTING_TITLE, matches[0]?.loaderData)

/** One module for both forms: with an id it edits that listing of the user's own, otherwise it creates a new one. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return data({ screen: 'logged-out' as const })
  const userId = session.user.uid
  const rates =
    config.payouts.provider === 'off'
      ? null
      : await findListingRates(db, {
          vendorUserId: userId,
          at: now(),
          defaultBasisPoints: config.commissionBasisPoints,
          isGstRegistered: config.platform.isGstRegistered,
        })
  const times = { delayMs: config.payoutDelayMs, holdLimitMs: config.holdLimitMs }
  const payouts = rates && { rates, times }
  if (!params.id) return data({ screen: 'form' as const, userId, listing: null, payouts })
  const listing = await findOwnListing(db, { userId, businessId: params.id, now: now() })
  return listing
    ? data({ screen: 'form' as const, userId, listing, payouts })
    : data({ screen: 'not-found' as const }, { status: 404 })
}

const STATUSES = {
  not_found: 404,
  not_reached: 503,
  failed: 503,
  signed_out: 401,
  changed_meanwhile: 409,
  too_often: 429,
  too_many_listings: 409,
  invalid_fields: 400,
  unknown_place: 400,
  ambiguous_place: 400,
  too_many_images: 400,
  unknown_image: 404,
} as const satisfies Record<ListingFormRefusal, number>

export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, jobs, config, now, rateLimits } = context.get(servicesContext)
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
  const deps = { db, jobs, brand, maxListings, now }
  const outcome = params.id
    ? await changeListing(deps, { userId, businessId: params.id }, listing)
    : await publishListing(deps, userId, listing)
  if (outcome.ok) {
    const agreement = outcome.isWaiting ? vendorAgreement(config.platform) : null
    return data<ListingAnswer>({ ok: true, id: outcome.id, agreement })
  }
  const { reason } = outcome
  const fieldErrors = {
    not_found: {},
    changed_meanwhile: {},
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
    outcome.version,
  )
}

function refuse(reason: ListingFormRefusal, result?: SubmissionResult, version?: string) {
  return data<ListingAnswer>({ ok: false, reason, result, version }, { status: STATUSES[reason] })
}

/** Reports a lost connection or a server failure as a message; the typed values stay. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch (error) {
    return refuse(actionFailure(error))
  }
}

export default function ListingFormRoute({ loaderData, actionData, params }: Route.ComponentProps) {
  const payouts = loaderData.screen === 'form' ? loaderData.payouts : null
  return (
    <ListingFormScreen
      shown={loaderData}
      posted={actionData}
      id={params.id}
      payouts={
        payouts && {
          times: payouts.times,
          receiveText: (category, prices) => receiveText(prices, listingTerms(payouts.rates, category)),
          shareOf: (category, cents) => vendorShare(cents, listingTerms(payouts.rates, category)).yoursCents,
        }
      }
    />
  )
}
