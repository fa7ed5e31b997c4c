import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransportFuture,
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server'
import { MINUTE_MS } from '../../../shared/time-units.ts'
import type { Database } from '../../database/port.ts'
import type { RateLimits } from '../../rate-limits/port.ts'
import type { AccountCode, AccountSession, PasskeyCeremony } from '../port.ts'
import { limits } from './limits.server.ts'

// The plugin's own ceremony opens a new session, and takes a passkey of any account. Here the person is signed in.

/** As long as the challenge of a login. */
const CHALLENGE_LIFE_MS = 5 * MINUTE_MS

type Deps = { db: Database; publicUrl: URL; rateLimits: RateLimits; now: () => Date }

/** Stores a new challenge with the session, and names the account's passkeys to the browser. */
export async function beginPasskeyProof(deps: Deps, session: AccountSession): Promise<PasskeyCeremony> {
  const { db, publicUrl, now } = deps
  if (!(await takeTry(deps, session))) return { ok: false, reason: 'too-many-requests' }
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', session.user.uid)
    .execute()
  if (passkeys.length === 0) return { ok: false, reason: 'invalid-credential' }
  const options = await generateAuthenticationOptions({
    rpID: publicUrl.hostname,
    userVerification: 'required',
    allowCredentials: passkeys.map(({ credential_id, transports }) => ({
      id: credential_id,
      ...(transports ? { transports: transports.split(',') as AuthenticatorTransportFuture[] } : {}),
    })),
  })
  await db
    .updateTable('sessions')
    .set({
      proof_challenge: options.challenge,
      proof_challenge_ends_at: new Date(now().getTime() + CHALLENGE_LIFE_MS),
    })
    .where('id', '=', session.id)
    .execute()
  return { ok: true, options, cookies: [] }
}

/** Checks the browser's answer, and uses up the session's challenge whatever the answer is. @returns null if it is right */
export async function finishPasskeyProof(
  deps: Deps,
  session: AccountSession,
  response: { id: string },
): Promise<AccountCode | null> {
  const { db, now } = deps
  if (!(await takeTry(deps, session))) return 'too-many-requests'
  const challenge = await takeChallenge(deps, session)
  if (!challenge) return 'code-expired'
  const passkey = await db
    .selectFrom('passkeys')
    .select(['id', 'credential_id', 'public_key', 'counter'])
    .where('credential_id', '=', response.id)
    .where('user_id', '=', session.user.uid)
    .executeTakeFirst()
  const counter = passkey && (await verify(deps, { response, challenge, passkey }))
  if (!passkey || counter === null) return 'invalid-credential'
  await db
    .updateTable('passkeys')
    .set({ counter, last_used_at: now() })
    .where('id', '=', passkey.id)
    .execute()
  return null
}

const takeTry = ({ rateLimits }: Deps, { id }: AccountSession) =>
  rateLimits.take(`passkey-proof:${id}`, limits.passkeyProof)

/** Removes the session's challenge. Of two requests at the same moment one gets it. @returns null if there is none */
async function takeChallenge({ db, now }: Deps, { id }: AccountSession): Promise<string | null> {
  const row = await db
    .selectFrom('sessions')
    .select(['proof_challenge', 'proof_challenge_ends_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row?.proof_challenge) return null
  const taken = await db
    .updateTable('sessions')
    .set({ proof_challenge: null, proof_challenge_ends_at: null })
    .where('id', '=', id)
    .where('proof_challenge', '=', row.proof_challenge)
    .returning('id')
    .executeTakeFirst()
  const isOpen = row.proof_challenge_ends_at !== null && row.proof_challenge_ends_at > now()
  return taken && isOpen ? row.proof_challenge : null
}

/** @returns the passkey's new counter; null for an answer that is wrong or malformed */
async function verify(
  { publicUrl }: Deps,
  given: {
    response: { id: string }
    challenge: string
    passkey: { credential_id: string; public_key: string; counter: number }
  },
): Promise<number | null> {
  const { response, challenge, passkey } = given
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: publicUrl.origin,
      expectedRPID: publicUrl.hostname,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64')),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    })
    return verified && authenticationInfo.userVerified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}
