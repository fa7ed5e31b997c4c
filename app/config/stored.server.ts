import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePushKeys } from '../adapters/push/keys.ts'

const SECRET_BYTES = 32
/** A P-256 private key, in base64url. */
const PUSH_KEY_BYTES = 32

/** A stored file is damaged. The message names it and how to go on. */
export class StoredValueDamaged extends Error {
  constructor(path: string, consequence: string) {
    super(`The file ${path} is damaged, as after a full disk: its content is too short or not what was written.
Restore it from a backup, or delete it to get a new one. ${consequence}`)
    this.name = 'StoredValueDamaged'
  }
}

/**
 * The demo's own secret, so that sessions survive a restart.
 * @throws StoredValueDamaged
 */
export const storedSecret = (folder: string) =>
  stored(folder, 'secret', {
    make: () => randomBytes(SECRET_BYTES).toString('hex'),
    isWhole: (value) => /^[0-9a-f]+$/.test(value) && value.length === 2 * SECRET_BYTES,
    consequence:
      'With a new one, everybody has to log in again, and links in mails that were sent don’t work any more.',
  })

/**
 * The demo's own key for push services, so that subscriptions survive a restart.
 * @throws StoredValueDamaged
 */
export const storedPushKey = (folder: string) =>
  stored(folder, 'push-key', {
    make: () => makePushKeys().privateKey,
    isWhole: (value) => /^[\w-]+$/.test(value) && Buffer.from(value, 'base64url').length === PUSH_KEY_BYTES,
    consequence: 'With a new one, devices have to turn on notifications again.',
  })

type Value = { make(): string; isWhole(value: string): boolean; consequence: string }

/** A value that is made once and stored in a file. */
function stored(folder: string, file: string, { make, isWhole, consequence }: Value): string {
  const path = join(folder, file)
  if (existsSync(path)) {
    const value = readFileSync(path, 'utf8').trim()
    if (!isWhole(value)) throw new StoredValueDamaged(path, consequence)
    return value
  }
  mkdirSync(folder, { recursive: true })
  const value = make()
  // Written beside and renamed, so that a full disk or a crash leaves no half of it under its name.
  const unfinished = `${path}.${process.pid}.part`
  try {
    writeFileSync(unfinished, `${value}\n`, { mode: 0o600, flush: true })
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
  return value
}
