import type { TimeGone } from '../../features/availability/queries.server.ts'
import { REFUSAL_FIELDS, refusalText } from '../../features/availability/wording.ts'
import { jsonAnswer } from '../../shared/json-body.ts'

/** What the payment service answers when a time can't be booked: why, beside which field, and the nearest free ones. */
export function timeGoneAnswer({ reason, why, wish, rules, alternatives }: TimeGone): Response {
  const message = refusalText(why, rules, wish)
  return jsonAnswer(409, {
    error: { code: reason, message, why, field: REFUSAL_FIELDS[why], alternatives },
  })
}
