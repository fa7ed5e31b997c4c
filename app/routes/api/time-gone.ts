import { timeProblem } from '../../features/availability/messages.ts'
import type { TimeGone } from '../../features/availability/slot-queries.server.ts'
import { jsonAnswer } from '../../shared/json-body.ts'

/** What the payment service answers when a time can't be booked: why, beside which field, and the nearest free ones. */
export function timeGoneAnswer(gone: TimeGone): Response {
  return jsonAnswer(409, { error: { code: gone.reason, why: gone.why, ...timeProblem(gone) } })
}
