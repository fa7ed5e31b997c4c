import { createHash, randomBytes } from 'node:crypto'
import type { Passwords } from '../app/adapters/accounts/passwords.server.ts'

/** Password hashes that cost nothing, for tests that log in often but don't test passwords. */
export const cheapPasswords: Passwords = {
  async hash(password) {
    const salt = randomBytes(16).toString('hex')
    return `${salt}:${digest(salt, password)}`
  },
  async verify({ hash, password }) {
    const [salt = '', key] = hash.split(':')
    return digest(salt, password) === key
  },
}

function digest(salt: string, password: string): string {
  return createHash('sha256').update(salt).update(password.normalize('NFKC')).digest('hex')
}
