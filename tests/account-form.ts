import type { Services } from '../app/services.server.ts'
import { newId } from '../app/shared/ids.ts'

/** Opens the test provider's form of a new account. @returns the path of its session, which can be reloaded */
export async function openAccountForm({ sandbox }: Services, isComplete = false): Promise<string> {
  if (!sandbox) throw new Error('Only the sandbox has a form of its own.')
  const { payouts } = sandbox
  const made = await payouts.createAccount({
    accountId: newId(),
    email: 'vendor@jubilee.example',
    registeredName: 'Harbour Light Pavilion Pty Ltd',
    entityType: 'company',
    abn: '51824753556',
    idempotencyKey: newId(),
  })
  if (!made.ok) throw new Error(made.message)
  if (isComplete) await payouts.moveAccount(made.reference, 'complete')
  const to = { returnUrl: '/dashboard', refreshUrl: '/dashboard' }
  const link = await payouts.createOnboardingLink({ account: made.reference, ...to })
  const token = link.ok ? new URL(link.url).pathname.split('/').at(-1) : undefined
  const opened = await payouts.openAccountForm(token ?? '')
  if (opened?.outcome !== 'session') throw new Error('The form did not open.')
  return `/sandbox/account/${opened.token}`
}
