import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { normalForm } from '../../shared/normal-form.ts'

/**
 * The length of a stored hash, in bytes: one good password in ten million is refused by chance.
 */
const ENTRY_BYTES = 5

/** The passwords that guessers try first. */
export type CommonPasswords = {
  /** Whether a password is on the list, in any case. */
  has(password: string): boolean
}

/**
 * Reads the list: the first five bytes of each password's SHA-256, in ascending order
 * (docs/decisions/0040-weak-passwords.md). `database/make-common-passwords.ts` writes it.
 */
export function openCommonPasswords(file: string): CommonPasswords {
  const entries = readFileSync(file)
  return {
    has(password) {
      const wanted = commonPasswordEntry(password)
      let low = 0
      let high = entries.length / ENTRY_BYTES
      while (low < high) {
        const middle = (low + high) >> 1
        const order = entries.compare(
          wanted,
          0,
          ENTRY_BYTES,
          middle * ENTRY_BYTES,
          (middle + 1) * ENTRY_BYTES,
        )
        if (order === 0) return true
        if (order < 0) low = middle + 1
        else high = middle
      }
      return false
    },
  }
}

/** The entry of a password in the list. */
export function commonPasswordEntry(password: string): Buffer {
  const plain = normalForm(password, 'NFKC').toLowerCase()
  return createHash('sha256').update(plain).digest().subarray(0, ENTRY_BYTES)
}
