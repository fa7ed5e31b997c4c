import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePushKeys } from '../adapters/push/keys.ts'

/** The demo's own secret, so that sessions survive a restart. */
export const storedSecret = (folder: string) =>
  stored(folder, 'secret', () => randomBytes(32).toString('hex'))

/** The demo's own key for push services, so that subscriptions survive a restart. */
export const storedPushKey = (folder: string) => stored(folder, 'push-key', () => makePushKeys().privateKey)

/** A value that is made once and stored in a file. */
function stored(folder: string, file: string, make: () => string): string {
  const path = join(folder, file)
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  mkdirSync(folder, { recursive: true })
  const value = make()
  writeFileSync(path, `${value}\n`, { mode: 0o600 })
  return value
}
