import type { RouterContextProvider } from 'react-router'
import { submitAccountForm } from '../../features/accounts/commands.server.ts'
import { CURRENT_PASSWORD_WRONG, EMAIL_TAKEN, SAME_EMAIL } from '../../features/accounts/messages.ts'
import { changeEmailSchema, changeHostedEmailSchema } from '../../features/accounts/schema.ts'
import { servicesContext } from '../../request-context.server.ts'
import { BESIDE_PROOF, proveAgain } from '../ask-again.server.ts'

/** The form that changes the email: our own, and the hosted service's. */
export const EMAIL_CHANGE_SCHEMAS = [changeEmailSchema, changeHostedEmailSchema] as const

/**
 * Handles the form that changes the account's email. Another address is checked before the person is asked who they are.
 * @param present the account's address, which can't be the new one
 */
export function changeEmail(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  form: FormData,
  present?: string,
) {
  const { accounts } = context.get(servicesContext)
  const isOther = ({ email }: { email: string }) => email !== present?.toLowerCase()
  const same = { path: ['email'], error: SAME_EMAIL }
  const taken = { 'email-already-in-use': { field: 'email', message: EMAIL_TAKEN } }
  if (!accounts.proofs)
    return submitAccountForm({
      form,
      schema: changeHostedEmailSchema.refine(isOther, same),
      ask: (fields) => accounts.requestEmailChange(request, fields),
      onField: { ...taken, 'wrong-password': { field: 'password', message: CURRENT_PASSWORD_WRONG } },
    })
  return submitAccountForm({
    form,
    schema: changeEmailSchema.refine(isOther, same),
    ask: async ({ email }) => {
      const proved = await proveAgain({ request, context }, form)
      return proved.ok ? accounts.requestEmailChange(request, { email, password: null }) : proved
    },
    onField: { ...taken, ...BESIDE_PROOF },
  })
}
