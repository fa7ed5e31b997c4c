import type { Passkeys } from '../../adapters/accounts/port.ts'
import { submitAccountForm } from '../../features/accounts/commands.server.ts'
import type { PasskeyAnswer, PasskeyIntent } from '../../features/accounts/components/passkey-section.tsx'
import { CURRENT_PASSWORD_WRONG, PASSKEY_DONE } from '../../features/accounts/messages.ts'
import { removePasskeySchema, renamePasskeySchema } from '../../features/accounts/schema.ts'
import { newId } from '../../shared/ids.ts'

/** Handles a form of the section 'Passkeys'. */
export async function changePasskey(
  passkeys: Passkeys,
  request: Request,
  form: FormData,
  intent: PasskeyIntent,
): Promise<{ status: number; answer: PasskeyAnswer; message: string | null }> {
  const outcome =
    intent === 'passkey-rename'
      ? await submitAccountForm({
          form,
          schema: renamePasskeySchema,
          ask: ({ passkey, passkeyName }) => passkeys.rename(request, { id: passkey, name: passkeyName }),
        })
      : await submitAccountForm({
          form,
          schema: removePasskeySchema,
          ask: ({ passkey, password }) => passkeys.remove(request, { id: passkey, password }),
          onField: { 'wrong-password': { field: 'password', message: CURRENT_PASSWORD_WRONG } },
        })
  const answer = { intent, passkey: String(form.get('passkey') ?? ''), result: undefined, stamp: null }
  return outcome.ok
    ? {
        status: 200,
        answer: { ...answer, stamp: newId(8) },
        message: intent === 'passkey-rename' ? PASSKEY_DONE.rename : PASSKEY_DONE.remove,
      }
    : { status: outcome.status, answer: { ...answer, result: outcome.result }, message: null }
}
