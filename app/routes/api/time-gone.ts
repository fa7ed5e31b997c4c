import { timeProblem } from '../../features/availability/messages.ts'
import type { TimeGone } from '../../features/availability/slot-queries.server.ts'
import { jsonAnswer } from '../../shared/json-body.ts'

/** The payment service's response when a time can't be booked: the reason, its field, and the nearest free times. */
export function timeGoneAnswer(gone: TimeGone): Response {
  return jsonAnswer(409, { error: { code: gone.reason, why: gone.why, ...timeProblem(gone) } })
}
