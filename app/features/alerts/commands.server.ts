import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Mail } from '../../adapters/mail/port.ts'
import type { RateLimits } from '../../adapters/rate-limits/port.ts'
import { HOME_ZONE, wallTimeAt } from '../../shared/dates.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import { signText } from '../../shared/signed.ts'
import { splitQuery } from '../search/name-queries.server.ts'
import { listNewestFoundIds } from '../search/queries.server.ts'
import { alertAddress, readAlertAddress } from './address-queries.server.ts'
import type { AlertDeps } from './deps.server.ts'
import { confirmAlertMail } from './mails.ts'
import { closedAlertText } from './messages.ts'
import { type AlertOwner, alertToken, isOfOwner, openAlertLink } from './queries.server.ts'
import {
  ASK_LIMIT,
  alertEnd,
  CONFIRM_MAIL_LIMIT,
  CONFIRM_WITHIN_MS,
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
 * told at once. Any other address is first asked by one mail, which contains nothing that was typed.
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
  const endsAt = alertEnd(search, at)
  if (!endsAt) return refuse('past')
  const present = await listNewestFoundIds(deps.db, search, { nearKm: deps.nearKm, now: at }, PAGES_READ)
  if (!present) return refuse('no_search')
  const isOwn = owner?.verifiedEmail?.toLowerCase() === email
  if (!isOwn) {
    const key = `alert-mails:${await signText(deps.secret, `alert-mails:${email}`)}`
    if (!(await deps.rateLimits.take(key, CONFIRM_MAIL_LIMIT))) return refuse('too_often')
  }
  return deps.db.transaction().execute(async (tx) => {
    const recipientId =
      owner && isOwn ? await takeOwnRecipient(tx, owner.userId, email, at) : await takeAddress(tx, email, at)
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
    if (!isOwn) await deps.jobs.enqueue(tx, 'send-alert-question', { alertId: alert })
    return { ok: true, isOn: isOwn }
  })
}

/** Adds an alert, or renews the one of the same search. @returns its id; null if the recipient has as many as they can */
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
): Promise<string | null> {
  const { recipientId, address, endsAt, at, isOwn, present } = alert
  const others = await tx
    .selectFrom('alerts')
    .select(['id', 'address', 'confirmed_at', 'created_at'])
    .where('recipient_id', '=', recipientId)
    .where('ends_at', '>', at)
    .execute()
  const same = others.find((each) => each.address === address)
  if (same) {
    await tx
      .updateTable('alerts')
      .set({
        ends_at: endsAt,
        ...(same.confirmed_at ? {} : { created_at: at, confirmed_at: isOwn ? at : null }),
      })
      .where('id', '=', same.id)
      .execute()
    return same.id
  }
  const since = at.getTime() - CONFIRM_WITHIN_MS
  const unconfirmed = others.filter((each) => !each.confirmed_at && each.created_at.getTime() > since)
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
  return id
}

/** Locks the recipient of an address, made if there is none. @returns its id */
async function takeAddress(tx: DatabaseTransaction, email: string, at: Date): Promise<string> {
  await tx
    .insertInto('alert_recipients')
    .values({ id: newId(), user_id: null, email, created_at: at, next_at: at })
    .onConflict((conflict) => conflict.column('email').doNothing())
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
  tx: DatabaseTransaction,
  userId: string,
  email: string,
  at: Date,
): Promise<string | null> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .forKeyShare()
    .executeTakeFirst()
  if (!user) return null
  await joinAddress(tx, userId, await lockBoth(tx, userId, email))
  await tx
    .insertInto('alert_recipients')
    .values({ id: newId(), user_id: userId, email: null, created_at: at, next_at: at })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
  const { id } = await tx
    .selectFrom('alert_recipients')
    .select('id')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return id
}

type Both = { own: string | undefined; guest: string | undefined }

/** Locks the recipients of an account and of its address as a guest, as far as there are any. */
async function lockBoth(tx: DatabaseTransaction, userId: string, email: string): Promise<Both> {
  const rows = await tx
    .selectFrom('alert_recipients')
    .select(['id', 'user_id'])
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('email', '=', email)]))
    .orderBy('id')
    .forUpdate()
    .execute()
  return {
    own: rows.find((row) => row.user_id !== null)?.id,
    guest: rows.find((row) => row.user_id === null)?.id,
  }
}

/** Gives an account what its confirmed address has as a guest, so that both share one mail a day. */
async function joinAddress(tx: DatabaseTransaction, userId: string, { own, guest }: Both): Promise<void> {
  if (guest === undefined) return
  if (own === undefined) {
    await tx
      .updateTable('alert_recipients')
      .set({ user_id: userId, email: null })
      .where('id', '=', guest)
      .execute()
    return
  }
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
 * @returns refuses with 'not_found', and with 'expired' after 7 days, or once the alert has ended
 */
export async function confirmAlert(
  deps: LinkDeps,
  token: string,
): Promise<{ ok: true } | { ok: false; reason: 'not_found' | 'expired' }> {
  const link = await openAlertLink(deps, token)
  if (link?.about !== 'confirm') return refuse('not_found')
  if (link.state === 'confirmed') return { ok: true }
  if (link.state !== 'open') return refuse('expired')
  return deps.db.transaction().execute(async (tx) => {
    const account = await findAccountOf(tx, link.alertId)
    const both = account && (await lockBoth(tx, account.userId, account.email))
    if (!both) await lockRecipientOf(tx, link.alertId)
    const confirmed = await tx
      .updateTable('alerts')
      .set({ confirmed_at: deps.now() })
      .where('id', '=', link.alertId)
      .where('confirmed_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!confirmed) return refuse('expired')
    if (account && both) await joinAddress(tx, account.userId, both)
    return { ok: true }
  })
}

/** Locks the account that has confirmed an alert's address; null if there is none. */
async function findAccountOf(
  tx: DatabaseTransaction,
  alertId: string,
): Promise<{ userId: string; email: string } | null> {
  const recipient = await tx
    .selectFrom('alerts')
    .innerJoin('alert_recipients', 'alert_recipients.id', 'alerts.recipient_id')
    .select('alert_recipients.email')
    .where('alerts.id', '=', alertId)
    .executeTakeFirst()
  if (!recipient?.email) return null
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', recipient.email)
    .where('email_verified', '=', true)
    .forKeyShare()
    .executeTakeFirst()
  return user ? { userId: user.id, email: recipient.email } : null
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
    const recipientId =
      link.about === 'all' ? link.recipientId : (await lockRecipientOf(tx, link.alertId))?.id
    if (recipientId === undefined) return
    await tx
      .selectFrom('alert_recipients')
      .select('id')
      .where('id', '=', recipientId)
      .forUpdate()
      .executeTakeFirst()
    const one = link.about === 'confirm' ? link.alertId : alertId
    await tx
      .deleteFrom('alerts')
      .where('recipient_id', '=', recipientId)
      .$if(one !== null, (query) => query.where('id', '=', one))
      .execute()
  })
  return { ok: true }
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
    .select(['address', 'email', 'alerts.created_at', 'ends_at'])
    .where('alerts.id', '=', alertId)
    .executeTakeFirst()
  const search = row && readAlertAddress(row.address)
  if (!row?.email || !search || row.ends_at <= deps.now()) return
  await deps.mail.send(
    confirmAlertMail(
      { alertId, askedAt: row.created_at, to: row.email, what: closedAlertText(search), token },
      deps,
    ),
  )
}
