import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../shared/time-units.ts'
import type { RenderedMail, RenderedMailSender } from './port.ts'

export type OutboxMail = RenderedMail & { sentAt: string }

export interface Outbox extends RenderedMailSender {
  /** The newest mails first. */
  list(limit: number): Promise<OutboxMail[]>
  /** Deletes mails that were written more than 30 days ago by the machine's own clock: a moved clock makes none unread. */
  forgetOld(): Promise<void>
}

const KEPT_MS = 30 * DAY_MS
/** Readable only by the user who runs the product, because mails contain links that open accounts and bookings. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/**
 * Stores mails as files instead of sending them. This is the embedded default, and tests read these files as people
 * read their mail. A mail that is sent twice is one file, because the message id determines its name.
 * @param folder created when it is missing
 * @param now the clock of the mails' times, which testers may move
 * @param realNow the machine's own, by which files are dated
 */
export function createOutbox(folder: string, now: () => Date, realNow = () => new Date()): Outbox {
  const fileOf = (message: RenderedMail) =>
    join(folder, `${createHash('sha256').update(message.messageId).digest('hex').slice(0, 32)}.json`)
  async function openFolder() {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
    // mkdir doesn't change the mode of an existing folder.
    await chmod(folder, FOLDER_MODE)
  }
  return {
    async send(message) {
      await openFolder()
      const mail: OutboxMail = { ...message, sentAt: now().toISOString() }
      // Write to a temporary file and rename it, so that no reader ever sees half a mail.
      const path = fileOf(message)
      await writeFile(`${path}.part`, JSON.stringify(mail, null, 2), { mode: FILE_MODE })
      await rename(`${path}.part`, path)
    },
    async list(limit) {
      await openFolder()
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json'))
      const texts = await Promise.all(names.map((name) => unlessGone(readFile(join(folder, name), 'utf8'))))
      const mails = texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as OutboxMail]))
      return mails.sort((a, b) => b.sentAt.localeCompare(a.sentAt)).slice(0, limit)
    },
    async forgetOld() {
      await openFolder()
      for (const name of await readdir(folder)) {
        const path = join(folder, name)
        const file = await unlessGone(stat(path))
        if (file && file.mtimeMs < realNow().getTime() - KEPT_MS) await rm(path, { force: true })
      }
    },
  }
}

/** @returns null for a file that was renamed or deleted since its folder was listed */
function unlessGone<Result>(reading: Promise<Result>): Promise<Result | null> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
