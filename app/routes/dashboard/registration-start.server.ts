import type { AccountUser } from '../../adapters/accounts/port.ts'
import { listOwnListings } from '../../features/businesses/owner-queries.server.ts'
import { prefillOf } from '../../features/registrations/prefill-rules.ts'
import type { Services } from '../../services.server.ts'
import { wallTimeAt } from '../../shared/dates.ts'

/** The first zone in which a new day begins. */
export const FIRST_ZONE = 'Australia/Sydney'

/** The start of a new registration's form: the latest date of birth, and values from the account and the first listing. */
export async function findRegistrationStart({ db, now }: Pick<Services, 'db' | 'now'>, account: AccountUser) {
  const listings = await listOwnListings(db, account.uid, now())
  return {
    today: wallTimeAt(now(), FIRST_ZONE).date,
    prefill: prefillOf({ account, listing: listings.at(-1) ?? null }),
    hasListings: listings.length > 0,
  }
}
