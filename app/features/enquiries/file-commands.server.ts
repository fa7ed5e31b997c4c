import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { FileStore, StoredFile } from '../../adapters/file-store/port.ts'
import type { Limit } from '../../adapters/rate-limits/port.ts'
import { limitConcurrency, QueueFull } from '../../shared/concurrency-limit.ts'
import { newId } from '../../shared/ids.ts'
import { toOneLine } from '../../shared/one-line.ts'
import { drawUpload } from '../files/commands.server.ts'
import {
  isPdf,
  MAX_CONCURRENT_UPLOADS,
  MAX_UPLOADS_WAITING,
  STORED_SIDE,
  type UploadSender,
} from '../files/rules.ts'
import type { EnquiryDeps } from './deps.server.ts'
import type { FILE_REFUSALS } from './messages.ts'
import { MAX_MESSAGE_FILE_BYTES, MAX_MESSAGE_FILES, MAX_UNCONFIRMED_BYTES } from './rules.ts'

/** A file that has been checked and stored. No message has it yet. */
export type CheckedFile = {
  id: string
  key: string
  name: string
  contentType: 'image/webp' | 'application/pdf'
  bytes: number
}

/** The owner of the files: its folder in the store, and the job that deletes its unused ones after an hour. */
export type FileHome = {
  folder: 'messages' | 'proofs'
  deletedBy: 'delete-message-files' | 'delete-proof-files'
}
const OF_MESSAGES: FileHome = { folder: 'messages', deletedBy: 'delete-message-files' }

/** A daily limit of megabytes, and the key that counts them. */
export type FileQuota = { key: string; limit: Limit }

/** The services that check and store files. */
export type FileKeepingDeps = Pick<EnquiryDeps, 'db' | 'jobs' | 'files' | 'pdfs' | 'now' | 'rateLimits'>

/** The first file that can't be attached, and why. */
export type FileRefused = { ok: false; reason: 'file'; file: string; why: keyof typeof FILE_REFUSALS }

const WEBP_QUALITY = 85
const MAX_NAME_LENGTH = 100
/** One at a time, beside the pictures, so that neither waits for the other. Senders take turns. */
const limitPdfs = limitConcurrency(1, MAX_CONCURRENT_UPLOADS, MAX_UPLOADS_WAITING)
/** How long a stored file waits for its message before it is deleted. */
const UNUSED_AFTER_MS = 3_600_000

/**
 * Checks the files of a message by their content and stores them, all or none. Pictures are re-encoded, which removes
 * their metadata and anything hidden after the pixels. PDFs are written again without what their pages don't need, and refused
 * if something in them is active.
 * @param input.sender whose turns, concurrent uploads and pixels are counted, over all conversations
 * @param input.quotas the sender's daily limits
 * @param input.isUnconfirmed whether the files are a guest's, whose question nobody has confirmed yet
 * @param input.home where they belong, if not to a message
 */
export async function keepMessageFiles(
  deps: FileKeepingDeps,
  input: {
    sender: UploadSender
    files: readonly File[]
    quotas: readonly FileQuota[]
    isUnconfirmed?: boolean
    home?: FileHome
  },
): Promise<{ ok: true; files: CheckedFile[] } | FileRefused> {
  const { sender, files, home = OF_MESSAGES } = input
  const [first] = files
  if (!first) return { ok: true, files: [] }
  const refusal = await refusalOf(deps, input)
  if (refusal) return { ok: false, reason: 'file', file: cleanName(first.name), why: refusal }
  const checked: { file: CheckedFile; stored: StoredFile }[] = []
  for (const [index, file] of files.entries()) {
    const name = cleanName(file.name)
    if (index >= MAX_MESSAGE_FILES) return { ok: false, reason: 'file', file: name, why: 'too_many' }
    const stored = await checkFile(deps, sender, file)
    if (!('bytes' in stored)) return { ok: false, reason: 'file', file: name, why: stored.why }
    const id = newId()
    const isPicture = stored.contentType === 'image/webp'
    const ending = isPicture ? 'webp' : 'pdf'
    checked.push({
      stored,
      file: {
        id,
        key: `${home.folder}/${id}.${ending}`,
        name: `${name.replace(/\.[^.]*$/, '') || 'file'}.${ending}`,
        contentType: isPicture ? 'image/webp' : 'application/pdf',
        bytes: stored.bytes.byteLength,
      },
    })
  }
  const keys = checked.map(({ file }) => file.key)
  // Queued before they are stored, so that the files of a message that is then refused don't stay.
  await deps.db
    .transaction()
    .execute((tx) =>
      deps.jobs.enqueue(tx, home.deletedBy, { keys }, { startAfter: new Date(Date.now() + UNUSED_AFTER_MS) }),
    )
  for (const { file, stored } of checked) {
    try {
      await deps.files.put(file.key, stored)
    } catch (error) {
      // Features import only types of adapters, so the class is known by its name.
      if (!(error instanceof Error) || error.name !== 'FileStoreUnavailable') throw error
      return { ok: false, reason: 'file', file: file.name, why: 'overrun' }
    }
  }
  return { ok: true, files: checked.map(({ file }) => file) }
}

/** Why no more files are taken from a sender today. Counts them unless they are refused. */
async function refusalOf(
  { db, rateLimits }: Pick<EnquiryDeps, 'db' | 'rateLimits'>,
  { files, quotas, isUnconfirmed = false }: Omit<Parameters<typeof keepMessageFiles>[1], 'sender'>,
): Promise<keyof typeof FILE_REFUSALS | null> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  // Refused beside the file below, so they don't use up the day.
  if (files.length > MAX_MESSAGE_FILES || files.some(({ size }) => size > MAX_MESSAGE_FILE_BYTES)) return null
  if (isUnconfirmed && (await countUnconfirmedBytes(db)) + bytes > MAX_UNCONFIRMED_BYTES) return 'overrun'
  const megabytes = Math.ceil(bytes / 1_048_576)
  const taken: FileQuota[] = []
  for (const quota of quotas) {
    taken.push(quota)
    if (await rateLimits.take(quota.key, quota.limit, megabytes)) continue
    for (const { key, limit } of taken) await rateLimits.giveBack(key, limit, megabytes)
    return isUnconfirmed ? 'too_much_as_guest' : 'too_much_today'
  }
  return null
}

/** Counts the bytes of files whose questions wait to be confirmed. */
async function countUnconfirmedBytes(db: Database): Promise<number> {
  const row = await db
    .selectFrom('message_files')
    .innerJoin('messages', 'messages.id', 'message_files.message_id')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select(sql<string | number | null>`sum(message_files.bytes)`.as('bytes'))
    .where('conversations.verified_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.bytes ?? 0)
}

async function checkFile(
  deps: Pick<EnquiryDeps, 'pdfs' | 'rateLimits'>,
  sender: UploadSender,
  file: File,
): Promise<StoredFile | { why: keyof typeof FILE_REFUSALS }> {
  if (file.size === 0) return { why: 'empty' }
  if (file.size > MAX_MESSAGE_FILE_BYTES) return { why: 'too_large' }
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (isPdf(bytes)) return cleanPdf(deps, sender, bytes)
  const drawn = await drawUpload(
    deps,
    { sender, bytes, maxBytes: MAX_MESSAGE_FILE_BYTES },
    async (decoded): Promise<StoredFile> => ({
      bytes: await decoded
        .resize({ width: STORED_SIDE, height: STORED_SIDE, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: WEBP_QUALITY })
        .toBuffer(),
      contentType: 'image/webp',
    }),
  )
  if (drawn.ok) return drawn.picture
  return { why: drawn.reason === 'not_an_image' ? 'wrong_type' : drawn.reason }
}

async function cleanPdf(
  { pdfs }: Pick<EnquiryDeps, 'pdfs'>,
  sender: UploadSender,
  bytes: Uint8Array,
): Promise<StoredFile | { why: keyof typeof FILE_REFUSALS }> {
  try {
    const cleaned = await limitPdfs(() => pdfs.clean(bytes), sender.key)
    if (!cleaned.ok) return { why: `${cleaned.reason}_pdf` }
    // Written again, a document of many parts may be larger.
    if (cleaned.bytes.byteLength > MAX_MESSAGE_FILE_BYTES) return { why: 'too_large' }
    return { bytes: cleaned.bytes, contentType: 'application/pdf' }
  } catch (error) {
    if (error instanceof QueueFull) return { why: 'overrun' }
    throw error
  }
}

/** The name of a file for headers and pages: one line, without a folder. */
function cleanName(name: string): string {
  const last = toOneLine(name).split(/[/\\]/).at(-1)?.trim() ?? ''
  return [...last].slice(-MAX_NAME_LENGTH).join('') || 'file'
}

/** Attaches stored files to a new message. */
export async function addFiles(
  tx: DatabaseTransaction,
  messageId: string,
  files: readonly CheckedFile[],
): Promise<void> {
  if (files.length === 0) return
  await tx
    .insertInto('message_files')
    .values(
      files.map(({ id, key, name, contentType, bytes }, position) => ({
        id,
        message_id: messageId,
        position,
        key,
        name,
        content_type: contentType,
        bytes,
      })),
    )
    .execute()
}

/** Deletes the messages of conversations, and their files with the transaction's commit. */
export async function deleteMessages(
  deps: Pick<EnquiryDeps, 'jobs'>,
  tx: DatabaseTransaction,
  conversationIds: readonly string[],
): Promise<void> {
  if (conversationIds.length === 0) return
  const files = await tx
    .selectFrom('message_files')
    .innerJoin('messages', 'messages.id', 'message_files.message_id')
    .select('message_files.key')
    .where('messages.conversation_id', 'in', [...conversationIds])
    .execute()
  await tx
    .deleteFrom('messages')
    .where('conversation_id', 'in', [...conversationIds])
    .execute()
  if (files.length > 0)
    await deps.jobs.enqueue(tx, 'delete-message-files', { keys: files.map(({ key }) => key) })
}

/** Deletes those of the stored files that no message has. */
export async function deleteUnusedFiles(
  { db, files }: { db: Database; files: FileStore },
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    const used = await db
      .selectFrom('message_files')
      .select(sql`1`.as('one'))
      .where('key', '=', key)
      .executeTakeFirst()
    if (!used) await files.delete(key)
  }
}
