import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { attachUploads, dropUploads, keyOfUrl } from '../files/commands.server.ts'
import { findVersionedRegistration, registrationVersion } from './queries.server.ts'
import { applyAnswer, type RegistrationDeps } from './register-commands.server.ts'
import { findLastAnswer } from './register-queries.server.ts'
import type { RegisterProblem } from './register-rules.ts'
import type { Registration } from './schema.ts'

/**
 * Registers this user's business, once (Decision 8). Another user's registration of the same ABN does not prevent it:
 * operators see both.
 * @param registration checked by registrationSchema
 * @returns refuses with 'already_registered' when this user has another one, and with 'unknown_logo' for a logo that this user
 * did not upload
 */
export async function registerBusiness(
  deps: RegistrationDeps,
  userId: string,
  registration: Registration,
): Promise<{ ok: true } | { ok: false; reason: 'already_registered' | 'unknown_logo' }> {
  const id = newId()
  const at = deps.now()
  return deps.db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto('business_registrations')
      .values({ ...columnsOf(registration), id, user_id: userId, created_at: at, updated_at: at })
      // A second press waits here for the first.
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added)
      return (await isSaved(tx, userId, registration))
        ? { ok: true }
        : { ok: false, reason: 'already_registered' }
    if (!(await attachLogo(tx, { userId, registrationId: id, logoUrl: registration.logoUrl })))
      return { ok: false, reason: 'unknown_logo' }
    await askAboutChange(deps, tx, { id, userId, problem: null }, registration)
    return { ok: true }
  })
}

/**
 * Replaces this user's registration. A logo that it no longer uses is deleted.
 * @param registration checked by registrationSchema, with every field
 * @param expectedVersion the version that the form was made from (`registrationVersion`). Left out, any version is replaced
 * @returns refuses a form of an older version with 'changed_meanwhile' and the version that is saved now
 */
export async function changeRegistration(
  deps: RegistrationDeps,
  userId: string,
  registration: Registration,
  expectedVersion?: string,
): Promise<
  | { ok: true }
  | { ok: false; reason: 'not_found' | 'unknown_logo'; version?: undefined }
  | { ok: false; reason: 'changed_meanwhile'; version: string }
> {
  return deps.db.transaction().execute(async (tx) => {
    const present = await tx
      .selectFrom('business_registrations')
      .select(['id', 'logo_url', 'updated_at', 'abn', 'gst_registered', 'register_problem'])
      .where('user_id', '=', userId)
      .forUpdate()
      .executeTakeFirst()
    if (!present) return { ok: false as const, reason: 'not_found' as const }
    const version = registrationVersion(present)
    if (expectedVersion && expectedVersion !== version) {
      if (await isSaved(tx, userId, registration)) return { ok: true as const }
      return { ok: false as const, reason: 'changed_meanwhile' as const, version }
    }
    const { logoUrl } = registration
    const isKept = logoUrl !== '' && logoUrl === present.logo_url
    if (!isKept && !(await attachLogo(tx, { userId, registrationId: present.id, logoUrl }))) {
      return { ok: false as const, reason: 'unknown_logo' as const }
    }
    await tx
      .updateTable('business_registrations')
      .set({ ...columnsOf(registration), updated_at: deps.now() })
      .where('id', '=', present.id)
      .execute()
    if (registration.abn !== present.abn || registration.gstRegistered !== present.gst_registered) {
      const { id, register_problem: problem } = present
      await askAboutChange(deps, tx, { id, userId, problem }, registration)
    }
    const key = keyOfUrl(logoUrl)
    await dropUploads(deps, tx, { from: `registration:${present.id}`, keep: key ? [key] : [] })
    return { ok: true as const }
  })
}

/**
 * Asks the register about a registration whose ABN or GST has changed. Until it answers, its last answer about the ABN holds, so
 * that nobody gets rid of a bad one by saving again.
 */
async function askAboutChange(
  deps: RegistrationDeps,
  tx: DatabaseTransaction,
  saved: { id: string; userId: string; problem: RegisterProblem | null },
  { abn, gstRegistered }: Registration,
): Promise<void> {
  const row = {
    ...{ id: saved.id, user_id: saved.userId, register_problem: saved.problem },
    ...{ abn, gst_registered: gstRegistered },
  }
  await applyAnswer(deps, tx, row, await findLastAnswer(tx, abn))
  await deps.jobs.enqueue(tx, 'ask-register', { registrationId: saved.id })
}

/** Whether a form's values are saved already: its answer was lost, and its owner has pressed the button again. */
async function isSaved(
  tx: DatabaseTransaction,
  userId: string,
  registration: Registration,
): Promise<boolean> {
  const saved = await findVersionedRegistration(tx, userId)
  return (
    saved !== null &&
    (Object.keys(registration) as (keyof Registration)[]).every(
      (field) => saved.registration[field] === registration[field],
    )
  )
}

async function attachLogo(
  tx: DatabaseTransaction,
  input: { userId: string; registrationId: string; logoUrl: string },
): Promise<boolean> {
  if (input.logoUrl === '') return true
  const key = keyOfUrl(input.logoUrl)
  if (!key) return false
  const to = `registration:${input.registrationId}` as const
  return (await attachUploads(tx, { userId: input.userId, keys: [key], to })) !== null
}

function columnsOf(registration: Registration) {
  return {
    business_name: registration.businessName,
    abn: registration.abn,
    acn: registration.acn,
    business_structure: registration.businessStructure,
    industry_type: registration.industryType,
    gst_registered: registration.gstRegistered,
    principal_address: registration.principalAddress,
    postal_address: registration.postalAddress,
    business_phone: registration.businessPhone,
    business_email: registration.businessEmail,
    website: registration.website,
    owner_name: registration.ownerName,
    owner_dob: registration.ownerDob,
    owner_phone: registration.ownerPhone,
    owner_email: registration.ownerEmail,
    logo_url: registration.logoUrl || null,
    business_description: registration.businessDescription,
  }
}
