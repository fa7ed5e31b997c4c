import { join } from 'node:path'
import { z } from 'zod'
import type { SmtpSettings } from '../adapters/mail/smtp.server.ts'
import { type PushKeys, pushKeysOf } from '../adapters/push/keys.ts'
import { loopbackHosts, onOrOff, text } from './checks.server.ts'

/** The settings of mails, notifications and messages. */
export const mailEnvironment = z.object({
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  SMTP_ALLOW_PLAIN: onOrOff.default('0'),
  MAIL: z.enum(['outbox']).optional(),
  MAIL_FROM: text.default('Jubilee <hello@jubilee.example>'),
  MAIL_INBOUND: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain, like reply.jubilee.com.au')
    .optional(),
  MAIL_INBOUND_LOGIN: z
    .string()
    .regex(/^[\w.-]{1,64}:[\w.~-]{16,200}$/, 'must look like user:password, with 16 characters or more')
    .optional(),
  PUSH_PRIVATE_KEY: text
    .refine(
      (key) => pushKeysOf(key) !== null,
      'must be a private key of P-256 in base64url: 43 letters, digits, - and _',
    )
    .optional(),
  MASK_CONTACTS: onOrOff.default('0'),
})

/** How mails, notifications and messages are sent and received. */
export type MailConfig = {
  mail: { kind: 'outbox'; folder: string } | ({ kind: 'smtp' } & SmtpSettings)
  /** The domain of the addresses that take replies to messages by mail; null while that is off. */
  mailInbound: string | null
  /** The login that the mail service sends with each received mail; null without such a service. */
  mailService: { user: string; password: string } | null
  /** The key pair by which push services know us; null while there are no notifications on devices. */
  pushKeys: PushKeys | null
  /** Whether phone numbers and addresses in messages stay masked until a booking is paid. */
  masksContacts: boolean
}

/** The demo's outbox takes replies itself, so no mail server has to know this domain. */
const DEMO_MAIL_INBOUND = 'reply.jubilee.example'

/**
 * Reads the settings of mails, notifications and messages.
 * @param about.storedPushKey the demo's own key for push services, made at its first start
 */
export function mailConfig(
  set: z.output<typeof mailEnvironment>,
  about: { demo: boolean; dataFolder: string; storedPushKey: () => string },
): MailConfig {
  const { demo, dataFolder } = about
  return {
    mail: set.SMTP_URL
      ? {
          kind: 'smtp',
          url: set.SMTP_URL,
          from: set.MAIL_FROM,
          requireTls: set.SMTP_ALLOW_PLAIN === '0' && needsTls(set.SMTP_URL),
        }
      : { kind: 'outbox', folder: join(dataFolder, 'outbox') },
    mailInbound: set.MAIL_INBOUND ?? (demo && !set.SMTP_URL ? DEMO_MAIL_INBOUND : null),
    mailService: readLogin(set.MAIL_INBOUND_LOGIN),
    pushKeys: set.PUSH_PRIVATE_KEY
      ? pushKeysOf(set.PUSH_PRIVATE_KEY)
      : demo
        ? pushKeysOf(about.storedPushKey())
        : null,
    masksContacts: set.MASK_CONTACTS === '1',
  }
}

/** Finds settings of mails that are missing outside the demo. */
export function mailProblems(set: z.output<typeof mailEnvironment>, demo: boolean): string[] {
  if (demo) return []
  const problems: string[] = []
  if (Boolean(set.MAIL_INBOUND) !== Boolean(set.MAIL_INBOUND_LOGIN))
    problems.push('MAIL_INBOUND, MAIL_INBOUND_LOGIN: need each other, to take replies by mail')
  if (!set.SMTP_URL && !set.MAIL)
    problems.push('SMTP_URL: needed outside the demo, to send mail (or MAIL=outbox to keep mails as files)')
  return problems
}

/** Whether a connection must switch to TLS. Traffic on this machine is safe without, and smtps:// begins with TLS. */
function needsTls(smtpUrl: string): boolean {
  const { protocol, hostname } = new URL(smtpUrl)
  return protocol === 'smtp:' && !loopbackHosts.has(hostname.toLowerCase())
}

/** Splits 'user:password'. */
function readLogin(login: string | undefined): MailConfig['mailService'] {
  const [user, password] = login?.split(':') ?? []
  return user && password ? { user, password } : null
}
