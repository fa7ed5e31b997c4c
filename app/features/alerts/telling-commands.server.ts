import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Mail } from '../../adapters/mail/port.ts'
import { isPlaceholderEmail } from '../../shared/placeholder-email.ts'
import { PRICE_ON_REQUEST_TEXT, priceText } from '../businesses/messages.ts'
import { isBookable } from '../businesses/rules.ts'
import { listBusinessCards } from '../reviews/card-queries.server.ts'
import { listNewestFoundIds } from '../search/queries.server.ts'
import { readAlertAddress } from './address-queries.server.ts'
import type { AlertDeps } from './deps.server.ts'
import { alertsMail } from './mails.ts'
import { alertText } from './messages.ts'
import { alertToken, isNamedBy } from './queries.server.ts'
import {
  LOOK_EACH_MS,
  MAIL_EACH_MS,
  MAX_NAMED,
  MAX_RUN_MS,
  PAGES_READ,
  RECIPIENTS_EACH_BATCH,
} from './rules.ts'

/** Whom one alert has newly found. */
export type FoundBy = { alertId: string; businessIds: string[] }

/**
 * Runs the searches of those whose turn it is, and tells each recipient by one mail of all whom they newly find. A business is told once
 * for each alert, however many processes run this.
 * @throws AggregateError of the failures, after everyone whose turn it is. Those who failed have their next turn in an hour
 */
export async function tellAlerts(deps: AlertDeps, batch = RECIPIENTS_EACH_BATCH): Promise<void> {
  const until = deps.now().getTime() + MAX_RUN_MS
  const errors: unknown[] = []
  do {
    const due = await listDue(deps, batch)
    if (due.length === 0) break
    for (const { id } of due) {
      try {
        await tellRecipient(deps, id)
      } catch (error) {
        errors.push(error)
        await postpone(deps, id)
      }
    }
  } while (deps.now().getTime() < until)
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} recipients of alerts failed`)
}

/** Lists those whose turn it is, the longest wait first. */
function listDue(deps: AlertDeps, limit: number): Promise<{ id: string }[]> {
  return deps.db
    .selectFrom('alert_recipients')
    .select('id')
    .where('next_at', '<=', deps.now())
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('alerts')
          .select('id')
          .whereRef('recipient_id', '=', 'alert_recipients.id')
          .where('confirmed_at', 'is not', null)
          .where('ends_at', '>', deps.now()),
      ),
    )
    .orderBy('next_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Leaves a recipient until the next hour, unless another process has told them in the meantime. */
async function postpone({ db, now }: AlertDeps, recipientId: string): Promise<void> {
  const at = now()
  await db
    .updateTable('alert_recipients')
    .set({ next_at: new Date(at.getTime() + LOOK_EACH_MS) })
    .where('id', '=', recipientId)
    .where('next_at', '<=', at)
    .execute()
}

async function tellRecipient(deps: AlertDeps, recipientId: string): Promise<void> {
  const at = deps.now()
  // Whom a closed account's searches find is told once it is open again.
  if ((await findAddress(deps.db, recipientId)) === null) return postpone(deps, recipientId)
  const alerts = await deps.db
    .selectFrom('alerts')
    .select(['id', 'address', 'is_complete', 'created_at'])
    .where('recipient_id', '=', recipientId)
    .where('confirmed_at', 'is not', null)
    .where('ends_at', '>', at)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const found: FoundBy[] = []
  for (const alert of alerts) {
    const businessIds = await findNews(deps, alert)
    if (businessIds.length > 0) found.push({ alertId: alert.id, businessIds })
  }
  await deps.db.transaction().execute(async (tx) => {
    const recipient = await tx
      .selectFrom('alert_recipients')
      .select('id')
      .where('id', '=', recipientId)
      // Another process may have told them in the meantime.
      .where('next_at', '<=', at)
      .forUpdate()
      .executeTakeFirst()
    if (!recipient) return
    const told = await noteTold(tx, recipientId, found, at)
    await tx
      .updateTable('alert_recipients')
      .set({ next_at: new Date(at.getTime() + (told.length > 0 ? MAIL_EACH_MS : LOOK_EACH_MS)) })
      .where('id', '=', recipientId)
      .execute()
    if (told.length > 0)
      await deps.jobs.enqueue(tx, 'send-alerts', { recipientId, key: String(at.getTime()), found: told })
  })
}

/** Whom an alert's search finds now and hasn't found before. */
async function findNews(
  { db, now, nearKm }: AlertDeps,
  alert: { id: string; address: string; is_complete: boolean; created_at: Date },
): Promise<string[]> {
  const search = readAlertAddress(alert.address)
  // Where not all of the first ones are known, only a younger listing is surely new, and those are on the first page.
  const pages = alert.is_complete ? PAGES_READ : 1
  const present = search && (await listNewestFoundIds(db, search, { nearKm, now: now() }, pages))
  if (!present || present.ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select businesses.id from businesses
    where businesses.id = any(${present.ids}::text[])
      and (${alert.is_complete} or businesses.created_at > ${alert.created_at})
      and not exists (select from alert_listings where alert_id = ${alert.id} and business_id = businesses.id)`.execute(
    db,
  )
  const isNew = new Set(rows.map(({ id }) => id))
  return present.ids.filter((id) => isNew.has(id))
}

/** Notes whom a mail will tell of. @returns those that no other mail has told of, by alerts that haven't ended */
async function noteTold(
  tx: DatabaseTransaction,
  recipientId: string,
  found: readonly FoundBy[],
  at: Date,
): Promise<FoundBy[]> {
  const told: FoundBy[] = []
  for (const { alertId, businessIds } of found) {
    const { rows } = await sql<{ business_id: string }>`
      insert into alert_listings (alert_id, business_id, told_at)
      select alerts.id, each, ${at} from alerts, unnest(${businessIds}::text[]) each
      where alerts.id = ${alertId} and recipient_id = ${recipientId}
      on conflict do nothing returning business_id`.execute(tx)
    const isNoted = new Set(rows.map(({ business_id }) => business_id))
    const ids = businessIds.filter((id) => isNoted.has(id))
    if (ids.length > 0) told.push({ alertId, businessIds: ids })
  }
  return told
}

/**
 * Sends a mail about whom a recipient's searches have found. Listings that are hidden by now, searches that have ended and closed
 * accounts are left out; with none left, nothing is sent.
 */
export async function mailAlerts(
  deps: AlertDeps & { mail: Mail },
  { recipientId: toldId, key, found }: { recipientId: string; key: string; found: readonly FoundBy[] },
): Promise<void> {
  const recipientId = await findPresentId(deps.db, toldId, found)
  const to = recipientId === null ? null : await findAddress(deps.db, recipientId)
  if (recipientId === null || to === null) return
  const groups = []
  for (const { alertId, businessIds } of found) {
    const alert = await deps.db
      .selectFrom('alerts')
      .select('address')
      .where('id', '=', alertId)
      .where('recipient_id', '=', recipientId)
      .where('ends_at', '>', deps.now())
      .executeTakeFirst()
    const search = alert && readAlertAddress(alert.address)
    if (!alert || !search) continue
    const cards = await listBusinessCards(deps.db, businessIds)
    if (cards.length > 0)
      groups.push({
        text: alertText(search),
        address: alert.address,
        businesses: cards.slice(0, MAX_NAMED).map((card) => ({
          id: card.id,
          name: card.name,
          line: `${card.location}, ${isBookable(card) ? priceText(card) : PRICE_ON_REQUEST_TEXT.toLowerCase()}`,
        })),
        more: Math.max(0, cards.length - MAX_NAMED),
      })
  }
  if (groups.length === 0) return
  const token = await alertToken(deps.secret, 'all', recipientId)
  await deps.mail.send(alertsMail({ recipientId, key, to, groups, token }, deps))
}

/** The recipient of alerts: the one who was told, or the account that its address has joined in the meantime. */
async function findPresentId(
  db: Database,
  toldId: string,
  found: readonly FoundBy[],
): Promise<string | null> {
  const row = await db
    .selectFrom('alerts')
    .innerJoin('alert_recipients', 'alert_recipients.id', 'alerts.recipient_id')
    .select('alert_recipients.id')
    .where(
      'alerts.id',
      'in',
      found.map(({ alertId }) => alertId),
    )
    .where(isNamedBy(toldId))
    .executeTakeFirst()
  return row?.id ?? null
}

/** The address of a recipient; null while their account is closed, or has no confirmed address of its own. */
async function findAddress(db: Database, recipientId: string): Promise<string | null> {
  const row = await db
    .selectFrom('alert_recipients')
    .leftJoin('users', 'users.id', 'alert_recipients.user_id')
    .select([
      'alert_recipients.email as guest',
      'users.email',
      'email_verified',
      'disabled_at',
      'deactivated_at',
    ])
    .where('alert_recipients.id', '=', recipientId)
    .executeTakeFirst()
  if (!row) return null
  const isOpen = row.email_verified && row.disabled_at === null && row.deactivated_at === null
  const address = row.guest ?? (isOpen ? row.email : null)
  return address === null || isPlaceholderEmail(address) ? null : address
}
