import type { Config } from '../app/config.server.ts'
import { printedAddress } from '../app/shared/printed-key.ts'

type Announced = Pick<
  Config,
  'brand' | 'publicUrl' | 'demo' | 'accounts' | 'payments' | 'dataFolder' | 'isSandboxOpen' | 'printedKey'
>

/** The lines that a person reads in the terminal once the product accepts connections. */
export function announcementOf(
  config: Announced,
  demoAccounts: readonly { role: string; email: string; password: string }[],
): string[] {
  const { origin } = config.publicUrl
  const lines = [`${config.brand} is at ${origin}`]
  if (config.payments.provider === 'sandbox')
    lines.push('Payments are in test mode: pay with card 4242 4242 4242 4242, any future date, any code.')
  if (config.isSandboxOpen) lines.push(`Time and trouble for tests: ${printedAddress('sandbox', config)}`)
  if (!config.demo) return lines
  if (config.accounts.provider === 'better-auth') {
    lines.push('Demo accounts:')
    for (const { role, email, password } of demoAccounts)
      lines.push(`  ${role.padEnd(9)} ${email}  password ${password}`)
  } else {
    // The service doesn't know the demo's accounts, and a sign-up with their addresses is refused.
    lines.push(
      `Firebase Auth keeps the passwords, so nobody can log in to the demo's accounts. Sign up with another email: ${origin}/signup`,
      `An operator signs up with an address from OPERATOR_EMAILS and confirms it: ${origin}/operations`,
    )
  }
  lines.push(`Mails are kept at ${printedAddress('outbox', config)}`, `Data is in ${config.dataFolder}.`)
  return lines
}
