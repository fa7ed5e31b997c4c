import type { AccountRefusal, AccountSession, Proofs } from '../port.ts'
import type { SharedSessions } from '../sessions.server.ts'

/**
 * Finds the session of a person who changes how their account signs in. With a second factor only that one counts as
 * their proof: the password alone could otherwise remove what protects against a stolen password.
 */
export async function findProvedSession(
  { proofs, sessions }: { proofs: Pick<Proofs, 'isDue'>; sessions: Pick<SharedSessions, 'findSession'> },
  request: Request,
): Promise<{ ok: true; session: AccountSession } | AccountRefusal> {
  const session = await sessions.findSession(request)
  if (!session) return { ok: false, reason: 'user-token-expired' }
  const isDue = await proofs.isDue(request, { needsFactor: true })
  return isDue ? { ok: false, reason: 'requires-recent-login' } : { ok: true, session }
}
