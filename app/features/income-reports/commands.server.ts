import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { type LocalDate, wallTimeAt } from '../../shared/dates.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import type { IncomeReportDeps } from './deps.server.ts'
import { reportXml } from './file-rules.ts'
import { detailsAskedMail } from './mails.ts'
import {
  findIdentities,
  findKinds,
  findNeeds,
  hasBeenVenue,
  listLodged,
  listVendorTrades,
} from './queries.server.ts'
import { reportSchema } from './report-schema.ts'
import {
  changesSince,
  type Detail,
  type HalfYear,
  halfYearAfter,
  IDENTITIES_KEPT_YEARS,
  type IncomeReport,
  isComplete,
  isHalfYear,
  isReportable,
  type LeftOut,
  REPORT_ZONE,
  reportedDetails,
  sellersOf,
  standingSellers,
  type VendorTrade,
} from './rules.ts'
import type { DetailsForm } from './schema.ts'
import { toReportText } from './text-rules.ts'

/** Whether the operator has a name and an ABN, so that a report can be lodged. */
const reporterOf = ({ platform: { name, abn } }: Pick<IncomeReportDeps, 'platform'>) => {
  const written = name === null ? null : toReportText(name)
  return written !== null && abn !== null ? { name: written, abn } : null
}

/** The operator of a sample. */
const SAMPLE_REPORTER = { name: 'Sample', abn: '51824753556' }

/**
 * Builds the next report of a half-year: the first has all vendors, a correction those that differ from what was lodged. Vendors
 * whose details are incomplete, or whose GST the business register hasn't decided yet, aren't in it: what was lodged of them stands.
 */
export async function buildReport(
  db: Database | DatabaseTransaction,
  deps: Pick<IncomeReportDeps, 'platform'>,
  half: HalfYear,
): Promise<{ report: IncomeReport; vendors: VendorTrade[]; isSample: boolean; isCorrection: boolean }> {
  const lodged = await listLodged(db, half)
  const version = (lodged.at(-1)?.version ?? 0) + 1
  const vendors = await listVendorTrades(db, half)
  let records = 0
  const nextReference = () => `${half}-v${version}-${++records}`
  const sellers = vendors.filter(isReportable).flatMap((vendor) => sellersOf(vendor, nextReference))
  const reporter = reporterOf(deps)
  const leftOut = vendors.flatMap((vendor): IncomeReport['leftOut'][number][] => {
    const reason = vendor.leftOut ?? (isReportable(vendor) ? null : 'incomplete')
    return reason ? [{ userId: vendor.identity.userId, reason }] : []
  })
  const standing = standingSellers(lodged)
  return {
    report: {
      ...{ half, version, reporter: reporter ?? SAMPLE_REPORTER, leftOut },
      sellers: changesSince(standing, sellers, leftOut),
    },
    vendors,
    isSample: reporter === null,
    isCorrection: lodged.length > 0,
  }
}

/**
 * Stores the next report of a half-year, in place of one that was made and not lodged. From then on its file doesn't change.
 * @param input.leavesOutIncomplete whether vendors whose details are missing are left for a correction
 * @param input.seen the id of the report that was made before, as the operator saw it; null for none
 * @param input.wasNotLodged whether the operator says that the report made before was not lodged, though its file was downloaded
 * @returns refuses with 'not_over' before its last day is over, with 'no_reporter' while the operator has no name or ABN, with
 *   'details_missing', with 'nothing_changed' where nothing differs from what was lodged, with 'not_acceptable' where it fails its own
 *   check, with 'made_again' when another was made or lodged since, and with 'downloaded' for one that may be lodged
 */
export async function storeReport(
  deps: Pick<IncomeReportDeps, 'platform' | 'now'>,
  tx: DatabaseTransaction,
  input: {
    half: HalfYear
    leavesOutIncomplete: boolean
    seen: string | null
    wasNotLodged: boolean
    madeBy: string
  },
): Promise<
  | { ok: true; id: string; report: IncomeReport }
  | {
      ok: false
      reason:
        | 'not_found'
        | 'not_over'
        | 'no_reporter'
        | 'details_missing'
        | 'nothing_changed'
        | 'not_acceptable'
        | 'made_again'
        | 'downloaded'
    }
> {
  const { half } = input
  const at = deps.now()
  if (!isHalfYear(half)) return refuse('not_found')
  if (wallTimeAt(at, REPORT_ZONE).date < halfYearAfter(half)) return refuse('not_over')
  const { report, isSample, isCorrection } = await buildReport(tx, deps, half)
  if (isSample) return refuse('no_reporter')
  if (!input.leavesOutIncomplete && report.leftOut.some(({ reason }) => reason === 'incomplete'))
    return refuse('details_missing')
  if (isCorrection && report.sellers.length === 0) return refuse('nothing_changed')
  const draft = await tx
    .selectFrom('income_reports')
    .select(['id', 'downloaded_at'])
    .where(sql<boolean>`half_year = ${half}::date`)
    .where('lodged_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if ((draft?.id ?? null) !== input.seen) return refuse('made_again')
  if (draft?.downloaded_at && !input.wasNotLodged) return refuse('downloaded')
  const checked = reportSchema.safeParse(report)
  if (!checked.success) return refuse('not_acceptable')
  const xml = reportXml(report, false)
  const id = newId()
  const row = {
    ...{ id, half_year: half, version: report.version, content: JSON.stringify(checked.data), xml },
    sha256: createHash('sha256').update(xml).digest('hex'),
    ...{ made_at: at, made_by: input.madeBy, downloaded_at: null },
    ...{ lodged_at: null, lodged_by: null, receipt: null },
  }
  if (!draft) {
    const added = await tx
      .insertInto('income_reports')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    return added ? { ok: true, id, report } : refuse('made_again')
  }
  // It is locked, so nobody else replaces it meanwhile.
  await tx.deleteFrom('income_reports').where('id', '=', draft.id).execute()
  await tx.insertInto('income_reports').values(row).execute()
  return { ok: true, id, report }
}

/** Notes that a report's file is downloaded, before it is read: from now on it may be lodged. */
export async function noteDownloaded(
  deps: { db: Database; now: () => Date },
  of: { half: HalfYear; version: number },
): Promise<void> {
  await deps.db
    .updateTable('income_reports')
    .set({ downloaded_at: deps.now() })
    .where(sql<boolean>`half_year = ${of.half}::date`)
    .where('version', '=', of.version)
    .where('lodged_at', 'is', null)
    .where('downloaded_at', 'is', null)
    .execute()
}

/**
 * Notes that a report was lodged, which is done on the Tax Office's own site.
 * @returns refuses with 'not_found', and with 'settled' if it was noted before
 */
export async function noteLodged(
  deps: Pick<IncomeReportDeps, 'now'>,
  tx: DatabaseTransaction,
  input: { id: string; lodgedBy: string; receipt: string },
): Promise<{ ok: true; half: HalfYear; version: number } | { ok: false; reason: 'not_found' | 'settled' }> {
  const row = await tx
    .updateTable('income_reports')
    .set({ lodged_at: deps.now(), lodged_by: input.lodgedBy, receipt: input.receipt })
    .where('id', '=', input.id)
    .where('lodged_at', 'is', null)
    .returning([sql<LocalDate>`to_char(half_year, 'YYYY-MM-DD')`.as('half'), 'version'])
    .executeTakeFirst()
  if (row) return { ok: true, half: row.half, version: row.version }
  const known = await tx
    .selectFrom('income_reports')
    .select('id')
    .where('id', '=', input.id)
    .executeTakeFirst()
  return refuse(known ? 'settled' : 'not_found')
}

/**
 * Notes the receipt of a lodged report again, after a slip. The one before stays.
 * @param input.seen the receipt that the operator saw
 * @returns refuses with 'not_found' for a report that isn't lodged, and with 'changed' when another receipt was noted since
 */
export async function correctReceipt(
  deps: Pick<IncomeReportDeps, 'now'>,
  tx: DatabaseTransaction,
  input: { id: string; seen: string; receipt: string; notedBy: string },
): Promise<{ ok: true; half: HalfYear; version: number } | { ok: false; reason: 'not_found' | 'changed' }> {
  const row = await tx
    .selectFrom('income_reports')
    .select([sql<LocalDate>`to_char(half_year, 'YYYY-MM-DD')`.as('half'), 'version', 'receipt'])
    .where('id', '=', input.id)
    .where('lodged_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return refuse('not_found')
  const newest = await tx
    .selectFrom('income_report_receipts')
    .select('receipt')
    .where('report_id', '=', input.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if ((newest ?? row).receipt !== input.seen) return refuse('changed')
  await tx
    .insertInto('income_report_receipts')
    .values({ report_id: input.id, receipt: input.receipt, noted_at: deps.now(), noted_by: input.notedBy })
    .execute()
  return { ok: true, half: row.half, version: row.version }
}

/** Leaves a vendor out of the reports, or reports them again. @param input.reason null reports them */
export async function leaveOut(
  deps: Pick<IncomeReportDeps, 'now'>,
  tx: DatabaseTransaction,
  input: { userId: string; reason: LeftOut | null },
): Promise<void> {
  const columns = { left_out: input.reason, updated_at: deps.now() }
  await tx
    .insertInto('identities')
    .values({ ...NO_DETAILS, user_id: input.userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

const NO_DETAILS = {
  ...{ kind: null, full_name: null, business_name: null, abn: null, birth_date: null, address: null },
  ...{ email: null, phone: null, left_out: null, asked_at: null, account_deleted_at: null },
} as const

/** How often a vendor is asked at most. */
const ASK_EACH_MS = 7 * DAY_MS

/**
 * Asks a vendor for what the reports need of them, by mail, once a week at most.
 * @returns refuses with 'not_found' for a vendor without an account, with 'nothing_missing', and with 'asked_lately'
 */
export async function askForDetails(
  deps: Pick<IncomeReportDeps, 'jobs' | 'now' | 'brand' | 'publicUrl'>,
  tx: DatabaseTransaction,
  input: { userId: string },
): Promise<{ ok: true } | { ok: false; reason: 'not_found' | 'nothing_missing' | 'asked_lately' }> {
  const at = deps.now()
  const user = await tx
    .selectFrom('users')
    .select(['email', 'name', 'email_verified'])
    .where('id', '=', input.userId)
    .executeTakeFirst()
  if (!user) return refuse('not_found')
  const needs = await findNeeds(tx, input.userId, at)
  if (!needs || isComplete(needs)) return refuse('nothing_missing')
  const asked = await tx
    .insertInto('identities')
    .values({ ...NO_DETAILS, user_id: input.userId, asked_at: at, updated_at: at })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ asked_at: at })
        .where((eb) =>
          eb.or([
            eb('identities.asked_at', 'is', null),
            eb('identities.asked_at', '<=', new Date(at.getTime() - ASK_EACH_MS)),
          ]),
        ),
    )
    .returning('user_id')
    .executeTakeFirst()
  if (!asked) return refuse('asked_lately')
  const to = { email: user.email, name: user.name, isProven: user.email_verified }
  await deps.jobs.enqueue(tx, 'send-mail', detailsAskedMail(input.userId, at, to, deps))
  return { ok: true }
}

/** Saves a vendor's answer. Only what the form has: the rest stays. @param details checked by `detailsSchema` */
export async function saveDetails(
  deps: { db: Database; now: () => Date },
  userId: string,
  details: DetailsForm,
): Promise<void> {
  const columns = {
    ...(details.fullName ? { full_name: details.fullName } : {}),
    ...(details.businessName ? { business_name: details.businessName } : {}),
    ...(details.birthDate ? { birth_date: details.birthDate } : {}),
    ...(details.address ? { address: details.address } : {}),
    ...(details.email ? { email: details.email } : {}),
    ...(details.phone ? { phone: details.phone } : {}),
    updated_at: deps.now(),
  }
  await deps.db
    .insertInto('identities')
    .values({ ...NO_DETAILS, user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

/**
 * Saves the street address of a vendor's venue, also of one that has another category now.
 * @returns refuses with 'not_found' for a listing that isn't theirs, or never was a venue
 */
export async function saveProperty(
  deps: { db: Database; now: () => Date },
  userId: string,
  input: { businessId: string; address: string },
): Promise<{ ok: true } | { ok: false; reason: 'not_found' }> {
  const own = await deps.db
    .selectFrom('businesses')
    .select('id')
    .where('id', '=', input.businessId)
    .where('user_id', '=', userId)
    .where(hasBeenVenue())
    .executeTakeFirst()
  if (!own) return refuse('not_found')
  const columns = { address: input.address, updated_at: deps.now() }
  await deps.db
    .insertInto('property_addresses')
    .values({ business_id: own.id, user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column('business_id').doUpdateSet(columns))
    .execute()
  return { ok: true }
}

/**
 * Keeps what the reports have of a vendor whose account is about to be deleted, as they are and as they sold before, and forgets the rest:
 * also the director of one that was always a company. Call it before their registration and their account go.
 */
export async function keepIdentity(
  tx: DatabaseTransaction,
  input: { userId: string; at: Date; hasTraded: boolean },
): Promise<void> {
  if (!input.hasTraded) {
    await tx.deleteFrom('identities').where('user_id', '=', input.userId).execute()
    await tx.deleteFrom('property_addresses').where('user_id', '=', input.userId).execute()
    await tx.deleteFrom('former_listings').where('user_id', '=', input.userId).execute()
    return
  }
  const identity = (await findIdentities(tx, [input.userId])).get(input.userId)
  if (!identity) return
  const kinds = await findKinds(tx, identity, input.at)
  const kept = (detail: Detail) =>
    kinds.some((kind) => reportedDetails(kind).has(detail)) ? identity[detail] : null
  const columns = {
    kind: identity.kind,
    full_name: kept('fullName'),
    business_name: kept('businessName'),
    abn: kept('abn'),
    birth_date: kept('birthDate'),
    ...{ address: kept('address'), email: kept('email'), phone: kept('phone') },
    ...{ account_deleted_at: input.at, updated_at: input.at },
  }
  await tx
    .insertInto('identities')
    .values({ ...NO_DETAILS, user_id: input.userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

/**
 * Deletes what was kept of accounts that were deleted five years ago, and the reports of a half-year five years after the last of them was
 * lodged: a correction is never without what it corrects.
 */
export async function forgetIdentities({ db, now }: { db: Database; now: () => Date }): Promise<void> {
  const before = new Date(now())
  before.setUTCFullYear(before.getUTCFullYear() - IDENTITIES_KEPT_YEARS)
  await db.transaction().execute(async (tx) => {
    for (const table of ['property_addresses', 'former_listings'] as const)
      await tx
        .deleteFrom(table)
        .where('user_id', 'in', (of) =>
          of.selectFrom('identities').select('user_id').where('account_deleted_at', '<=', before),
        )
        .execute()
    await tx.deleteFrom('identities').where('account_deleted_at', '<=', before).execute()
    // Saved at the moment at which the account was deleted.
    await sql`
      delete from identities where account_deleted_at is null and not exists (
        select from users where users.id = identities.user_id)`.execute(tx)
    await sql`
      delete from income_reports where half_year in (
        select half_year from income_reports group by half_year
        having max(coalesce(lodged_at, made_at)) <= ${before})`.execute(tx)
  })
}
