import type { TestServer } from './server.ts'

const MAIL_WAIT_MS = 20_000

/**
 * Waits until the job queue has sent a mail to an address.
 * @param subject matches the mail's subject
 * @param unlike the message id of a mail that doesn't count
 */
export async function mailTo(server: TestServer, email: string, subject: RegExp, unlike?: string) {
  for (const deadline = Date.now() + MAIL_WAIT_MS; Date.now() < deadline; ) {
    const mails = (await server.services.outbox?.list(100)) ?? []
    const found = mails.find(
      (mail) => mail.to === email && subject.test(mail.subject) && mail.messageId !== unlike,
    )
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No mail to ${email} with a subject like ${subject}`)
}

/** The path of the first link in a mail. */
export function linkIn(mail: { text: string }): string {
  const url = new URL(/https?:\/\/\S+/.exec(mail.text)?.[0] ?? '')
  return url.pathname + url.search
}
