import type { AccountRefusal } from '../../adapters/accounts/port.ts'
import { withCookies } from '../../features/accounts/commands.server.ts'
import { accountWording, PASSKEY_PROOF_REFUSALS, PASSKEY_REFUSALS } from '../../features/accounts/messages.ts'
import { deviceName } from '../../features/accounts/rules.ts'
import { passkeyStepSchema } from '../../features/accounts/schema.ts'
import { servicesContext } from '../../request-context.server.ts'
import { jsonAnswer, readJsonBody } from '../../shared/json-body.ts'
import { welcome } from '../account/welcome.server.ts'
import { findFactorProof } from '../ask-again.server.ts'
import type { Route } from './+types/passkey'

// A response has a signature, a public key and sometimes a certificate.
const MAX_BODY_BYTES = 16_384

export const loader = () => jsonAnswer(405, { message: accountWording['internal-error'] })

/** The server's side of a browser's steps with a passkey (WebAuthn): signing in, proving the person again, and adding one to an account. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { accounts, config } = context.get(servicesContext)
  const { passkeys } = accounts
  if (!passkeys) return jsonAnswer(404, { message: accountWording['operation-not-allowed'] })
  const parsed = passkeyStepSchema.safeParse((await readJsonBody(request, MAX_BODY_BYTES))?.value)
  if (!parsed.success) return jsonAnswer(400, { message: accountWording['internal-error'] })
  const given = parsed.data
  switch (given.step) {
    case 'begin-sign-in': {
      const begun = await passkeys.beginSignIn(request)
      return begun.ok
        ? jsonAnswer(200, { options: begun.options }, withCookies(begun.cookies))
        : refusal(begun)
    }
    case 'sign-in': {
      const signedIn = await passkeys.signIn(request, given)
      if (!signedIn.ok) return refusal(signedIn)
      const { headers } = await welcome({ request, context, url }, signedIn)
      return jsonAnswer(200, { to: headers.get('location') }, withCookies(headers.getSetCookie()))
    }
    case 'begin-adding': {
      if (!(await accounts.findSession(request))) return refusal({ ok: false, reason: 'user-token-expired' })
      const proof = await findFactorProof({ request, context })
      const form = new FormData()
      if (given.proof) form.set('proof', given.proof)
      const proved = await proof.take(form)
      const begun = proved.ok ? await passkeys.beginAdding(request, { siteName: config.brand }) : proved
      if (begun.ok) return jsonAnswer(200, { options: begun.options }, withCookies(begun.cookies))
      const beside = proof.besideField[begun.reason]
      return beside ? jsonAnswer(400, beside) : refusal(begun)
    }
    case 'begin-proof': {
      const begun = await accounts.proofs?.beginByPasskey(request)
      if (!begun) return jsonAnswer(404, { message: accountWording['operation-not-allowed'] })
      return begun.ok ? jsonAnswer(200, { options: begun.options }) : refusal(begun)
    }
    case 'prove': {
      const proved = await accounts.proofs?.proveByPasskey(request, given)
      if (!proved) return jsonAnswer(404, { message: accountWording['operation-not-allowed'] })
      return proved.ok ? jsonAnswer(200, {}) : refusal(proved, PASSKEY_PROOF_REFUSALS)
    }
    case 'add': {
      const name = deviceName(request.headers.get('user-agent'))
      const added = await passkeys.add(request, { response: given.response, name })
      return added.ok ? jsonAnswer(200, {}, withCookies(added.cookies)) : refusal(added)
    }
  }
}

function refusal({ reason }: AccountRefusal, wording = PASSKEY_REFUSALS): Response {
  const status = reason === 'too-many-requests' ? 429 : reason === 'user-token-expired' ? 401 : 400
  return jsonAnswer(status, { message: wording[reason] ?? accountWording[reason] })
}
