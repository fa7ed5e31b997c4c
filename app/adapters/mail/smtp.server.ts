import nodemailer from 'nodemailer'
import type { Mail } from './port.ts'

const TIMEOUT_MS = 15_000

export type SmtpSettings = {
  /** smtp:// or smtps:// with user and password where needed. */
  url: string
  /** The sender that people see. */
  from: string
  /** Whether a server at smtp:// has to switch to TLS before it hears a password or a mail. */
  requireTls: boolean
}

/**
 * Sends through an SMTP server.
 * @param timeoutMs for each step of a conversation
 */
export function createSmtpMail({ url, from, requireTls }: SmtpSettings, timeoutMs = TIMEOUT_MS): Mail {
  const target = new URL(url)
  const transport = nodemailer.createTransport({
    host: target.hostname.replace(/^\[|\]$/g, ''),
    port: Number(target.port) || (target.protocol === 'smtps:' ? 465 : 587),
    secure: target.protocol === 'smtps:',
    requireTLS: requireTls,
    ...(target.username
      ? { auth: { user: decodeURIComponent(target.username), pass: decodeURIComponent(target.password) } }
      : {}),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  return {
    async send(message) {
      try {
        await transport.sendMail({ from, ...message })
      } catch (error) {
        throw new MailNotTaken(error as SmtpError)
      }
    },
  }
}

/** What nodemailer hangs on its errors. */
type SmtpError = Error & { code?: string; command?: string; response?: string }

/**
 * The mail server did not take a mail. Errors of the library and answers of servers repeat the recipient, and what they
 * disliked in the mail: this says only where it happened and by which codes, since errors are logged.
 */
class MailNotTaken extends Error {
  readonly code: string

  constructor({ code = 'unknown', command, response, message }: SmtpError) {
    const answer = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response ?? '')?.[0]
    const cause = /\bE[A-Z]{4,}\b/.exec(message)?.[0]
    const facts = [code, command?.split(' ')[0], answer, cause === code ? null : cause]
    const hint =
      code === 'ETLS'
        ? ' It must offer TLS: use smtps://, or set SMTP_ALLOW_PLAIN=1 where nobody can listen in between.'
        : ''
    super(`The mail server did not take the mail (${facts.filter(Boolean).join(', ')}).${hint}`)
    this.name = 'MailNotTaken'
    this.code = code
  }
}
