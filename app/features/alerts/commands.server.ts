import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Mail } from '../../adapters/mail/port.ts'
import type { RateLimits } from '../../adapters/rate-limits/port.ts'
import { HOME_ZONE, wallTimeAt } from '../../shared/dates.ts'
import { newId } from '../../shared/ids.ts'
import { WEEKLY } from '../../shared/limit-keys.ts'
import { refuse } from '../../shared/result.ts'
import { signText } from '../../shared/signed.ts'
import { splitQuery } from '../search/name-queries.server.ts'
import { listNewestFoundIds } from '../search/queries.server.ts'
import { alertAddress, readAlertAddress } from './address-queries.server.ts'
import type { AlertDeps } from './deps.server.ts'
import { confirmAlertMail } from './mails.ts'
import { closedAlertText } from './messages.ts'
import { type AlertOwner, alertToken, isNamedBy, isOfOwner, openAlertLink } from './queries.server.ts'
import {
  ASK_LIMIT,
  alertEnd,
  CONFIRM_MAIL_LIMIT,
  CONFIRM_WITHIN_MS,
  MAIL_WEEK_LIMIT,
  MAX_ADDRESS_LENGTH,
  MAX_ALERTS,
  MAX_UNCONFIRMED,
  PAGES_READ,
} from './rules.ts'

type Asked = {
  /** The address of the list whose search is followed. */
  address: string
  /** Where to tell, in lower case. */
  email: string
  /** The network address that asks. */
  network: string
  /** The account that asks; null for none. */
  owner: AlertOwner | null
}

type Refusal = 'no_search' | 'past' | 'too_often' | 'full' | 'gone'

/**
 * Follows a search, so that those whom it finds from now on are told by mail. The confirmed address of the account that asks is
 * told at once. Any other address is first asked by one mail, which contains nothing that was typed. The answer is the same whether
 * or not the address has been asked before, so that it tells a stranger nothing.
 * @returns whether it is on. Refuses with 'no_search' (no list's address, or nothing is known of its place), 'past', 'too_often',
 *   'full', and 'gone' (the account has just been deleted). Following the same search again is no refusal
 */
export async function followSearch(
  deps: AlertDeps & { rateLimits: RateLimits },
  { address, email, network, owner }: Asked,
): Promise<{ ok: true; isOn: boolean } | { ok: false; reason: Refusal }> {
  const at = deps.now()
  if (!(await deps.rateLimits.take(`alerts:${network}`, ASK_LIMIT))) return refuse('too_often')
  const typed = readAlertAddress(address)
  if (!typed) return refuse('no_search')
  const search = await splitQuery(deps.db, typed, wallTimeAt(at, HOME_ZONE).date)
  if (alertAddress(search).length > MAX_ADDRESS_LENGTH) return refuse('no_search')
  const endsAt = alertEnd(search, at)
  if (!endsAt) return refuse('past')
  const present = await listNewestFoundIds(deps.db, search, { nearKm: deps.nearKm, now: at }, PAGES_READ)
  if (!present) return refuse('no_search')
  const isOwn = owner?.verifiedEmail?.toLowerCase() === email
  if (!isOwn && !(await mayAsk(deps, email))) return refuse('too_often')
  return deps.db.transaction().execute(async (tx) => {
    const recipientId =
      owner && isOwn
        ? await takeOwnRecipient(deps, tx, { userId: owner.userId, email })
        : await takeAddress(deps, tx, email)
    if (recipientId === null) return refuse('gone')
    const alert = await addAlert(tx, {
      recipientId,
      address: alertAddress(search),
      endsAt,
      at,
      isOwn,
      present,
    })
    if (!alert) return refuse('full')
    if (!isOwn && alert.isNew) await deps.jobs.enqueue(tx, 'send-alert-question', { alertId: alert.id })
    return { ok: true, isOn: isOwn }
  })
}

type MailLimits = { rateLimits: RateLimits; secret: string }

/** The limit's key doesn't reveal the address. */
const mailsKey = async (secret: string, email: string) =>
  `alert-mails:${await signText(secret, `alert-mails:${email}`)}`

/** Counts a question to an address: by day, and by week. */
async function mayAsk({ rateLimits, secret }: MailLimits, email: string): Promise<boolean> {
  const key = await mailsKey(secret, email)
  return (
    (await rateLimits.take(key, CONFIRM_MAIL_LIMIT)) && (await rateLimits.take(WEEKLY + key, MAIL_WEEK_LIMIT))
  )
}

/**
 * Adds an alert, or renews the one of the same search. One that waits to be confirmed keeps its days.
 * @returns its id, and whether it was added; null if the recipient has as many as they can
 */
async function addAlert(
  tx: DatabaseTransaction,
  alert: {
    recipientId: string
    address: string
    endsAt: Date
    at: Date
    isOwn: boolean
    present: { ids: string[]; isComplete: boolean }
  },
): Promise<{ id: string; isNew: boolean } | null> {
  const { recipientId, address, endsAt, at, isOwn, present } = alert
  const rows = await tx
    .selectFrom('alerts')
    .select(['id', 'address', 'confirmed_at', 'created_at'])
    .where('recipient_id', '=', recipientId)
    .where('ends_at', '>', at)
    .execute()
  const since = at.getTime() - CONFIRM_WITHIN_MS
  const others = rows.filter((each) => each.confirmed_at || each.created_at.getTime() > since)
  const same = others.find((each) => each.address === address)
  if (same) {
    await tx
      .updateTable('alerts')
      .set({
        ends_at: endsAt,
        ...(isOwn && !same.confirmed_at ? { created_at: at, confirmed_at: at } : {}),
      })
      .where('id', '=', same.id)
      .execute()
    return { id: same.id, isNew: false }
  }
  const unconfirmed = others.filter((each) => !each.confirmed_at)
  if (others.length - unconfirmed.length >= MAX_ALERTS) return null
  if (!isOwn && unconfirmed.length >= MAX_UNCONFIRMED) return null
  // One that has ended, or was never confirmed, is waiting to be deleted.
  await tx
    .deleteFrom('alerts')
    .where('recipient_id', '=', recipientId)
    .where('address', '=', address)
    .execute()
  const id = newId()
  await tx
    .insertInto('alerts')
    .values({
      ...{ id, recipient_id: recipientId, address, is_complete: present.isComplete },
      ...{ created_at: at, confirmed_at: isOwn ? at : null, ends_at: endsAt },
    })
    .execute()
  if (present.ids.length > 0)
    await tx
      .insertInto('alert_listings')
      .values(present.ids.map((businessId) => ({ alert_id: id, business_id: businessId, told_at: null })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  return { id, isNew: true }
}

/** A recipient who is forgotten and returns has the same id, so that the links of their old mails end the new ones too. */
const recipientIdOf = (secret: string, of: { email: string } | { userId: string }) =>
  signText(secret, 'email' in of ? `alert-recipient:${of.email}` : `alert-account:${of.userId}`)

type RecipientDeps = { secret: string; now: () => Date }

/** Locks the recipient of an address, made if there is none. @returns its id */
async function takeAddress(
  { secret, now }: RecipientDeps,
  tx: DatabaseTransaction,
  email: string,
): Promise<string> {
  const row = { id: await recipientIdOf(secret, { email }), user_id: null, email, joined_id: null }
  await tx
    .insertInto('alert_recipients')
    .values({ ...row, created_at: now(), next_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { id } = await tx
    .selectFrom('alert_recipients')
    .select('id')
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Locks the recipient of an account, made if there is none. What its address has as a guest becomes the account's.
 * @returns its id; null for an account that has just been deleted
 */
async function takeOwnRecipient(
  deps: RecipientDeps,
  tx: DatabaseTransaction,
  account: Account,
): Promise<string | null> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', account.userId)
    .forKeyShare()
    .executeTakeFirst()
  if (!user) return null
  const both = await takeBoth(deps, tx, account)
  await joinAddress(tx, both)
  return both.own
}

/** An account with its confirmed address, in lower case. */
type Account = { userId: string; email: string }

/** @property guestId of the address as a guest, whether or not it has a row */
type Both = { own: string; guest: string | undefined; guestId: string }

/** Locks the recipients of an account, made if there is none, and of its address as a guest, if there is one. */
async function takeBoth(
  { secret, now }: RecipientDeps,
  tx: DatabaseTransaction,
  { userId, email }: Account,
): Promise<Both> {
  const guestId = await recipientIdOf(secret, { email })
  const row = { id: await recipientIdOf(secret, { userId }), user_id: userId, email: null }
  await tx
    .insertInto('alert_recipients')
    .values({ ...row, joined_id: guestId, created_at: now(), next_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const rows = await tx
    .selectFrom('alert_recipients')
    .select(['id', 'user_id'])
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('email', '=', email)]))
    .orderBy('id')
    .forUpdate()
    .execute()
  return {
    own: rows.find((each) => each.user_id !== null)?.id ?? row.id,
    guest: rows.find((each) => each.user_id === null)?.id,
    guestId,
  }
}

/**
 * Gives an account what its confirmed address has as a guest, so that both share one mail a day. The links of the guest's mails
 * then name the account's alerts.
 */
async function joinAddress(tx: DatabaseTransaction, { own, guest, guestId }: Both): Promise<void> {
  await tx.updateTable('alert_recipients').set({ joined_id: guestId }).where('id', '=', own).execute()
  if (guest === undefined) return
  await sql`
    update alert_recipients account set next_at = greatest(account.next_at, guest.next_at)
    from alert_recipients guest where account.id = ${own} and guest.id = ${guest}`.execute(tx)
  // The account's alert of the same search is as confirmed, and as long, as the guest's, which goes with its recipient.
  await sql`
    update alerts kept set confirmed_at = coalesce(kept.confirmed_at, same.confirmed_at),
      ends_at = greatest(kept.ends_at, same.ends_at)
    from alerts same where kept.recipient_id = ${own} and same.recipient_id = ${guest}
      and same.address = kept.address and same.confirmed_at is not null`.execute(tx)
  await tx
    .updateTable('alerts')
    .set({ recipient_id: own })
    .where('recipient_id', '=', guest)
    .where('address', 'not in', (eb) =>
      eb.selectFrom('alerts').select('address').where('recipient_id', '=', own),
    )
    .execute()
  await tx.deleteFrom('alert_recipients').where('id', '=', guest).execute()
}

type LinkDeps = Pick<AlertDeps, 'db' | 'secret' | 'now'>

/**
 * Confirms by the mailed link that its address wants an alert.
 * @returns the alert's id, which is another one if the account of the address follows the same search. Refuses with 'not_found', and
 *   with 'expired' after 7 days, or once the alert has ended
 */
export async function confirmAlert(
  deps: LinkDeps & MailLimits,
  token: string,
): Promise<{ ok: true; alertId: string } | { ok: false; reason: 'not_found' | 'expired' }> {
  const link = await openAlertLink(deps, token)
  if (link?.about !== 'confirm') return refuse('not_found')
  if (link.state === 'confirmed') return { ok: true, alertId: link.alertId }
  if (link.state !== 'open') return refuse('expired')
  const { alertId } = link
  const email = await findGuestAddress(deps.db, alertId)
  const confirmed = await deps.db.transaction().execute(async (tx) => {
    const account = email === null ? null : await lockAccountOf(tx, email)
    const both = account && (await takeBoth(deps, tx, account))
    if (!both) await lockRecipientOf(tx, alertId)
    const alert = await tx
      .updateTable('alerts')
      .set({ confirmed_at: deps.now() })
      .where('id', '=', alertId)
      .where('confirmed_at', 'is', null)
      .returning('address')
      .executeTakeFirst()
    if (!alert) return null
    if (!both) return alertId
    await joinAddress(tx, both)
    const { id } = await tx
      .selectFrom('alerts')
      .select('id')
      .where('recipient_id', '=', both.own)
      .where('address', '=', alert.address)
      .executeTakeFirstOrThrow()
    return id
  })
  if (confirmed === null) return refuse('expired')
  // A mail that was wanted doesn't count: a guest may follow more than three searches in a week.
  if (email !== null)
    await deps.rateLimits.giveBack(WEEKLY + (await mailsKey(deps.secret, email)), MAIL_WEEK_LIMIT)
  return { ok: true, alertId: confirmed }
}

/** The address of the guest whose alert it is; null for an account's. */
async function findGuestAddress(db: Database, alertId: string): Promise<string | null> {
  const recipient = await db
    .selectFrom('alerts')
    .innerJoin('alert_recipients', 'alert_recipients.id', 'alerts.recipient_id')
    .select('alert_recipients.email')
    .where('alerts.id', '=', alertId)
    .executeTakeFirst()
  return recipient?.email ?? null
}

/** Locks the open account that has confirmed an address; null if there is none. */
async function lockAccountOf(tx: DatabaseTransaction, email: string): Promise<Account | null> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('email_verified', '=', true)
    // One that is closed gets no mails, so the address gets them as a guest.
    .where('disabled_at', 'is', null)
    .where('deactivated_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return user ? { userId: user.id, email } : null
}

async function lockRecipientOf(tx: DatabaseTransaction, alertId: string) {
  const alert = await tx
    .selectFrom('alerts')
    .select('recipient_id')
    .where('id', '=', alertId)
    .executeTakeFirst()
  if (!alert) return null
  return (
    (await tx
      .selectFrom('alert_recipients')
      .select('id')
      .where('id', '=', alert.recipient_id)
      .forUpdate()
      .executeTakeFirst()) ?? null
  )
}

/**
 * Ends alerts by a mailed link, however old: the one that it would confirm, or one or all of its recipient's.
 * @param alertId null for all that the link is about. One of another recipient is left alone
 * @returns refuses with 'not_found' for a link that isn't ours. Ending what has ended is no refusal
 */
export async function endByLink(
  deps: LinkDeps,
  token: string,
  alertId: string | null,
): Promise<{ ok: true } | { ok: false; reason: 'not_found' }> {
  const link = await openAlertLink(deps, token)
  if (!link) return refuse('not_found')
  await deps.db.transaction().execute(async (tx) => {
    const recipients =
      link.about === 'all'
        ? await lockRecipients(tx, link.recipientId)
        : [await lockRecipientOf(tx, link.alertId)].flatMap((row) => row ?? [])
    if (recipients.length === 0) return
    const one = link.about === 'confirm' ? link.alertId : alertId
    await tx
      .deleteFrom('alerts')
      .where(
        'recipient_id',
        'in',
        recipients.map(({ id }) => id),
      )
      .$if(one !== null, (query) => query.where('id', '=', one))
      .execute()
  })
  return { ok: true }
}

/** Locks the recipient that a mailed link names, and the account that its address has joined. */
function lockRecipients(tx: DatabaseTransaction, recipientId: string): Promise<{ id: string }[]> {
  return tx
    .selectFrom('alert_recipients')
    .select('id')
    .where(isNamedBy(recipientId))
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Ends an alert of a person. @returns refuses with 'not_found' for another person's alert, and for one that has ended */
export async function endOwnAlert(
  deps: Pick<AlertDeps, 'db'>,
  owner: AlertOwner,
  alertId: string,
): Promise<{ ok: true } | { ok: false; reason: 'not_found' }> {
  return deps.db.transaction().execute(async (tx) => {
    const recipient = await tx
      .selectFrom('alert_recipients')
      .select('id')
      .where(isOfOwner(owner))
      .where('id', '=', (eb) => eb.selectFrom('alerts').select('recipient_id').where('id', '=', alertId))
      .forUpdate()
      .executeTakeFirst()
    if (!recipient) return refuse('not_found')
    await tx.deleteFrom('alerts').where('id', '=', alertId).execute()
    return { ok: true }
  })
}

/** Deletes the alerts of an address whose account is deleted. Those of the account itself go with its row. */
export async function forgetAlertsOf(tx: DatabaseTransaction, verifiedEmail: string): Promise<void> {
  await tx.deleteFrom('alert_recipients').where('email', '=', verifiedEmail.toLowerCase()).execute()
}

/** Deletes alerts that have ended or weren't confirmed in time, and recipients who have none any more. */
export async function forgetEndedAlerts(deps: { db: Database; now: () => Date }): Promise<void> {
  const at = deps.now()
  const isOver = sql<boolean>`(alerts.ends_at <= ${at}
    or alerts.confirmed_at is null and alerts.created_at <= ${new Date(at.getTime() - CONFIRM_WITHIN_MS)})`
  await deps.db.transaction().execute(async (tx) => {
    // A recipient who has just had a mail stays for its day, so that a new alert sends no second one.
    const recipients = await tx
      .selectFrom('alert_recipients')
      .select('id')
      .where((eb) => {
        const own = eb.selectFrom('alerts').select('id').whereRef('recipient_id', '=', 'alert_recipients.id')
        return eb.or([eb.not(eb.exists(own)), eb.exists(own.where(isOver))])
      })
      .orderBy('id')
      .forUpdate()
      .skipLocked()
      .execute()
    const ids = recipients.map(({ id }) => id)
    if (ids.length === 0) return
    await tx.deleteFrom('alerts').where('recipient_id', 'in', ids).where(isOver).execute()
    await tx
      .deleteFrom('alert_recipients')
      .where('id', 'in', ids)
      .where('next_at', '<=', at)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb.selectFrom('alerts').select('id').whereRef('recipient_id', '=', 'alert_recipients.id'),
          ),
        ),
      )
      .execute()
  })
}

/** Asks the address of an alert to confirm it, unless it has been confirmed or has ended since. */
export async function mailQuestion(
  deps: AlertDeps & { mail: Mail },
  { alertId }: { alertId: string },
): Promise<void> {
  const token = await alertToken(deps.secret, 'confirm', alertId)
  const row = await deps.db
    .selectFrom('alerts')
    .innerJoin('alert_recipients', 'alert_recipients.id', 'alerts.recipient_id')
    .select(['address', 'email', 'alerts.created_at', 'confirmed_at', 'ends_at'])
    .where('alerts.id', '=', alertId)
    .executeTakeFirst()
  const search = row && readAlertAddress(row.address)
  if (!row?.email || !search || row.confirmed_at || row.ends_at <= deps.now()) return
  await deps.mail.send(
    confirmAlertMail(
      { alertId, askedAt: row.created_at, to: row.email, what: closedAlertText(search), token },
      deps,
    ),
  )
}
