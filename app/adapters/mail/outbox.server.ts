import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mail, MailMessage } from './port.ts'

export type OutboxMail = MailMessage & { sentAt: string }

export interface Outbox extends Mail {
  /** The newest mails first. */
  list(limit: number): Promise<OutboxMail[]>
  /** Deletes mails of more than a month ago. */
  forgetOld(): Promise<void>
}

const KEPT_MS = 30 * 24 * 60 * 60_000
/** For the user who runs the product alone: mails hold links that open accounts and bookings. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/**
 * Keeps mails as files instead of sending them: the embedded default, and what the tests read as a person would
 * read their mail. A mail sent twice is one file, since its name comes from the message id.
 * @param folder made when it is missing
 */
export function createOutbox(folder: string, now: () => Date): Outbox {
  const fileOf = (message: MailMessage) =>
    join(folder, `${createHash('sha256').update(message.messageId).digest('hex').slice(0, 32)}.json`)
  async function openFolder() {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
    // A folder that was there keeps its mode.
    await chmod(folder, FOLDER_MODE)
  }
  return {
    async send(message) {
      await openFolder()
      const mail: OutboxMail = { ...message, sentAt: now().toISOString() }
      // Written beside and renamed, so that a reader never sees half a mail.
      const path = fileOf(message)
      await writeFile(`${path}.part`, JSON.stringify(mail, null, 2), { mode: FILE_MODE })
      await rename(`${path}.part`, path)
    },
    async list(limit) {
      await openFolder()
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json'))
      const mails = await Promise.all(
        names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as OutboxMail),
      )
      return mails.sort((a, b) => b.sentAt.localeCompare(a.sentAt)).slice(0, limit)
    },
    async forgetOld() {
      await openFolder()
      for (const name of await readdir(folder)) {
        const path = join(folder, name)
        if ((await stat(path)).mtimeMs < now().getTime() - KEPT_MS) await rm(path)
      }
    },
  }
}
