import type { Services } from '../app/services.server.ts'
import { newId } from '../app/shared/ids.ts'

/** Creates a vendor's account at the test provider. @returns the provider's id of it */
export async function aSandboxAccount({ sandbox }: Pick<Services, 'sandbox'>): Promise<string> {
  const made = await sandbox?.payouts.createAccount({
    accountId: newId(),
    email: 'vendor@jubilee.example',
    registeredName: 'Harbour Light Pavilion Pty Ltd',
    entityType: 'company',
    abn: '51824753556',
    idempotencyKey: newId(),
  })
  if (!made?.ok) throw new Error(made?.message ?? 'Only the sandbox makes accounts by itself.')
  return made.reference
}

/** Opens the test provider's form of a new account. @returns the path of its session, which can be reloaded */
export async function openAccountForm({ sandbox }: Services, isComplete = false): Promise<string> {
  if (!sandbox) throw new Error('Only the sandbox has a form of its own.')
  const { payouts } = sandbox
  const account = await aSandboxAccount({ sandbox })
  if (isComplete) await payouts.moveAccount(account, 'complete')
  const to = { returnUrl: '/dashboard', refreshUrl: '/dashboard' }
  const link = await payouts.createOnboardingLink({ account, ...to })
  const token = link.ok ? new URL(link.url).pathname.split('/').at(-1) : undefined
  const opened = await payouts.openAccountForm(token ?? '')
  if (opened?.outcome !== 'session') throw new Error('The form did not open.')
  return `/sandbox/account/${opened.token}`
}
