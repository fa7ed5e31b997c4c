import type { AccountAnswer, AccountRefusal, Passkeys } from '../../adapters/accounts/port.ts'
import { submitAccountForm } from '../../features/accounts/commands.server.ts'
import type { PasskeyAnswer, PasskeyIntent } from '../../features/accounts/components/passkey-section.tsx'
import { PASSKEY_DONE } from '../../features/accounts/messages.ts'
import { removePasskeySchema, renamePasskeySchema } from '../../features/accounts/schema.ts'
import { newId } from '../../shared/ids.ts'
import type { FactorProof } from '../ask-again.server.ts'

/** Handles a form of the section 'Passkeys'. */
export async function changePasskey(
  passkeys: Passkeys,
  request: Request,
  { form, intent, proof }: { form: FormData; intent: PasskeyIntent; proof: FactorProof },
): Promise<{ status: number; answer: PasskeyAnswer; message: string | null }> {
  const proved = async (change: () => Promise<AccountAnswer>): Promise<AccountAnswer | AccountRefusal> => {
    const checked = await proof.take(form)
    return checked.ok ? change() : checked
  }
  const outcome =
    intent === 'passkey-rename'
      ? await submitAccountForm({
          form,
          schema: renamePasskeySchema,
          ask: ({ passkey, passkeyName }) =>
            proved(() => passkeys.rename(request, { id: passkey, name: passkeyName })),
          onField: proof.besideField,
        })
      : await submitAccountForm({
          form,
          schema: removePasskeySchema,
          ask: ({ passkey }) => proved(() => passkeys.remove(request, { id: passkey })),
          onField: proof.besideField,
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
