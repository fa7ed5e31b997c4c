import { MINUTE_MS } from '../../../shared/time-units.ts'
import type { Database } from '../../database/port.ts'
import type { RateLimits } from '../../rate-limits/port.ts'
import type { AccountRefusal, AccountSession, Proofs } from '../port.ts'
import type { SharedSessions } from '../sessions.server.ts'
import { beginPasskeyProof, finishPasskeyProof } from './passkey-proofs.server.ts'
import type { PasswordChecks } from './password-checks.server.ts'
import { type FactorChecks, takeCodeTry, toDigits } from './second-factor.server.ts'

/** How long a proof is enough for sensitive acts. */
const PROOF_LIFE_MS = 10 * MINUTE_MS

const CODE = /^\d{6}$/

type Deps = {
  db: Database
  publicUrl: URL
  sessions: Pick<SharedSessions, 'findSession' | 'knownSession'>
  checks: Pick<PasswordChecks, 'checkOwnPassword' | 'refuseProof'>
  factorChecks: Pick<FactorChecks, 'findRow' | 'spendCode'>
  rateLimits: RateLimits
  now: () => Date
}

/** Proofs by password, code or passkey. A session's start is its first proof. */
export function createProofs(deps: Deps): Proofs {
  const { db, sessions, now } = deps
  return {
    async isDue(request, { needsFactor }) {
      const session = await sessions.knownSession(request)
      if (!session) return true
      const row = await db
        .selectFrom('sessions')
        .select(['created_at', 'proved_at', 'factor_proved_at'])
        .where('id', '=', session.id)
        .executeTakeFirst()
      if (!row) return true
      const provedAt = (await isFactorAsked(deps, session, needsFactor))
        ? row.factor_proved_at
        : (row.proved_at ?? row.created_at)
      return !provedAt || now().getTime() - provedAt.getTime() > PROOF_LIFE_MS
    },

    async prove(request, { proof, needsFactor }) {
      const session = await sessions.findSession(request)
      if (!session) return { ok: false, reason: 'user-token-expired' }
      const isCode = await isRightCode(deps, session, proof)
      // A password may consist of six digits, too.
      if (!isCode) {
        if (await isFactorAsked(deps, session, needsFactor))
          return deps.checks.refuseProof(request, session.user.uid, 'multi-factor-auth-required')
        const checked = await deps.checks.checkOwnPassword(request, proof)
        if (!checked.ok) return checked
      }
      return noteProof(deps, session, { isStrong: isCode })
    },

    async findWays(request) {
      const session = await sessions.knownSession(request)
      if (!session) return { hasPasskey: false, hasFactor: false }
      const row = await db
        .selectFrom('passkeys')
        .select('id')
        .where('user_id', '=', session.user.uid)
        .limit(1)
        .executeTakeFirst()
      return { hasPasskey: row !== undefined, hasFactor: await isFactorAsked(deps, session, true) }
    },

    async beginByPasskey(request) {
      const session = await sessions.findSession(request)
      return session ? beginPasskeyProof(deps, session) : { ok: false, reason: 'user-token-expired' }
    },

    async proveByPasskey(request, { response }) {
      const session = await sessions.findSession(request)
      if (!session) return { ok: false, reason: 'user-token-expired' }
      const reason = await finishPasskeyProof(deps, session, response)
      if (reason) return deps.checks.refuseProof(request, session.user.uid, reason)
      return noteProof(deps, session, { isStrong: true })
    },
  }
}

/** Whether an act takes only a second factor of this account, because it has one. */
async function isFactorAsked(
  { factorChecks }: Deps,
  { user }: AccountSession,
  needsFactor: boolean,
): Promise<boolean> {
  return needsFactor && (await factorChecks.findRow(user.uid))?.verified === true
}

/**
 * Refuses a session that has ended since the proof began.
 * @param proof.isStrong whether it was a second factor, or a passkey, which is two in one
 */
async function noteProof(
  { db, now }: Deps,
  { id }: AccountSession,
  proof: { isStrong: boolean },
): Promise<{ ok: true; cookies: string[] } | AccountRefusal> {
  const at = now()
  const proved = proof.isStrong ? { proved_at: at, factor_proved_at: at, is_strong: true } : { proved_at: at }
  const row = await db
    .updateTable('sessions')
    .set(proved)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row ? { ok: true, cookies: [] } : { ok: false, reason: 'user-token-expired' }
}

async function isRightCode(deps: Deps, session: AccountSession, proof: string): Promise<boolean> {
  const code = toDigits(proof)
  if (!CODE.test(code)) return false
  const tried = await takeCodeTry(deps, session)
  if (!tried || !(await deps.factorChecks.spendCode(session.user.uid, code))) return false
  await tried.wasRight()
  return true
}
