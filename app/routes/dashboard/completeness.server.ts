import { listBusinessesWithHours } from '../../features/availability/hours-queries.server.ts'
import { completenessOf } from '../../features/businesses/completeness-rules.ts'
import type { OwnListing } from '../../features/businesses/owner-queries.server.ts'
import { findPayoutAccount } from '../../features/payouts/queries.server.ts'
import type { Services } from '../../services.server.ts'

/** Adds to a vendor's listings how complete each is. */
export async function withCompleteness<Listing extends OwnListing>(
  { db, config }: Pick<Services, 'db' | 'config'>,
  userId: string,
  listings: readonly Listing[],
) {
  const { provider } = config.payouts
  const [withHours, account] = await Promise.all([
    listBusinessesWithHours(
      db,
      listings.map(({ id }) => id),
    ),
    provider === 'off' ? null : findPayoutAccount(db, { userId, provider }),
  ])
  const canBePaid = provider === 'off' ? null : account?.state === 'active'
  return listings.map((listing) => ({
    ...listing,
    completeness: completenessOf({ ...listing, hasHours: withHours.has(listing.id), canBePaid }),
  }))
}
