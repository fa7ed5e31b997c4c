import { hashPassword as hashNow, verifyPassword as verifyNow } from 'better-auth/crypto'
import { limitConcurrency } from '../../shared/concurrency-limit.ts'

/**
 * Checked or set at the same time in this process. Each takes a tenth of a second of one of Node's four threads for such
 * work, first come, first served. Sessions' signatures, files and the compression of pages need those threads as well:
 * behind a crowd that signs in they would wait until all of it is done.
 */
const PASSWORDS_AT_ONCE = 2

const atOnce = limitConcurrency(PASSWORDS_AT_ONCE)

/** How passwords are hashed for storage, and checked against a stored hash. */
export type Passwords = {
  hash(password: string): Promise<string>
  verify(given: { hash: string; password: string }): Promise<boolean>
}

/** The product's own: scrypt, as slow as guessing has to be. No setting changes it; tests bring a cheap one. */
export const slowPasswords: Passwords = {
  hash: (password) => atOnce(() => hashNow(password)),
  verify: (given) => atOnce(() => verifyNow(given)),
}
