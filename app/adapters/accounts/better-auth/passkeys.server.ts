import { getAuthenticatorName } from '@better-auth/passkey'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import { limitedAddress } from '../../rate-limits/addresses.ts'
import type { RateLimits } from '../../rate-limits/port.ts'
import { holdSession, lockAccounts } from '../account-lock.server.ts'
import type { KnownBrowsers } from '../known-browsers.server.ts'
import type { AccountRefusal, FactorChange, Passkeys, Proofs } from '../port.ts'
import { originOf, type SecurityLog } from '../security-log.ts'
import type { SharedSessions } from '../sessions.server.ts'
import type { BetterAuthLibrary } from './library.server.ts'
import { limits } from './limits.server.ts'
import { findProvedSession } from './proved-session.server.ts'
import { completeSignIn, noteRefusedSignIn } from './sign-in.server.ts'

type Deps = {
  db: Database
  library: BetterAuthLibrary
  sessions: Pick<SharedSessions, 'findSession' | 'knownSession' | 'endBroughtSession'>
  proofs: Pick<Proofs, 'isDue'>
  knownBrowsers: KnownBrowsers
  rateLimits: RateLimits
  onFactorChange: (change: FactorChange) => Promise<void>
  securityLog: SecurityLog
  now: () => Date
}

/** Passkeys by Better Auth's plugin. Listing, renaming and removing are plain SQL on its table. */
export function createPasskeys(deps: Deps): Passkeys {
  const { db, library, sessions, onFactorChange, securityLog } = deps
  return {
    async list(request) {
      const session = await sessions.knownSession(request)
      if (!session) return []
      const rows = await db
        .selectFrom('passkeys')
        .select(['id', 'name', 'created_at', 'last_used_at'])
        .where('user_id', '=', session.user.uid)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        createdAt: row.created_at.toISOString(),
        lastUsedAt: row.last_used_at?.toISOString() ?? null,
      }))
    },

    async beginAdding(request, { siteName }) {
      const proved = await findProvedSession(deps, request)
      if (!proved.ok) return proved
      const { uid } = proved.session.user
      if ((await countOf(db, uid)) >= MAX_PASSKEYS)
        return { ok: false, reason: 'maximum-second-factor-count-exceeded' }
      const called = await library.call(request, '/passkey/generate-register-options')
      if (!called.ok) return library.refusalOf(called)
      const options = { ...called.body, rp: { ...asObject(called.body.rp), name: siteName } }
      return { ok: true, options, cookies: called.cookies }
    },

    add: (request, given) => addPasskey(deps, request, given),

    async rename(request, { id, name }) {
      const proved = await findProvedSession(deps, request)
      if (!proved.ok) return proved
      await db
        .updateTable('passkeys')
        .set({ name })
        .where('id', '=', id)
        .where('user_id', '=', proved.session.user.uid)
        .execute()
      return { ok: true, cookies: [] }
    },

    async remove(request, { id }) {
      const proved = await findProvedSession(deps, request)
      if (!proved.ok) return proved
      const { uid } = proved.session.user
      const removed = await db.transaction().execute(async (tx) => {
        if (!(await holdSession(tx, proved.session))) return null
        const row = await tx
          .deleteFrom('passkeys')
          .where('id', '=', id)
          .where('user_id', '=', uid)
          .returning('id')
          .executeTakeFirst()
        const origin = originOf(request)
        if (row) await securityLog.note(tx, { kind: 'passkey-removed', userId: uid, origin })
        return row
      })
      if (removed === null) return { ok: false, reason: 'user-token-expired' }
      if (removed) await onFactorChange({ userId: uid, kind: 'passkey-removed' })
      return { ok: true, cookies: [] }
    },

    async beginSignIn(request) {
      if (!(await deps.rateLimits.take(`passkey-begin:${limitedAddress(request)}`, limits.passkeyBegin)))
        return { ok: false, reason: 'too-many-requests' }
      const called = await library.call(request, '/passkey/generate-authenticate-options')
      if (!called.ok) return library.refusalOf(called)
      return { ok: true, options: { ...called.body, userVerification: 'required' }, cookies: called.cookies }
    },

    signIn: (request, { response }) => signInByPasskey(deps, request, response),
  }
}

async function addPasskey(
  { db, library, sessions, onFactorChange, securityLog }: Deps,
  request: Request,
  given: { response: object; name: string },
): ReturnType<Passkeys['add']> {
  const session = await sessions.findSession(request)
  if (!session) return { ok: false, reason: 'user-token-expired' }
  const called = await library.call(request, '/passkey/verify-registration', given)
  if (!called.ok) return library.refusalOf(called)
  const { id = '', aaguid } = called.body as { id?: string; aaguid?: string }
  const name = (aaguid && getAuthenticatorName(aaguid)) || given.name
  const { uid } = session.user
  // The library has stored it. It is deleted again if the session has ended since, or the account has too many.
  const refused = await db.transaction().execute(async (tx) => {
    const isOpen = await holdSession(tx, session)
    const isRoom = (await countOf(tx, uid)) <= MAX_PASSKEYS
    if (isOpen && isRoom) {
      await tx.updateTable('passkeys').set({ name }).where('id', '=', id).execute()
      return null
    }
    await tx.deleteFrom('passkeys').where('id', '=', id).execute()
    return isOpen ? 'maximum-second-factor-count-exceeded' : 'user-token-expired'
  })
  if (refused) return { ok: false, reason: refused }
  await securityLog.noteAfter({ kind: 'passkey-added', userId: uid, origin: originOf(request) })
  await onFactorChange({ userId: uid, kind: 'passkey-added' })
  return { ok: true, cookies: called.cookies }
}

/** Enough for a person's devices and a spare key. */
const MAX_PASSKEYS = 20

async function signInByPasskey(
  deps: Deps,
  request: Request,
  response: { id: string },
): ReturnType<Passkeys['signIn']> {
  const { db, library, now } = deps
  if (!(await deps.rateLimits.take(`passkey:${limitedAddress(request)}`, limits.passkey))) {
    await noteRefusedSignIn(deps, request, { userId: null, detail: 'too-many-requests' })
    return { ok: false, reason: 'too-many-requests' }
  }
  const called = await library.call(request, '/passkey/verify-authentication', { response })
  if (!called.ok) {
    const refusal = refusalOf(library, called)
    const owner = await findOwner(db, response.id)
    await noteRefusedSignIn(deps, request, { userId: owner, detail: refusal.reason })
    return refusal
  }
  // Its owner may have removed it since the library checked it.
  const isKept = await db.transaction().execute(async (tx) => {
    const userId = called.body.user?.id ?? ''
    await lockAccounts(tx, [userId])
    const used = await tx
      .updateTable('passkeys')
      .set({ last_used_at: now() })
      .where('credential_id', '=', response.id)
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirst()
    const { token } = asObject(called.body.session) as { token?: string }
    if (!used && token) await tx.deleteFrom('sessions').where('token', '=', token).execute()
    return used !== undefined
  })
  if (!isKept) {
    await noteRefusedSignIn(deps, request, { userId: null, detail: 'invalid-credential' })
    return { ok: false, reason: 'invalid-credential' }
  }
  return completeSignIn(deps, request, called, 'passkey')
}

/** The account of a passkey; null for an unknown one. */
async function findOwner(db: Database, credentialId: string): Promise<string | null> {
  const row = await db
    .selectFrom('passkeys')
    .select('user_id')
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  return row?.user_id ?? null
}

/** A malformed response fails in the library's parser, without a code of its own. */
function refusalOf(library: BetterAuthLibrary, called: AccountRefusal & { code: string }): AccountRefusal {
  return called.code === 'VALIDATION_ERROR'
    ? { ok: false, reason: 'invalid-credential' }
    : library.refusalOf(called)
}

async function countOf(db: Database | DatabaseTransaction, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('passkeys')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const asObject = (value: unknown) => (typeof value === 'object' && value !== null ? value : {})
