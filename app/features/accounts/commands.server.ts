import type { SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { href } from 'react-router'
import type { z } from 'zod'
import type { EmailChange } from '../../adapters/accounts/better-auth/mails.server.ts'
import type {
  AccountCode,
  AccountRefusal,
  FactorChange,
  MailedAccount,
} from '../../adapters/accounts/port.ts'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { FileStore, StoredFile } from '../../adapters/file-store/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { MailMessage } from '../../adapters/mail/port.ts'
import type { RateLimits } from '../../adapters/rate-limits/port.ts'
import { signedInCookies } from '../../shared/cookies.ts'
import { newId } from '../../shared/ids.ts'
import type { MailSite } from '../../shared/mail.ts'
import { drawUpload, type UploadDeps, type UploadRefusal } from '../files/commands.server.ts'
import { accountSender } from '../files/rules.ts'
import { emailChangedAgainMail, factorChangedMail } from './mails.ts'
import { accountWording } from './messages.ts'
import { listFormerEmails } from './queries.server.ts'
import { deviceName, MAX_PHOTO_BYTES, type MailPreferences, PHOTO_SIZE, WRITE_LIMIT } from './rules.ts'

// Never sent back to the browser, whatever was wrong with the form.
const SECRET_FIELDS = ['password', 'currentPassword', 'newPassword', 'code', 'recoveryCode', 'proof']
/** Shown beside the field in which a new password is chosen. */
const BESIDE_NEW_PASSWORD = ['weak-password', 'password-does-not-meet-requirements'] as const
/** Refusals that aren't the user's mistake. */
const STATUSES: Partial<Record<AccountCode, number>> = { 'too-many-requests': 429, 'internal-error': 503 }

export type AccountFormOutcome<Answer> =
  | { ok: true; answer: Answer }
  | { ok: false; status: number; reason: AccountCode | 'invalid_fields'; result: SubmissionResult }

/**
 * Runs one account form: checks its fields, then calls the account service. A refusal becomes a reply with the reason
 * in words that keeps the typed values, but never a password.
 * @param input.newPassword the field in which a new password is chosen
 * @param input.onField reasons shown beside a field, with their wording
 * @param input.inWords reasons for which this form has better wording than the catalogue
 */
export async function submitAccountForm<Input, Answer extends { ok: true }>(input: {
  form: FormData
  schema: z.ZodType<Input>
  ask: (fields: Input) => Promise<Answer | AccountRefusal>
  newPassword?: string
  onField?: Partial<Record<AccountCode, { field: string; message: string }>>
  inWords?: Partial<Record<AccountCode, string>>
}): Promise<AccountFormOutcome<Answer>> {
  const submission = parseWithZod(input.form, { schema: input.schema })
  const hideFields = SECRET_FIELDS as never
  if (submission.status !== 'success') {
    return { ok: false, status: 400, reason: 'invalid_fields', result: submission.reply({ hideFields }) }
  }
  const answer = await input.ask(submission.value)
  if (answer.ok) return { ok: true, answer }
  const { reason } = answer as AccountRefusal
  const beside =
    input.newPassword && BESIDE_NEW_PASSWORD.some((code) => code === reason)
      ? { field: input.newPassword, message: accountWording[reason] }
      : input.onField?.[reason]
  return {
    ok: false,
    status: STATUSES[reason] ?? 400,
    reason,
    result: submission.reply({
      ...(beside
        ? { fieldErrors: { [beside.field]: [beside.message] } as never }
        : { formErrors: [input.inWords?.[reason] ?? accountWording[reason]] }),
      hideFields,
    }),
  }
}

/**
 * The headers that sign a browser in: the session, and the hint that makes every tab fetch the authentication state
 * again.
 */
export function signedInHeaders(cookies: readonly string[], publicUrl: URL): Headers {
  return withCookies([...cookies, ...signedInCookies(newId(8), publicUrl)])
}

/** The headers that sign a browser out. */
export function signedOutHeaders(cookies: readonly string[], publicUrl: URL): Headers {
  return withCookies([...cookies, ...signedInCookies(null, publicUrl)])
}

/** The headers that set complete Set-Cookie values, and nothing else. */
export function withCookies(cookies: readonly string[]): Headers {
  const headers = new Headers()
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return headers
}

export type AccountDeps = {
  db: Database
  jobs: Jobs
  brand: string
  publicUrl: URL
  now: () => Date
}

/**
 * Records the device of a sign-in, and mails the user about a new one. The very first is the device they signed up on.
 */
export async function noteSignIn(
  deps: AccountDeps,
  input: { userId: string; userAgent: string | null },
): Promise<void> {
  const device = deviceName(input.userAgent)
  await deps.db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto('known_devices')
      .values({ user_id: input.userId, device, seen_at: deps.now() })
      .onConflict((conflict) => conflict.columns(['user_id', 'device']).doNothing())
      .returning('device')
      .executeTakeFirst()
    if (!added) {
      await tx
        .updateTable('known_devices')
        .set({ seen_at: deps.now() })
        .where('user_id', '=', input.userId)
        .where('device', '=', device)
        .execute()
      return
    }
    const other = await tx
      .selectFrom('known_devices')
      .select('device')
      .where('user_id', '=', input.userId)
      .where('device', '<>', device)
      .limit(1)
      .executeTakeFirst()
    if (!other) return
    // The job makes the mail's secret link, and drops the mail if the person has turned it off.
    await deps.jobs.enqueue(tx, 'send-account-link', { kind: 'new-device', userId: input.userId, device })
  })
}

/**
 * Mails a change of password to every address of the account: to the present one and to those that it left in
 * the last seven days.
 */
export async function tellAddresses(
  deps: Pick<AccountDeps, 'db' | 'jobs' | 'now'>,
  to: MailedAccount,
  mailOf: (to: MailedAccount) => MailMessage,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await deps.jobs.enqueue(tx, 'send-mail', mailOf(to))
    await tellFormerAddresses(deps, tx, to, mailOf)
  })
}

/**
 * Mails a change of email to the address that was left, with the link that undoes it, and to those that the account left
 * in the seven days before.
 * @param tx the transaction of the change
 */
export async function tellOfEmailChange(
  deps: Pick<AccountDeps, 'jobs' | 'now'> & { site: MailSite },
  tx: DatabaseTransaction,
  change: EmailChange,
): Promise<void> {
  await deps.jobs.enqueue(tx, 'send-account-link', { kind: 'undo-email-change', ...change })
  const user = await tx
    .selectFrom('users')
    .select(['email', 'name'])
    .where('id', '=', change.userId)
    .executeTakeFirstOrThrow()
  await tellFormerAddresses(deps, tx, user, (to) => emailChangedAgainMail(to, deps.site))
}

/** Mails every address that the account has left in the last seven days. Each had been confirmed. */
async function tellFormerAddresses(
  deps: Pick<AccountDeps, 'jobs' | 'now'>,
  tx: DatabaseTransaction,
  { email: present, name }: Pick<MailedAccount, 'email' | 'name'>,
  mailOf: (to: MailedAccount) => MailMessage,
): Promise<void> {
  for (const email of await listFormerEmails(tx, { email: present, now: deps.now() }))
    await deps.jobs.enqueue(tx, 'send-mail', mailOf({ email, name, emailVerified: true }))
}

/**
 * Mails a change of a passkey or second factor to every address of the account. The present address gets a link by which
 * its owner signs everybody out.
 */
export async function noteFactorChange(
  deps: Pick<AccountDeps, 'db' | 'jobs' | 'now'> & { site: MailSite },
  { userId, kind }: FactorChange,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['email', 'name'])
      .where('id', '=', userId)
      .executeTakeFirst()
    if (!user) return
    await deps.jobs.enqueue(tx, 'send-account-link', { kind: 'new-device', userId, factor: kind })
    await tellFormerAddresses(deps, tx, user, (to) => factorChangedMail(to, null, deps.site, kind))
  })
}

/** Counts one change that an account saves, of any kind. */
export function mayWrite(rateLimits: RateLimits, userId: string): Promise<boolean> {
  return rateLimits.take(`write:${userId}`, WRITE_LIMIT)
}

/**
 * Saves the name and phone of the signed-in user.
 * @param input.phone null removes it
 */
export async function updateProfile(
  deps: Pick<AccountDeps, 'db' | 'now'>,
  input: { userId: string; displayName: string; phone: string | null },
): Promise<void> {
  await deps.db
    .updateTable('users')
    .set({ name: input.displayName, phone: input.phone, updated_at: deps.now() })
    .where('id', '=', input.userId)
    .execute()
}

/** Saves the signed-in user's mail preferences. */
export async function chooseMails(db: Database, userId: string, preferences: MailPreferences): Promise<void> {
  await db
    .updateTable('users')
    .set({
      mail_sign_ins: preferences.signIns,
      mail_new_bookings: preferences.newBookings,
      mail_reminders: preferences.reminders,
      mail_reviews: preferences.reviews,
    })
    .where('id', '=', userId)
    .execute()
}

const PHOTO_FOLDER = 'userPhotos'
const PHOTOS_PATH = href('/photos/:name', { name: '' })
const PHOTO_NAME = /^[a-z0-9]{26}\.webp$/
const PHOTO_QUALITY = 82

/** How long a stored photo waits for its account before it is deleted. */
const UNUSED_AFTER_MS = 3_600_000

type PhotoDeps = { db: Database; files: FileStore; jobs: Jobs; now: () => Date }

/**
 * Gives the signed-in user a photo, redrawn as a 512 px square without metadata (Decision 13). The previous photo is
 * deleted.
 * @param input.bytes the raw upload: its type is detected from them, not from a file name
 */
export async function changePhoto(
  deps: PhotoDeps & UploadDeps,
  input: { userId: string; bytes: Uint8Array },
): Promise<{ ok: true; url: string } | { ok: false; reason: UploadRefusal }> {
  const drawn = await drawUpload(
    deps,
    { sender: accountSender(input.userId), bytes: input.bytes, maxBytes: MAX_PHOTO_BYTES },
    (decoded) =>
      decoded
        .resize(PHOTO_SIZE, PHOTO_SIZE, { fit: 'cover', position: 'attention' })
        .webp({ quality: PHOTO_QUALITY })
        .toBuffer(),
  )
  if (!drawn.ok) return drawn
  const name = `${newId()}.webp`
  const url = href('/photos/:name', { name })
  const { userId } = input
  // Queued before the photo is stored: the account may be deleted meanwhile, or this process end.
  await deps.db
    .transaction()
    .execute((tx) =>
      deps.jobs.enqueue(
        tx,
        'delete-unused-photo',
        { userId, url },
        { startAfter: new Date(Date.now() + UNUSED_AFTER_MS) },
      ),
    )
  await deps.files.put(`${PHOTO_FOLDER}/${name}`, { bytes: drawn.picture, contentType: 'image/webp' })
  await replacePhoto(deps, userId, url)
  return { ok: true, url }
}

/** Deletes the signed-in user's photo and its file. */
export async function removePhoto(deps: Omit<PhotoDeps, 'files'>, userId: string): Promise<void> {
  await replacePhoto(deps, userId, null)
}

async function replacePhoto(
  deps: Omit<PhotoDeps, 'files'>,
  userId: string,
  url: string | null,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('users')
      .select('image')
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirst()
    await tx
      .updateTable('users')
      .set({ image: url, updated_at: deps.now() })
      .where('id', '=', userId)
      .execute()
    await dropPhoto(deps, tx, { userId, url: row?.image ?? null })
  })
}

/**
 * Deletes the file of a photo that an account has had, by a job of the transaction that takes it away. So a file store
 * that is unavailable delays the deletion, and fails nothing. Any other address is left alone.
 */
export async function dropPhoto(
  deps: Pick<PhotoDeps, 'jobs'>,
  tx: DatabaseTransaction,
  { userId, url }: { userId: string; url: string | null },
): Promise<void> {
  if (url && photoKey(url)) await deps.jobs.enqueue(tx, 'delete-unused-photo', { userId, url })
}

/** Deletes the file of a photo, unless its account has that photo now. */
export async function deleteUnusedPhoto(
  { db, files }: Pick<PhotoDeps, 'db' | 'files'>,
  { userId, url }: { userId: string; url: string },
): Promise<void> {
  const key = photoKey(url)
  if (!key) return
  const used = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('image', '=', url)
    .executeTakeFirst()
  if (!used) await files.delete(key)
}

/** The key of the file behind a photo's address, or null for any other address. */
function photoKey(url: string): string | null {
  const name = url.startsWith(PHOTOS_PATH) ? url.slice(PHOTOS_PATH.length) : ''
  return PHOTO_NAME.test(name) ? `${PHOTO_FOLDER}/${name}` : null
}

/**
 * Reads a photo by the name in its address.
 * @returns null when the name is malformed or the photo is gone
 */
export async function readPhoto(files: FileStore, name: string): Promise<StoredFile | null> {
  return PHOTO_NAME.test(name) ? files.read(`${PHOTO_FOLDER}/${name}`) : null
}
