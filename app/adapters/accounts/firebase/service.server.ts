import { z } from 'zod'
import { type AccountCode, accountCodeOf } from '../codes.ts'

const SERVICE_ORIGIN = 'https://identitytoolkit.googleapis.com'
// The emulator's paths begin with the service's host.
const EMULATOR_PREFIX = '/identitytoolkit.googleapis.com'
const TIME_LIMIT_MS = 10_000
const MAX_CODE_LENGTH = 512

const KINDS: Readonly<Record<string, ActionCode['kind']>> = {
  VERIFY_EMAIL: 'verify',
  VERIFY_AND_CHANGE_EMAIL: 'change',
  RECOVER_EMAIL: 'undo',
}

/** The code in the link of one of the service's mails. */
export type ActionCode = {
  kind: 'verify' | 'change' | 'undo'
  /** The address that the mail was sent to. */
  email: string
  /** The account's current address. With 'undo' the service may leave it out; this is then `email`. */
  currentEmail: string
}

type Refusal = { ok: false; reason: AccountCode }
export type FirebaseService = ReturnType<typeof createFirebaseService>
export type FetchService = (url: string, init: RequestInit) => Promise<Response>

const checkedCode = z.object({
  email: z.string(),
  newEmail: z.string().optional(),
  requestType: z.string(),
})
const appliedCode = z.object({ localId: z.string() })
const lookedUp = z.object({ users: z.array(z.object({ passwordUpdatedAt: z.coerce.number().optional() })) })

/**
 * The hosted service's calls that need only the project's public key. The codes in its mails are used up by our server
 * rather than the browser, so that our own rules are checked first.
 * @param options.onProblem reports that the service can't be reached, and answers that the mapping lacks
 */
export function createFirebaseService(options: {
  apiKey: string
  publicUrl: URL
  emulatorUrl: string | null
  fetchService: FetchService
  onProblem: (problem: string, error?: unknown) => void
}) {
  const base = options.emulatorUrl ? `${options.emulatorUrl}${EMULATOR_PREFIX}` : SERVICE_ORIGIN

  async function call<Answer>(
    method: string,
    body: object,
    answer: z.ZodType<Answer>,
  ): Promise<{ ok: true; answer: Answer } | Refusal> {
    try {
      const response = await options.fetchService(
        `${base}/v1/accounts:${method}?${new URLSearchParams({ key: options.apiKey })}`,
        {
          method: 'POST',
          // The project's key may be restricted to this site's pages.
          headers: { 'content-type': 'application/json', referer: options.publicUrl.href },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(TIME_LIMIT_MS),
        },
      )
      const read: unknown = await response.json()
      if (response.ok) return { ok: true, answer: answer.parse(read) }
      const { error } = z.object({ error: z.object({ message: z.string() }) }).parse(read)
      const reason = accountCodeOf(error.message)
      if (reason === 'internal-error')
        options.onProblem(`unknown error from the account service: ${error.message}`)
      return { ok: false, reason }
    } catch (error) {
      options.onProblem('the account service can’t be reached', error)
      return { ok: false, reason: 'network-request-failed' }
    }
  }

  return {
    /** Reads a mailed code without using it up. */
    async checkCode(code: string): Promise<{ ok: true; code: ActionCode } | Refusal> {
      if (code === '' || code.length > MAX_CODE_LENGTH) return { ok: false, reason: 'invalid-action-code' }
      const checked = await call('resetPassword', { oobCode: code }, checkedCode)
      if (!checked.ok) return checked
      const { email, newEmail, requestType } = checked.answer
      const kind = KINDS[requestType]
      // Another kind, such as the code of a password reset. The code of a notice needn't name the present address.
      if (!kind || (kind === 'change' && !newEmail)) return { ok: false, reason: 'invalid-action-code' }
      const other = newEmail ?? email
      const [to, current] = kind === 'change' ? [other, email] : [email, other]
      return {
        ok: true,
        code: { kind, email: to.toLowerCase(), currentEmail: current.toLowerCase() },
      }
    },

    /** Uses a code up. @returns the subject of its account */
    async applyCode(code: string): Promise<{ ok: true; subject: string } | Refusal> {
      const applied = await call('update', { oobCode: code }, appliedCode)
      return applied.ok ? { ok: true, subject: applied.answer.localId } : applied
    },

    /** Has the service mail a link to choose a password. */
    async mailPasswordReset(email: string): Promise<{ ok: true } | Refusal> {
      const sent = await call('sendOobCode', { requestType: 'PASSWORD_RESET', email }, z.unknown())
      return sent.ok ? { ok: true } : sent
    },

    /** When the password of a token's account was last set; null when the service doesn't return it. */
    async findPasswordChange(idToken: string): Promise<{ ok: true; changedAt: Date | null } | Refusal> {
      const found = await call('lookup', { idToken }, lookedUp)
      if (!found.ok) return found
      const at = found.answer.users[0]?.passwordUpdatedAt
      return { ok: true, changedAt: at === undefined ? null : new Date(at) }
    },
  }
}
