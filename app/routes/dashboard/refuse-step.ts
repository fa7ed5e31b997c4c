import { data } from 'react-router'
import type { StepProblem } from '../../features/availability/messages.ts'
import type { StepRefusal } from '../../features/availability/schema.ts'

const STATUSES = {
  signed_out: 401,
  not_found: 404,
  too_many: 409,
  already_there: 409,
  changed_meanwhile: 409,
  no_such_time: 400,
  invalid_fields: 400,
  too_often: 429,
  failed: 503,
  unreachable: 422,
  refused_address: 422,
  too_large: 422,
  too_slow: 422,
  not_a_calendar: 422,
  too_many_events: 422,
  unreadable_event: 422,
  http_error: 422,
} as const satisfies Record<StepProblem, number>

/** Answers a refused step on the calendar or the availability screen. */
export function refuseStep(
  reason: StepProblem,
  more: Partial<Pick<StepRefusal, 'errors' | 'version' | 'event'>> = {},
) {
  return data<StepRefusal>({ ok: false, reason, errors: null, ...more }, { status: STATUSES[reason] })
}

/** Reports a lost connection as a message; the typed values stay. */
export async function refuseWithoutConnection<Answer>(send: () => Promise<Answer>) {
  try {
    return await send()
  } catch (error) {
    if (error instanceof Response) throw error
    return refuseStep('failed')
  }
}
