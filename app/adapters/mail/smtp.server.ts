import nodemailer from 'nodemailer'
import type { Mail } from './port.ts'

const TIMEOUT_MS = 15_000

/**
 * Sends through an SMTP server.
 * @param url smtp:// or smtps:// with user and password where needed
 * @param from the sender that people see
 */
export function createSmtpMail(url: string, from: string): Mail {
  const target = new URL(url)
  const transport = nodemailer.createTransport({
    host: target.hostname,
    port: Number(target.port) || (target.protocol === 'smtps:' ? 465 : 587),
    secure: target.protocol === 'smtps:',
    ...(target.username
      ? { auth: { user: decodeURIComponent(target.username), pass: decodeURIComponent(target.password) } }
      : {}),
    dnsTimeout: TIMEOUT_MS,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  })
  return {
    async send(message) {
      await transport.sendMail({ from, ...message })
    },
  }
}
