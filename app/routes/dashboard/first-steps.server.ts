import { href } from 'react-router'
import { listBusinessesWithHours } from '../../features/availability/hours-queries.server.ts'
import type { SharedPage } from '../../features/businesses/components/listing-steps.tsx'
import type { FirstStepFacts } from '../../features/businesses/first-step-rules.ts'
import type { OwnListing } from '../../features/businesses/owner-queries.server.ts'
import { findSetupState } from '../../features/payouts/setup-queries.server.ts'
import { isSetUp } from '../../features/payouts/setup-rules.ts'
import { isRegistered } from '../../features/registrations/queries.server.ts'
import type { Services } from '../../services.server.ts'
import { drawQrCode } from '../../shared/qr-code.server.ts'
import { payoutProviderOf } from './payouts-on.server.ts'

type Vendor = { userId: string; listings: readonly OwnListing[] }

/** How far a new vendor is, without their bookings. */
export async function findStepFacts(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  { userId, listings }: Vendor,
): Promise<Omit<FirstStepFacts, 'isBooked'>> {
  const ids = listings.map(({ id }) => id)
  const provider = payoutProviderOf(config)
  const [withHours, registered, setup] = await Promise.all([
    listBusinessesWithHours(db, ids),
    isRegistered(db, userId),
    provider && findSetupState(db, { userId, provider, now: now() }),
  ])
  return {
    hasListing: listings.length > 0,
    hasHours: withHours.size > 0,
    isPaid: setup && isSetUp(setup.state),
    isRegistered: registered,
  }
}

/** The page that a vendor shares: their first public listing's; null without one. */
export function sharedPageOf(
  { config }: Pick<Services, 'config'>,
  listings: Vendor['listings'],
): SharedPage | null {
  const listing = listings.findLast(({ hidden }) => hidden === null)
  if (!listing) return null
  const address = new URL(href('/business/:id', { id: listing.id }), config.publicUrl).href
  return { id: listing.id, address, qr: drawQrCode(address) }
}
