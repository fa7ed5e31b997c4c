import nodemailer from 'nodemailer'
import type { RenderedMailSender } from './port.ts'

const TIMEOUT_MS = 15_000

export type SmtpSettings = {
  /** smtp:// or smtps://, with user and password if needed. */
  url: string
  /** The From address. */
  from: string
  /** Whether a server at smtp:// must switch to TLS before it gets a password or a mail. */
  requireTls: boolean
}

/**
 * Sends mails through an SMTP server.
 * @param timeoutMs the limit for each step of the SMTP dialogue
 */
export function createSmtpMail(
  { url, from, requireTls }: SmtpSettings,
  timeoutMs = TIMEOUT_MS,
): RenderedMailSender {
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
    async send({ unsubscribeUrl, ...message }) {
      try {
        await transport.sendMail({ from, ...message, headers: unsubscribeHeaders(unsubscribeUrl) })
      } catch (error) {
        throw new MailNotTaken(error as SmtpError)
      }
    },
  }
}

/** The headers by which mail programs unsubscribe with one press (RFC 8058). */
function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {}
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** The properties that nodemailer adds to its errors. */
type SmtpError = Error & { code?: string; command?: string; response?: string }

/**
 * The mail server did not accept a mail. The library's errors and the server's replies repeat the recipient and parts
 * of the mail. Errors are logged, so this one contains only the step and the codes.
 */
class MailNotTaken extends Error {
  readonly code: string

  constructor({ code = 'unknown', command, response, message }: SmtpError) {
    const answer = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response ?? '')?.[0]
    const cause = /\bE[A-Z]{4,}\b/.exec(message)?.[0]
    const facts = [code, command?.split(' ')[0], answer, cause === code ? null : cause]
    const hint =
      code === 'ETLS'
        ? ' The server must offer TLS. Use smtps://, or set SMTP_ALLOW_PLAIN=1 if the network in between is trusted.'
        : ''
    super(`The mail server did not accept the mail (${facts.filter(Boolean).join(', ')}).${hint}`)
    this.name = 'MailNotTaken'
    this.code = code
  }
}
