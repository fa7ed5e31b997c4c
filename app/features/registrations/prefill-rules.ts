import { isBusinessEmail, isBusinessPhone } from './rules.ts'
import type { Registration } from './schema.ts'

/** The fields of a new registration that its form shows filled in. */
export type Prefill = Partial<Registration>

/**
 * Fills in a new registration from its owner's account and listing, so that no value is typed twice. The business name stays empty:
 * the register's counts, which a listing's name often isn't, and tax documents have it.
 * @param known.account the signed-in account
 * @param known.listing the vendor's first listing; null without one. `location` is its suburb and state
 * @returns only values that the form accepts; a suburb still needs its street
 */
export function prefillOf(known: {
  account: { displayName: string | null; email: string; phoneNumber: string | null }
  listing: { category: string; location: string } | null
}): Prefill {
  const { account, listing } = known
  const email = isBusinessEmail(account.email) ? account.email : ''
  const phone = account.phoneNumber && isBusinessPhone(account.phoneNumber) ? account.phoneNumber : ''
  const prefill: Prefill = {
    industryType: listing?.category ?? '',
    principalAddress: listing?.location ?? '',
    businessPhone: phone,
    businessEmail: email,
    ownerName: account.displayName ?? '',
    ownerPhone: phone,
    ownerEmail: email,
  }
  return Object.fromEntries(Object.entries(prefill).filter(([, value]) => value !== ''))
}
