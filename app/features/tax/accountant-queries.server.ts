import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { sameText, signText } from '../../shared/signed.ts'
import {
  CONFIRM_WITHIN_MS,
  FILES_OPEN_MS,
  lateTime,
  readAccountantToken,
  signedText,
} from './accountant-rules.ts'
import { commissionOfText } from './messages.ts'
import { type DocumentView, listMonthDocuments, type MonthOfAccountant } from './queries.server.ts'
import type { DocumentSubject, TaxDocument } from './rules.ts'

/** The token of a link in a mail to an accountant. @param about 'confirm' or a month */
export async function accountantToken(secret: string, id: string, about: string): Promise<string> {
  return `${id}.${about}.${await signText(secret, signedText(id, about))}`
}

/** The keyed hash of an address that a vendor has asked, so that no table keeps the addresses of people who said no. */
export const hashAccountant = (secret: string, vendor: { userId: string }, email: string) =>
  signText(secret, `accountant-address:${vendor.userId}:${email.toLowerCase()}`)

/** A vendor's accountant as the Tax block shows them. */
export type AccountantView = { email: string; state: 'asked' | 'confirmed' | 'ended' }

/** Finds a vendor's accountant; null without one. */
export async function findAccountant(db: Database, userId: string): Promise<AccountantView | null> {
  const row = await db
    .selectFrom('accountants')
    .select(['email', 'confirmed_at', 'ended_at'])
    .where('vendor_user_id', '=', userId)
    .executeTakeFirst()
  if (!row) return null
  return { email: row.email, state: row.ended_at ? 'ended' : row.confirmed_at ? 'confirmed' : 'asked' }
}

/** An accountant's link, opened. */
export type OpenedLink = {
  id: string
  userId: string
  email: string
  /** The vendor as their documents name them. */
  vendorName: string
} & (
  | { about: 'confirm'; state: 'open' | 'confirmed' | 'ended' | 'expired' | 'closed' }
  | {
      about: 'month'
      month: string
      late: MonthOfAccountant['late']
      state: 'open' | 'ended' | 'expired' | 'closed'
    }
)

/**
 * Opens the link of a mail to an accountant. It is 'closed' while the vendor's account is disabled or deactivated.
 * @returns null for one that isn't ours, or of an address that was replaced
 */
export async function openAccountantLink(
  deps: { db: Database | DatabaseTransaction; secret: string; now: () => Date },
  token: string,
): Promise<OpenedLink | null> {
  const link = readAccountantToken(token)
  if (!link) return null
  const { id, about } = link
  if (!sameText(await signText(deps.secret, signedText(id, about)), link.signature)) return null
  const row = await deps.db
    .selectFrom('accountants')
    .innerJoin('users', 'users.id', 'accountants.vendor_user_id')
    .leftJoin('business_registrations', 'business_registrations.user_id', 'accountants.vendor_user_id')
    .leftJoin('accountant_mails', (join) =>
      join
        .onRef('accountant_mails.accountant_id', '=', 'accountants.id')
        .on('accountant_mails.month', '=', about),
    )
    .select([
      'accountants.vendor_user_id',
      'accountants.email',
      'accountants.asked_at',
      'accountants.confirmed_at',
      'accountants.ended_at',
      'users.disabled_at',
      'users.deactivated_at',
      'accountant_mails.sent_at',
      'accountant_mails.accepted_at',
      sql<Date | null>`(select max(sent_at) from accountant_mails earlier
        where earlier.accountant_id = accountants.id and earlier.month < ${about})`.as('before_at'),
      sql<string>`coalesce(business_registrations.business_name, users.email)`.as('name'),
    ])
    .where('accountants.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const common = { id, userId: row.vendor_user_id, email: row.email, vendorName: row.name }
  const at = deps.now().getTime()
  const isClosed = row.disabled_at !== null || row.deactivated_at !== null
  const over = row.ended_at ? 'ended' : isClosed ? 'closed' : null
  if (about === 'confirm') {
    const isLate = at >= row.asked_at.getTime() + CONFIRM_WITHIN_MS
    const state = over ?? (row.confirmed_at ? 'confirmed' : isLate ? 'expired' : 'open')
    return { ...common, about: 'confirm', state }
  }
  if (!row.sent_at) return null
  const isLate = at >= (row.accepted_at ?? row.sent_at).getTime() + FILES_OPEN_MS
  return {
    ...common,
    about: 'month',
    month: about,
    late: lateTime(row.before_at ?? row.confirmed_at ?? row.asked_at, row.sent_at),
    state: over ?? (isLate ? 'expired' : 'open'),
  }
}

/** A document of a month as the accountant's page lists it. */
export type MonthDocument = DocumentView & {
  subject: DocumentSubject
  about: string
  /** 'YYYY-MM', of one that was issued after its own month's mail. */
  lateFor: string | null
}

/** Lists the documents of a month's mail to an accountant, sales first. */
export async function listForAccountant(db: Database, of: MonthOfAccountant): Promise<MonthDocument[]> {
  const both = await Promise.all(
    (['sale', 'commission'] as const).map((subject) => listMonthDocuments(db, { ...of, subject })),
  )
  return both.flat().map((document: TaxDocument) => {
    const { number, kind, isTaxed, issuedOn, suppliedOn, cents, subject, month, event } = document
    const about = month ? commissionOfText(month) : (event?.business ?? '')
    const ofMonth = suppliedOn.slice(0, 7)
    const lateFor = ofMonth < of.month ? ofMonth : null
    return { number, kind, isTaxed, issuedOn, cents, subject, about, lateFor }
  })
}
