import { hashPassword as hashNow, verifyPassword as verifyNow } from 'better-auth/crypto'
import { limitAtOnce } from '../../shared/at-once.ts'

/**
 * Checked or set at the same time in this process. Each takes a tenth of a second of one of Node's four threads for such
 * work, first come, first served. Sessions' signatures, files and the compression of pages need those threads as well:
 * behind a crowd that signs in they would wait until all of it is done.
 */
const PASSWORDS_AT_ONCE = 2

const atOnce = limitAtOnce(PASSWORDS_AT_ONCE)

/** The hash of a password, as it is stored. */
export function hashPassword(password: string): Promise<string> {
  return atOnce(() => hashNow(password))
}

/** Whether a password is the one of this hash. */
export function verifyPassword(given: { hash: string; password: string }): Promise<boolean> {
  return atOnce(() => verifyNow(given))
}
