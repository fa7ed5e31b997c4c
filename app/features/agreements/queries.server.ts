import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { type AgreementStanding, agreementStanding, DOCUMENTS } from './rules.ts'

/** Whether a vendor has accepted a version of the vendor agreement, by default the one in force. */
export async function hasAccepted(
  db: Database | DatabaseTransaction,
  userId: string,
  version: string = DOCUMENTS.vendor_agreement.version,
): Promise<boolean> {
  const row = await db
    .selectFrom('acceptances')
    .select('id')
    .where('user_id', '=', userId)
    .where('document', '=', 'vendor_agreement')
    .where('version', '=', version)
    .executeTakeFirst()
  return row !== undefined
}

/** Finds whether a vendor has accepted the vendor agreement. */
export async function findAgreementStanding(
  db: Database | DatabaseTransaction,
  { userId, now }: { userId: string; now: Date },
): Promise<AgreementStanding> {
  const none = { hasAccepted: false, hadAccepted: false, toldAt: null }
  if (await hasAccepted(db, userId)) return agreementStanding({ ...none, hasAccepted: true }, now)
  const former = await db
    .selectFrom('acceptances')
    .select('id')
    .where('user_id', '=', userId)
    .where('document', '=', 'vendor_agreement')
    .executeTakeFirst()
  if (!former) return agreementStanding(none, now)
  const notice = await db
    .selectFrom('agreement_notices')
    .select('told_at')
    .where('user_id', '=', userId)
    .where('version', '=', DOCUMENTS.vendor_agreement.version)
    .executeTakeFirst()
  return agreementStanding({ ...none, hadAccepted: true, toldAt: notice?.told_at ?? null }, now)
}

/** Whether a vendor has accepted a version of the vendor agreement that holds now. */
export async function isAgreed(
  db: Database | DatabaseTransaction,
  vendor: { userId: string; now: Date },
): Promise<boolean> {
  return (await findAgreementStanding(db, vendor)).state !== 'missing'
}

/**
 * Lists vendors who have accepted an earlier vendor agreement, and have neither accepted the one in force nor been told of it.
 * @returns user ids
 */
export async function listVendorsToTell(db: Database, limit: number): Promise<string[]> {
  const { version } = DOCUMENTS.vendor_agreement
  const rows = await db
    .selectFrom('acceptances as former')
    .innerJoin('users', 'users.id', 'former.user_id')
    .select('users.id')
    .distinct()
    .where('former.document', '=', 'vendor_agreement')
    .where('former.version', '<>', version)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('acceptances as present')
            .select('present.id')
            .whereRef('present.user_id', '=', 'former.user_id')
            .where('present.document', '=', 'vendor_agreement')
            .where('present.version', '=', version),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('agreement_notices')
            .select('version')
            .whereRef('agreement_notices.user_id', '=', 'former.user_id')
            .where('version', '=', version),
        ),
      ),
    )
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Lists the documents that an account has accepted, with version and time, oldest first. */
export function listAcceptances(db: Database, userId: string) {
  return db
    .selectFrom('acceptances')
    .select(['document', 'version', 'accepted_at'])
    .where('user_id', '=', userId)
    .orderBy('accepted_at')
    .orderBy('id')
    .execute()
}

/** Lists each version of a document that an account has accepted, newest first, with the first time. */
export function listAcceptedVersions(db: Database, userId: string) {
  return db
    .selectFrom('acceptances')
    .select(({ fn }) => ['document', 'version', fn.min('accepted_at').as('accepted_at')])
    .where('user_id', '=', userId)
    .groupBy(['document', 'version'])
    .orderBy('version', 'desc')
    .orderBy('document')
    .execute()
}

/** Lists the versions of the vendor agreement that an account was told of by mail, for its export. */
export function listAgreementNotices(
  db: Database,
  userId: string,
): Promise<{ version: string; told_at: Date }[]> {
  return db
    .selectFrom('agreement_notices')
    .select(['version', 'told_at'])
    .where('user_id', '=', userId)
    .orderBy('told_at')
    .execute()
}
