import nodemailer from 'nodemailer'
import type { Mail } from './port.ts'

const TIMEOUT_MS = 15_000

/**
 * Sends through an SMTP server.
 * @param url smtp:// or smtps:// with user and password where needed
 * @param from the sender that people see
 * @param timeoutMs for each step of a conversation
 */
export function createSmtpMail(url: string, from: string, timeoutMs = TIMEOUT_MS): Mail {
  const target = new URL(url)
  const transport = nodemailer.createTransport({
    host: target.hostname,
    port: Number(target.port) || (target.protocol === 'smtps:' ? 465 : 587),
    secure: target.protocol === 'smtps:',
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
      await transport.sendMail({ from, ...message })
    },
  }
}
