import { formatMoney, type UnitPrice } from '../../shared/money.ts'
import { unitPriceText } from '../businesses/messages.ts'
import type { CommissionTerms } from '../ledger/rules.ts'
import { shareText } from '../terms/policy-messages.ts'
import { vendorShare } from './earning-rules.ts'

/** The rates of commission of one vendor's listings, in basis points. */
export type ListingRates = {
  /** The vendor's own, which comes before that of a category. */
  ofVendor: number | null
  ofCategories: Readonly<Record<string, number>>
  defaultBasisPoints: number
  isGstRegistered: boolean
}

/** The terms of commission for a listing of this category. @param category '' while none is chosen */
export function listingTerms(rates: ListingRates, category: string): CommissionTerms {
  return {
    basisPoints: rates.ofVendor ?? rates.ofCategories[category] ?? rates.defaultBasisPoints,
    isGstRegistered: rates.isGstRegistered,
  }
}

/**
 * 'You receive $40.95 of $45.50 per person. Our commission is 10%, GST included.'
 * @returns '' while no price is typed
 */
export function receiveText(prices: readonly UnitPrice[], terms: CommissionTerms): string {
  const shares = prices.map(
    ({ cents, unit }) =>
      `${formatMoney(vendorShare(cents, terms).yoursCents)} of ${unitPriceText(cents, unit)}`,
  )
  if (shares.length === 0) return ''
  const gst = terms.isGstRegistered ? ', GST included' : ''
  return `You receive ${shares.join(', or ')}. Our commission is ${shareText(terms.basisPoints)}${gst}.`
}
