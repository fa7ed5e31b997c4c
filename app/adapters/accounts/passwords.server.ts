import { hashPassword as hashNow, verifyPassword as verifyNow } from 'better-auth/crypto'
import { createTurns } from '../../shared/in-turn.ts'

/**
 * Checked or set at the same time in this process. Each takes a tenth of a second of one of Node's four threads for such
 * work, first come, first served. Sessions' signatures, files and the compression of pages need those threads as well:
 * behind a crowd that signs in they would wait until all of it is done.
 */
const LANES = 2

const inTurn = createTurns()
let count = 0
const inLane = <Result>(work: () => Promise<Result>) => inTurn(String(count++ % LANES), work)

/** The hash of a password, as it is stored. */
export function hashPassword(password: string): Promise<string> {
  return inLane(() => hashNow(password))
}

/** Whether a password is the one of this hash. */
export function verifyPassword(given: { hash: string; password: string }): Promise<boolean> {
  return inLane(() => verifyNow(given))
}
