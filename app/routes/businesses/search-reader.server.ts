import type { Database } from '../../adapters/database/port.ts'
import type { Search } from '../../features/search/schema.ts'
import type { Services } from '../../services.server.ts'
import { readOwnCookie, SIGNED_IN_COOKIE } from '../../shared/cookies.ts'

/**
 * Returns what runs the reads of a search: on the replica if there is one and the search has words. Other lists are
 * cached, and the triggers that drop a cached page don't wait for a replica. Those who may be signed in read the primary,
 * since they may look for what they have just changed.
 */
export function searchReader(
  { db, replica }: Pick<Services, 'db' | 'replica'>,
  request: Request,
  search: Search,
): <T>(work: (on: Database) => Promise<T>) => Promise<T> {
  const mayBeSignedIn = readOwnCookie(request.headers.get('cookie'), SIGNED_IN_COOKIE) !== null
  return replica && search.q !== '' && !mayBeSignedIn ? replica.read : (work) => work(db)
}
