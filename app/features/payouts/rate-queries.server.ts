import type { Database } from '../../adapters/database/port.ts'
import type { ListingRates } from './rate-rules.ts'

/**
 * The rates of commission that apply to a vendor's listings now, as `findCommissionRate` would return them.
 * @param input.defaultBasisPoints where no rate is set for the vendor or the category
 */
export async function findListingRates(
  db: Database,
  input: { vendorUserId: string; at: Date; defaultBasisPoints: number; isGstRegistered: boolean },
): Promise<ListingRates> {
  const rows = await db
    .selectFrom('commission_rates')
    .select(['vendor_user_id', 'category', 'basis_points'])
    .where((eb) => eb.or([eb('vendor_user_id', '=', input.vendorUserId), eb('category', 'is not', null)]))
    .where('valid_from', '<=', input.at)
    .orderBy('valid_from')
    .execute()
  // A later row replaces an earlier one.
  return {
    ofVendor: rows.findLast((row) => row.vendor_user_id !== null)?.basis_points ?? null,
    ofCategories: Object.fromEntries(
      rows.flatMap((row) => (row.category === null ? [] : [[row.category, row.basis_points]])),
    ),
    defaultBasisPoints: input.defaultBasisPoints,
    isGstRegistered: input.isGstRegistered,
  }
}
