import { hashPassword as hashNow, verifyPassword as verifyNow } from 'better-auth/crypto'
import { limitConcurrency } from '../../shared/concurrency-limit.ts'

/**
 * How many passwords this process hashes concurrently. Each hash occupies one of Node's four worker threads for a tenth
 * of a second, in FIFO order. Session signatures, files and the compression of pages need those threads as well, and
 * would otherwise wait behind a crowd that signs in.
 */
const MAX_CONCURRENT_HASHES = 2

const limited = limitConcurrency(MAX_CONCURRENT_HASHES)

/** Hashes passwords for storage and verifies them against a stored hash. */
export type Passwords = {
  hash(password: string): Promise<string>
  verify(given: { hash: string; password: string }): Promise<boolean>
}

/** Whether a guesser would try a new password early. Asked only when a person sets one, never at a sign-in. */
export type IsWeakPassword = (password: string, owner: { email: string }) => Promise<boolean>

/** The product's own hash: scrypt, slow enough to make guessing hard. No setting changes it; tests pass a cheap one. */
export const slowPasswords: Passwords = {
  hash: (password) => limited(() => hashNow(password)),
  verify: (given) => limited(() => verifyNow(given)),
}
