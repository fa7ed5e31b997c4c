import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { sameText, signText } from '../../shared/signed.ts'
import { readAlertAddress } from './address-queries.server.ts'
import { alertText } from './messages.ts'
import { CONFIRM_WITHIN_MS, lastDayText, readAlertToken, signedText } from './rules.ts'

/** A search that tells, as its reader sees it. */
export type AlertView = {
  id: string
  /** The search in words. */
  text: string
  /** The address of its list. */
  href: string
  until: string
  isConfirmed: boolean
}

/** The account of a person, with their address once it is confirmed. */
export type AlertOwner = { userId: string; verifiedEmail: string | null }

/** Whether a recipient is this person: by their account, or by an address that they have confirmed. */
export function isOfOwner({ userId, verifiedEmail }: AlertOwner): RawBuilder<boolean> {
  return sql<boolean>`(alert_recipients.user_id = ${userId}
    or alert_recipients.email = ${verifiedEmail?.toLowerCase() ?? null})`
}

/**
 * Whether a mailed link names a recipient: by its id, or by the one that its address had as a guest before it joined.
 * @param id the id in the link
 */
export function isNamedBy(id: string): RawBuilder<boolean> {
  return sql<boolean>`(alert_recipients.id = ${id} or alert_recipients.joined_id = ${id})`
}

/** Lists a person's alerts, the newest first. */
export async function listOwnAlerts(db: Database, owner: AlertOwner, now: Date): Promise<AlertView[]> {
  return (await selectAlerts(db, now).where(isOfOwner(owner)).execute()).flatMap(toView)
}

/** Lists the alerts of a mailed link's recipient, the newest first. */
export async function listAlertsOf(db: Database, recipientId: string, now: Date): Promise<AlertView[]> {
  const rows = await selectAlerts(db, now)
    .where(isNamedBy(recipientId))
    .where('confirmed_at', 'is not', null)
    .execute()
  return rows.flatMap(toView)
}

/** Exports a person's alerts, with the businesses that each has told of. */
export async function exportAlerts(db: Database, owner: AlertOwner): Promise<{ searchAlerts: object[] }> {
  const rows = await db
    .selectFrom('alerts')
    .innerJoin('alert_recipients', 'alert_recipients.id', 'alerts.recipient_id')
    .select(['alerts.id', 'address', 'alerts.created_at', 'confirmed_at', 'ends_at'])
    .where(isOfOwner(owner))
    .orderBy('alerts.created_at')
    .orderBy('alerts.id')
    .execute()
  const ids = rows.map(({ id }) => id)
  const told =
    ids.length === 0
      ? []
      : await db
          .selectFrom('alert_listings')
          .select(['alert_id', 'business_id', 'told_at'])
          .where('alert_id', 'in', ids)
          .where('told_at', 'is not', null)
          .orderBy('told_at')
          .orderBy('business_id')
          .execute()
  return {
    searchAlerts: rows.map((row) => ({
      search: row.address,
      createdAt: row.created_at,
      confirmedAt: row.confirmed_at,
      endsAt: row.ends_at,
      told: told
        .filter(({ alert_id }) => alert_id === row.id)
        .map(({ business_id, told_at }) => ({ businessId: business_id, toldAt: told_at })),
    })),
  }
}

type AlertRow = { id: string; address: string; confirmed_at: Date | null; ends_at: Date }

/** The alerts that haven't ended, and that may still be confirmed. */
function selectAlerts(db: Database | DatabaseTransaction, now: Date) {
  return db
    .selectFrom('alerts')
    .innerJoin('alert_recipients', 'alert_recipients.id', 'alerts.recipient_id')
    .select(['alerts.id', 'address', 'confirmed_at', 'ends_at'])
    .where('ends_at', '>', now)
    .where((eb) =>
      eb.or([
        eb('confirmed_at', 'is not', null),
        eb('alerts.created_at', '>', new Date(now.getTime() - CONFIRM_WITHIN_MS)),
      ]),
    )
    .orderBy('alerts.created_at', 'desc')
    .orderBy('alerts.id')
}

function toView({ id, address, confirmed_at, ends_at }: AlertRow): AlertView[] {
  const search = readAlertAddress(address)
  if (!search) return []
  return [
    {
      id,
      text: alertText(search),
      href: address,
      until: lastDayText(ends_at),
      isConfirmed: confirmed_at !== null,
    },
  ]
}

/** The token of a link in a mail of alerts. @param id of an alert to confirm, or of a recipient for all of theirs */
export async function alertToken(secret: string, about: 'confirm' | 'all', id: string): Promise<string> {
  return `${about}.${id}.${await signText(secret, signedText(about, id))}`
}

/** An alert's link, opened. */
export type OpenedAlertLink =
  | { about: 'all'; recipientId: string; alerts: AlertView[] }
  | {
      about: 'confirm'
      alertId: string
      state: 'open' | 'confirmed' | 'ended' | 'expired'
      /** null once it has ended. */
      alert: AlertView | null
    }

/** Opens the link of a mail. @returns null for one that isn't ours */
export async function openAlertLink(
  { db, secret, now }: { db: Database; secret: string; now: () => Date },
  token: string,
): Promise<OpenedAlertLink | null> {
  const link = readAlertToken(token)
  if (!link) return null
  const { about, id, signature } = link
  if (!sameText(await signText(secret, signedText(about, id)), signature)) return null
  if (about === 'all') return { about, recipientId: id, alerts: await listAlertsOf(db, id, now()) }
  const row = await db
    .selectFrom('alerts')
    .select(['id', 'address', 'confirmed_at', 'ends_at', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  const alert = (row && toView(row)[0]) ?? null
  if (!row || !alert || row.ends_at <= now()) return { about, alertId: id, state: 'ended', alert: null }
  const isOld = row.created_at.getTime() <= now().getTime() - CONFIRM_WITHIN_MS
  return { about, alertId: id, state: row.confirmed_at ? 'confirmed' : isOld ? 'expired' : 'open', alert }
}
