import type { RouterContextProvider } from 'react-router'
import { hasEventEnded } from '../../features/bookings/decisions/rules.ts'
import { findBookingByLink } from '../../features/bookings/list/queries.server.ts'
import { isLinkToken } from '../../features/bookings/schema.ts'
import { isCalledOff } from '../../features/bookings/status-rules.ts'
import { findFirstPictures } from '../../features/businesses/queries.server.ts'
import { listAlternatives } from '../../features/reviews/alternative-queries.server.ts'
import { findReviewable } from '../../features/reviews/queries.server.ts'
import { listSaleDocuments } from '../../features/tax/queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { listOnwardOf } from '../onward.server.ts'

type Args = { params: { linkToken: string }; context: Readonly<RouterContextProvider> }

/** Finds a booking by its unguessable link. */
export async function findLinkedBooking({ params: { linkToken }, context }: Args) {
  return isLinkToken(linkToken) ? findBookingByLink(context.get(servicesContext).db, linkToken) : null
}

/** Loads what a booking's page shows: the booking with its picture and documents, and what to book instead if it is off. */
export async function loadBooking(args: Args) {
  const { linkToken } = args.params
  const { db, now, config } = args.context.get(servicesContext)
  const booking = await findLinkedBooking(args)
  if (!booking)
    return {
      ...{ booking, picture: null, documents: [], canReview: false, alternatives: [], onward: [] },
      now: now().toISOString(),
    }
  const { stored } = booking
  const isOff = stored.status === 'declined' && booking.cancellation !== null
  const [alternatives, onward, pictures, documents, reviewable] = await Promise.all([
    isOff ? listAlternatives(db, { ...stored, businessId: stored.vendorId }, now()) : [],
    isCalledOff(stored.status) ? listOnwardOf({ db, now, config }, stored, 'others') : [],
    findFirstPictures(db, [stored.vendorId]),
    listSaleDocuments(db, { linkToken }),
    hasEventEnded(booking.event, now())
      ? findReviewable(db, { by: { linkToken, userId: null }, now: now() })
      : null,
  ])
  const picture = pictures[stored.vendorId] ?? null
  const canReview = reviewable?.ok ?? false
  return { booking, picture, documents, canReview, alternatives, onward, now: now().toISOString() }
}
