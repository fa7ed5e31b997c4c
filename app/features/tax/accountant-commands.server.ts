import type { Database } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { Mail } from '../../adapters/mail/port.ts'
import type { RateLimits } from '../../adapters/rate-limits/port.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { eachOf } from '../../shared/each-of.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import { findVendorZone } from '../businesses/owner-queries.server.ts'
import { accountantAgreedMail, accountantAskedMail, accountantMonthMail } from './accountant-mails.ts'
import { accountantToken, hashAccountant, openAccountantLink } from './accountant-queries.server.ts'
import { ASK_LIMIT, lastMonthToSend, monthsBetween } from './accountant-rules.ts'
import { listMonthDocuments } from './queries.server.ts'

/** The services of mails to accountants. */
export type AccountantDeps = {
  db: Database
  jobs: Jobs
  now: () => Date
  brand: string
  publicUrl: URL
  /** Signs the links. */
  secret: string
}

/**
 * Asks an accountant by mail whether they want a vendor's documents each month. Until they agree, nothing else is sent to them. For one
 * vendor an address is asked once: again only if it had agreed and the vendor has stopped it.
 * @param vendor whose address is proven: the mail names it
 * @returns refuses with 'unproven', with 'ended' for an address that has ended it, with 'asked' for one that was asked before, and
 *   with 'too_often'
 */
export async function askAccountant(
  deps: AccountantDeps & { rateLimits: RateLimits },
  vendor: { userId: string; isProven: boolean },
  email: string,
): Promise<{ ok: true } | { ok: false; reason: 'unproven' | 'ended' | 'asked' | 'too_often' }> {
  if (!vendor.isProven) return refuse('unproven')
  if (!(await deps.rateLimits.take(`accountant:${vendor.userId}`, ASK_LIMIT))) return refuse('too_often')
  const at = deps.now()
  return deps.db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', vendor.userId).forUpdate().executeTakeFirst()
    const present = await tx
      .selectFrom('accountants')
      .selectAll()
      .where('vendor_user_id', '=', vendor.userId)
      .executeTakeFirst()
    if (present && present.email.toLowerCase() === email.toLowerCase()) {
      if (present.ended_at) return refuse('ended')
      return refuse('asked')
    }
    const addressHash = await hashAccountant(deps.secret, vendor, email)
    const known = await tx
      .selectFrom('accountant_addresses')
      .select('ended_at')
      .where('vendor_user_id', '=', vendor.userId)
      .where('address_hash', '=', addressHash)
      .executeTakeFirst()
    if (known) return refuse(known.ended_at ? 'ended' : 'asked')
    await tx
      .insertInto('accountant_addresses')
      .values({ vendor_user_id: vendor.userId, address_hash: addressHash, asked_at: at, ended_at: null })
      .execute()
    const id = newId()
    await tx.deleteFrom('accountants').where('vendor_user_id', '=', vendor.userId).execute()
    await tx
      .insertInto('accountants')
      .values({ vendor_user_id: vendor.userId, id, email, asked_at: at, confirmed_at: null, ended_at: null })
      .execute()
    await deps.jobs.enqueue(tx, 'send-accountant-question', { id })
    return { ok: true }
  })
}

/** Ends a vendor's mails to their accountant. */
export async function dropAccountant(deps: Pick<AccountantDeps, 'db'>, userId: string): Promise<void> {
  await deps.db
    .deleteFrom('accountants')
    .where('vendor_user_id', '=', userId)
    // The accountant's own end stands, so that the vendor can't ask them again.
    .where('ended_at', 'is', null)
    .execute()
}

type LinkDeps = Pick<AccountantDeps, 'db' | 'secret' | 'now'>

/** The accountant agrees, by the mailed link, and the vendor is told. @returns refuses with 'not_found', and with 'expired' after 7 days or an end */
export async function confirmAccountant(
  deps: AccountantDeps,
  token: string,
): Promise<{ ok: true } | { ok: false; reason: 'not_found' | 'expired' }> {
  const link = await openAccountantLink(deps, token)
  if (link?.about !== 'confirm') return refuse('not_found')
  if (link.state === 'confirmed') return { ok: true }
  if (link.state !== 'open') return refuse('expired')
  await deps.db.transaction().execute(async (tx) => {
    const agreed = await tx
      .updateTable('accountants')
      .set({ confirmed_at: deps.now() })
      .where('id', '=', link.id)
      .where('confirmed_at', 'is', null)
      .where('ended_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!agreed) return
    await tx
      .deleteFrom('accountant_addresses')
      .where('vendor_user_id', '=', link.userId)
      .where('address_hash', '=', await hashAccountant(deps.secret, link, link.email))
      .execute()
    const vendor = await tx
      .selectFrom('users')
      .select(['email', 'name'])
      .where('id', '=', link.userId)
      .where('email_verified', '=', true)
      .executeTakeFirst()
    const about = { id: link.id, accountantEmail: link.email }
    if (vendor) await deps.jobs.enqueue(tx, 'send-mail', accountantAgreedMail(about, vendor, deps))
  })
  return { ok: true }
}

/** The accountant ends the mails, by any link that they have, however old. @returns refuses with 'not_found' */
export async function endByAccountant(
  deps: LinkDeps,
  token: string,
): Promise<{ ok: true } | { ok: false; reason: 'not_found' }> {
  const link = await openAccountantLink(deps, token)
  if (!link) return refuse('not_found')
  const at = deps.now()
  const addressHash = await hashAccountant(deps.secret, link, link.email)
  await deps.db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('accountants')
      .set({ ended_at: at })
      .where('id', '=', link.id)
      .where('ended_at', 'is', null)
      .returning('asked_at')
      .executeTakeFirst()
    if (!ended) return
    // Stays when the vendor enters another address.
    await tx
      .insertInto('accountant_addresses')
      .values({
        ...{ vendor_user_id: link.userId, address_hash: addressHash, asked_at: ended.asked_at },
        ended_at: at,
      })
      .onConflict((conflict) =>
        conflict.columns(['vendor_user_id', 'address_hash']).doUpdateSet({ ended_at: at }),
      )
      .execute()
  })
  return { ok: true }
}

/**
 * Sends each accountant the months that are over since they agreed, oldest first, from the third of the next month on by the
 * vendor's clock. A month without a document is noted and not sent.
 */
export async function sendMonthsToAccountants(
  deps: Pick<AccountantDeps, 'db' | 'jobs' | 'now'>,
): Promise<void> {
  const { db, now } = deps
  const rows = await db
    .selectFrom('accountants')
    .innerJoin('users', 'users.id', 'accountants.vendor_user_id')
    .select(['accountants.id', 'vendor_user_id', 'confirmed_at'])
    .where('confirmed_at', 'is not', null)
    .where('ended_at', 'is', null)
    // The months wait until the account is open again.
    .where('users.disabled_at', 'is', null)
    .where('users.deactivated_at', 'is', null)
    .orderBy('accountants.id')
    .execute()
  await eachOf(rows, async ({ id, vendor_user_id: userId, confirmed_at: confirmedAt }) => {
    if (!confirmedAt) return
    const zone = await findVendorZone(db, userId)
    const first = wallTimeAt(confirmedAt, zone).date.slice(0, 7)
    const sent = await db
      .selectFrom('accountant_mails')
      .select('month')
      .where('accountant_id', '=', id)
      .execute()
    const done = new Set(sent.map(({ month }) => month))
    const due = monthsBetween(first, lastMonthToSend(wallTimeAt(now(), zone).date))
    for (const month of due.filter((each) => !done.has(each))) await sendMonth(deps, { id, userId, month })
  })
}

async function sendMonth(
  { db, jobs, now }: Pick<AccountantDeps, 'db' | 'jobs' | 'now'>,
  { id, userId, month }: { id: string; userId: string; month: string },
): Promise<void> {
  const documents = await Promise.all(
    (['sale', 'commission'] as const).map((subject) => listMonthDocuments(db, { userId, month, subject })),
  )
  await db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto('accountant_mails')
      .columns(['accountant_id', 'month', 'sent_at'])
      // Another address, or an end, may have come in between.
      .expression((eb) =>
        eb
          .selectFrom('accountants')
          .select((of) => [
            of.ref('id').as('accountant_id'),
            of.val(month).as('month'),
            of.val(now()).as('sent_at'),
          ])
          .where('id', '=', id)
          .where('ended_at', 'is', null),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning('month')
      .executeTakeFirst()
    if (added && documents.flat().length > 0) await jobs.enqueue(tx, 'send-accountant-month', { id, month })
  })
}

/** Sends the question to an accountant, unless it was withdrawn. */
export async function sendQuestion(deps: AccountantDeps & { mail: Mail }, id: string): Promise<void> {
  const token = await accountantToken(deps.secret, id, 'confirm')
  const link = await openAccountantLink(deps, token)
  if (link?.about !== 'confirm' || link.state !== 'open') return
  const vendor = await deps.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', link.userId)
    .executeTakeFirst()
  if (vendor) await deps.mail.send(accountantAskedMail({ ...link, vendorEmail: vendor.email, token }, deps))
}

/** Sends a month's link to an accountant, unless the mails have ended since. */
export async function sendMonthMail(
  deps: AccountantDeps & { mail: Mail },
  { id, month }: { id: string; month: string },
): Promise<void> {
  const token = await accountantToken(deps.secret, id, month)
  const link = await openAccountantLink(deps, token)
  if (link?.about !== 'month' || link.state !== 'open') return
  await deps.mail.send(accountantMonthMail({ ...link, token }, deps))
}
