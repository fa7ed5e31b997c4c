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
import {
  accountantToken,
  hashAccountant,
  listForAccountant,
  openAccountantLink,
} from './accountant-queries.server.ts'
import {
  ASK_LIMIT,
  CLAIM_MS,
  FILES_OPEN_MS,
  lastMonthToSend,
  lateTime,
  monthsBetween,
  TRY_AGAIN_MS,
} from './accountant-rules.ts'

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
 * vendor's clock. A month without a document is noted and not sent. Then it queues the mails again that no mail server has accepted.
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
      .select(['month', 'sent_at'])
      .where('accountant_id', '=', id)
      .orderBy('month')
      .execute()
    const done = new Set(sent.map(({ month }) => month))
    const due = monthsBetween(first, lastMonthToSend(wallTimeAt(now(), zone).date))
    let before = sent.at(-1)?.sent_at ?? confirmedAt
    for (const month of due.filter((each) => !done.has(each)))
      before = await sendMonth(deps, { id, userId, month, before })
    await tryAgain(deps, id)
  })
}

/** @param of.before when the mail before was made. @returns when this one was */
async function sendMonth(
  { db, jobs, now }: Pick<AccountantDeps, 'db' | 'jobs' | 'now'>,
  of: { id: string; userId: string; month: string; before: Date },
): Promise<Date> {
  const { id, month } = of
  const at = now()
  const documents = await listForAccountant(db, { ...of, late: lateTime(of.before, at) })
  const tryAt = documents.length > 0 ? new Date(at.getTime() + TRY_AGAIN_MS) : null
  await db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto('accountant_mails')
      .columns(['accountant_id', 'month', 'sent_at', 'try_at'])
      // Another address, or an end, may have come in between.
      .expression((eb) =>
        eb
          .selectFrom('accountants')
          .select((of) => [
            of.ref('id').as('accountant_id'),
            of.val(month).as('month'),
            of.val(at).as('sent_at'),
            of.val(tryAt).as('try_at'),
          ])
          .where('id', '=', id)
          .where('ended_at', 'is', null),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning('month')
      .executeTakeFirst()
    if (added && tryAt) await jobs.enqueue(tx, 'send-accountant-mail', { id, month })
  })
  return at
}

/** Queues an accountant's mails again whose job has used up its tries. Until a mail's link would be over, one row is one job. */
async function tryAgain(
  { db, jobs, now }: Pick<AccountantDeps, 'db' | 'jobs' | 'now'>,
  id: string,
): Promise<void> {
  const at = now()
  await db.transaction().execute(async (tx) => {
    const due = await tx
      .updateTable('accountant_mails')
      .set({ try_at: new Date(at.getTime() + TRY_AGAIN_MS) })
      .where('accountant_id', '=', id)
      .where('try_at', '<=', at)
      .where('sent_at', '>', new Date(at.getTime() - FILES_OPEN_MS))
      .returning('month')
      .execute()
    for (const { month } of due) await jobs.enqueue(tx, 'send-accountant-mail', { id, month })
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

/**
 * Sends a month's link to an accountant, unless the mails have ended since or a mail server has accepted it before.
 * @throws when no mail server accepts it, and while another process sends it, which may have died; the job queue then retries
 */
export async function sendMonthMail(
  deps: AccountantDeps & { mail: Mail },
  { id, month }: { id: string; month: string },
): Promise<void> {
  const { db, now } = deps
  const token = await accountantToken(deps.secret, id, month)
  const link = await openAccountantLink(deps, token)
  if (link?.about !== 'month' || link.state !== 'open') return
  const change = (values: { claimed_at: Date | null; try_at?: null; accepted_at?: Date }) =>
    db.updateTable('accountant_mails').set(values).where('accountant_id', '=', id).where('month', '=', month)
  const at = now()
  const claimed = await change({ claimed_at: at })
    .where('try_at', 'is not', null)
    .where((eb) =>
      eb.or([eb('claimed_at', 'is', null), eb('claimed_at', '<=', new Date(at.getTime() - CLAIM_MS))]),
    )
    .returning('month')
    .executeTakeFirst()
  if (!claimed) {
    const open = await db
      .selectFrom('accountant_mails')
      .select('month')
      .where('accountant_id', '=', id)
      .where('month', '=', month)
      .where('try_at', 'is not', null)
      .executeTakeFirst()
    if (open) throw new Error(`Another process is sending the month ${month} to the accountant ${id}.`)
    return
  }
  try {
    await deps.mail.send(accountantMonthMail({ ...link, token }, deps))
  } catch (error) {
    await change({ claimed_at: null }).execute()
    throw error
  }
  await change({ claimed_at: null, try_at: null, accepted_at: now() }).execute()
}

/** Sends a month's link that the version before has queued: its month doesn't note whether it was accepted. */
export async function sendMonthMailOfBefore(
  deps: AccountantDeps & { mail: Mail },
  { id, month }: { id: string; month: string },
): Promise<void> {
  const token = await accountantToken(deps.secret, id, month)
  const link = await openAccountantLink(deps, token)
  if (link?.about !== 'month' || link.state !== 'open') return
  await deps.mail.send(accountantMonthMail({ ...link, token }, deps))
}
