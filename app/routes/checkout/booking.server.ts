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
  const isOff = booking?.stored.status === 'declined' && booking.cancellation !== null
  const alternatives = isOff
    ? await listAlternatives(db, { ...booking.stored, businessId: booking.stored.vendorId }, now())
    : []
  const hasEnded = booking !== null && isCalledOff(booking.stored.status)
  const onward = hasEnded ? await listOnwardOf({ db, now, config }, booking.stored, 'others') : []
  const pictures = booking ? await findFirstPictures(db, [booking.stored.vendorId]) : {}
  const picture = (booking && pictures[booking.stored.vendorId]) ?? null
  const documents = booking ? await listSaleDocuments(db, { linkToken }) : []
  const isOver = booking !== null && hasEventEnded(booking.event, now())
  const canReview = isOver && (await findReviewable(db, { by: { linkToken, userId: null }, now: now() })).ok
  return { booking, picture, documents, canReview, alternatives, onward, now: now().toISOString() }
}
