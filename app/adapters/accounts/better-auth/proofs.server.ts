import type { Database } from '../../database/port.ts'
import type { RateLimits } from '../../rate-limits/port.ts'
import type { AccountSession, Proofs } from '../port.ts'
import type { SharedSessions } from '../sessions.server.ts'
import type { PasswordChecks } from './password-checks.server.ts'
import { type FactorChecks, takeCodeTry, toDigits } from './second-factor.server.ts'

/** How long a proof is enough for sensitive acts. */
const PROOF_LIFE_MS = 10 * 60_000

const CODE = /^\d{6}$/

type Deps = {
  db: Database
  sessions: Pick<SharedSessions, 'findSession'>
  checks: Pick<PasswordChecks, 'checkOwnPassword' | 'refuseProof'>
  factorChecks: FactorChecks
  rateLimits: RateLimits
  now: () => Date
}

/** Proofs by password or code. A session's start is its first proof. */
export function createProofs(deps: Deps): Proofs {
  const { db, sessions, now } = deps
  return {
    async isDue(request) {
      const session = await sessions.findSession(request)
      if (!session) return true
      const row = await db
        .selectFrom('sessions')
        .select(['created_at', 'proved_at'])
        .where('id', '=', session.id)
        .executeTakeFirst()
      if (!row) return true
      const provedAt = row.proved_at ?? row.created_at
      return now().getTime() - provedAt.getTime() > PROOF_LIFE_MS
    },

    async prove(request, { proof, needsFactor }) {
      const session = await sessions.findSession(request)
      if (!session) return { ok: false, reason: 'user-token-expired' }
      const isCode = await isRightCode(deps, session, proof)
      // A password may consist of six digits, too.
      if (!isCode) {
        const factor = needsFactor ? await deps.factorChecks.findRow(session.user.uid) : undefined
        if (factor?.verified)
          return deps.checks.refuseProof(request, session.user.uid, 'multi-factor-auth-required')
        const checked = await deps.checks.checkOwnPassword(request, proof)
        if (!checked.ok) return checked
      }
      const proved = isCode ? { proved_at: now(), is_strong: true } : { proved_at: now() }
      await db.updateTable('sessions').set(proved).where('id', '=', session.id).execute()
      return { ok: true, cookies: [] }
    },
  }
}

async function isRightCode(deps: Deps, session: AccountSession, proof: string): Promise<boolean> {
  const code = toDigits(proof)
  if (!CODE.test(code)) return false
  const tried = await takeCodeTry(deps, session)
  if (!tried || !(await deps.factorChecks.spendCode(session.user.uid, code, true))) return false
  await tried.wasRight()
  return true
}
