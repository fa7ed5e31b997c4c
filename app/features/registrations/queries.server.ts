import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Registration } from './schema.ts'

/**
 * Returns the avatar of a signed-in user: the logo of the registration whose owner email is the user's (Specification,
 * section 6), if this account saved it or the email is verified (Decision 9).
 */
export async function findAvatar(
  db: Database,
  user: { uid: string; email: string; emailVerified: boolean },
): Promise<string | null> {
  const row = await db
    .selectFrom('business_registrations')
    .select('logo_url')
    .where('owner_email', '=', user.email)
    .where((eb) => eb.or([eb('user_id', '=', user.uid), eb.val(user.emailVerified)]))
    .where('logo_url', 'is not', null)
    .orderBy('created_at')
    .executeTakeFirst()
  return row?.logo_url ?? null
}

/**
 * Returns this user's complete registration. It contains the owner's private fields, so nobody else may see it
 * (Decision 20).
 * @returns null without one
 */
export async function findOwnRegistration(db: Database, userId: string): Promise<Registration | null> {
  return (await findVersionedRegistration(db, userId))?.registration ?? null
}

/** Returns the version of a stored registration, which its form posts back. */
export const registrationVersion = (row: { updated_at: Date }) => row.updated_at.toISOString()

/** The same with its version, for the form that changes it. */
export async function findVersionedRegistration(
  db: Database | DatabaseTransaction,
  userId: string,
): Promise<{ registration: Registration; version: string } | null> {
  const row = await db
    .selectFrom('business_registrations')
    .selectAll()
    .select(sql<string>`to_char(owner_dob, 'YYYY-MM-DD')`.as('owner_dob_text'))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!row) return null
  const registration = {
    businessName: row.business_name,
    abn: row.abn,
    acn: row.acn,
    businessStructure: row.business_structure,
    industryType: row.industry_type,
    gstRegistered: row.gst_registered,
    principalAddress: row.principal_address,
    postalAddress: row.postal_address,
    businessPhone: row.business_phone,
    businessEmail: row.business_email,
    website: row.website,
    ownerName: row.owner_name,
    ownerDob: row.owner_dob_text,
    ownerPhone: row.owner_phone,
    ownerEmail: row.owner_email,
    logoUrl: row.logo_url ?? '',
    businessDescription: row.business_description,
  }
  return { registration, version: registrationVersion(row) }
}

/** Whether this user has a registration. */
export async function isRegistered(db: Database, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('business_registrations')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** An ABN with the registrations that have it, the oldest first. Times are ISO 8601, UTC. */
export type SharedAbn = {
  abn: string
  registrations: { userId: string; businessName: string; createdAt: string }[]
}

/**
 * Lists ABNs that several users have registered, for operators to check (Decision 8): those with the newest
 * registration first.
 * @param limit how many ABNs to list
 */
export async function listSharedAbns(db: Database, limit: number): Promise<SharedAbn[]> {
  const rows = await db
    .with('shared', (cte) =>
      cte
        .selectFrom('business_registrations')
        .select((eb) => ['abn', eb.fn.max('created_at').as('newest_at')])
        .groupBy('abn')
        .having((eb) => eb.fn.countAll(), '>', 1)
        .orderBy('newest_at', 'desc')
        .orderBy('abn')
        .limit(limit),
    )
    .selectFrom('business_registrations')
    .innerJoin('shared', 'shared.abn', 'business_registrations.abn')
    .select(['business_registrations.abn', 'user_id', 'business_name', 'created_at'])
    .orderBy('newest_at', 'desc')
    .orderBy('business_registrations.abn')
    .orderBy('created_at')
    .execute()
  const byAbn = Map.groupBy(rows, (row) => row.abn)
  return [...byAbn].map(([abn, sharing]) => ({
    abn,
    registrations: sharing.map((row) => ({
      userId: row.user_id,
      businessName: row.business_name,
      createdAt: row.created_at.toISOString(),
    })),
  }))
}
