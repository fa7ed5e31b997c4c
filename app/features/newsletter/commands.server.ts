import { createHmac, timingSafeEqual } from 'node:crypto'
import { href } from 'react-router'
import type { Database } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import { newId } from '../../shared/ids.ts'

export type NewsletterDeps = {
  db: Database
  jobs: Jobs
  secret: string
  publicUrl: URL
  now: () => Date
}

/**
 * Adds an address to the newsletter and sends a welcome mail. Subscribing again succeeds silently and sends nothing
 * (Decision 22).
 * @param email checked by newsletterSchema
 */
export async function subscribe(deps: NewsletterDeps, email: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto('newsletter')
      .values({ email, created_at: deps.now(), unsubscribed_at: null })
      .onConflict((conflict) =>
        conflict
          .column('email')
          .doUpdateSet({ unsubscribed_at: null, created_at: deps.now() })
          .where('newsletter.unsubscribed_at', 'is not', null),
      )
      .returning('email')
      .executeTakeFirst()
    if (!added) return
    const messageId = `<newsletter-${newId()}@${deps.publicUrl.hostname}>`
    await deps.jobs.enqueue(tx, 'send-newsletter-welcome', { email, messageId })
  })
}

/** The link that unsubscribes an email address without an account. */
export function unsubscribeUrl(email: string, site: Pick<NewsletterDeps, 'publicUrl' | 'secret'>): string {
  const link = new URL(href('/newsletter/unsubscribe'), site.publicUrl)
  link.searchParams.set('email', email)
  link.searchParams.set('token', unsubscribeToken(email, site.secret))
  return link.href
}

/**
 * Unsubscribes an address by the link of a mail, without an account.
 * @returns whether the token belongs to the address
 */
export async function unsubscribe(
  deps: Pick<NewsletterDeps, 'db' | 'secret' | 'now'>,
  input: { email: string; token: string },
): Promise<{ ok: true } | { ok: false; reason: 'wrong_token' }> {
  const expected = Buffer.from(unsubscribeToken(input.email, deps.secret))
  const given = Buffer.from(input.token)
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return { ok: false, reason: 'wrong_token' }
  await endSubscription(deps, input.email)
  return { ok: true }
}

/** Unsubscribes an address, if it is subscribed. */
export async function endSubscription(
  deps: Pick<NewsletterDeps, 'db' | 'now'>,
  email: string,
): Promise<void> {
  await deps.db
    .updateTable('newsletter')
    .set({ unsubscribed_at: deps.now() })
    .where('email', '=', email)
    .where('unsubscribed_at', 'is', null)
    .execute()
}

/** Returns an HMAC that proves that an unsubscribe link came from us, so no row needs to store a token. */
function unsubscribeToken(email: string, secret: string): string {
  return createHmac('sha256', secret).update(`newsletter:${email.toLowerCase()}`).digest('base64url')
}
