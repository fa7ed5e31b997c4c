import type { OperationAnswer } from '../../features/operators/components/operation-form.tsx'
import { answerDispute, settleAnswer } from '../../features/operators/dispute-answer-commands.server.ts'
import {
  ASKED_SECOND,
  answeredBy,
  refusedText,
  SENDING_AGAIN,
} from '../../features/operators/dispute-messages.ts'
import type { EvidenceTexts } from '../../features/operators/dispute-rules.ts'
import { type ActContext, type ActHandlers, answerOf, secondPersonDeps } from './act-handlers.server.ts'

const refusedByProvider = (message: string): OperationAnswer => ({ ok: false, message: refusedText(message) })

const OUTCOMES = { waits: ASKED_SECOND, unreachable: SENDING_AGAIN, sent: undefined, dropped: undefined }

/** Answers a dispute, with evidence or by giving it up. Above the limit of one operator it waits for a second. */
async function answer(
  { services, operator }: ActContext,
  act: 'submit-evidence' | 'accept-dispute',
  given: { id: string; seen: string; reason: string; texts: EvidenceTexts | null },
): Promise<OperationAnswer> {
  const { id: disputeId, seen: expectedVersion, reason, texts } = given
  const answered = await answerDispute(secondPersonDeps(services), {
    operator,
    disputeId,
    texts,
    expectedVersion,
    reason,
  })
  if (answered.ok) return answerOf(act, answered, OUTCOMES[answered.outcome])
  if (answered.reason === 'refused') return refusedByProvider(answered.message)
  if (answered.reason === 'changed' && answered.by)
    return { ok: false, message: answeredBy(answered.by.email, answered.by.kind) }
  return answerOf(act, { ok: false, reason: answered.reason })
}

async function settle(
  { services, operator }: ActContext,
  act: 'confirm-answer' | 'drop-answer',
  answerId: string,
): Promise<OperationAnswer> {
  const isConfirmed = act === 'confirm-answer'
  const settled = await settleAnswer(secondPersonDeps(services), { operator, answerId, isConfirmed })
  if (settled.ok) return answerOf(act, settled, OUTCOMES[settled.outcome])
  if (settled.reason === 'refused') return refusedByProvider(settled.message)
  return answerOf(act, { ok: false, reason: settled.reason })
}

/** Sends answers to disputes, and confirms or drops those that wait for a second operator. */
export const DISPUTE_HANDLERS: ActHandlers<
  'submit-evidence' | 'accept-dispute' | 'confirm-answer' | 'drop-answer'
> = {
  'submit-evidence': (context, { id, seen, reason, ...texts }) =>
    answer(context, 'submit-evidence', { id, seen, reason, texts }),
  'accept-dispute': (context, input) => answer(context, 'accept-dispute', { ...input, texts: null }),
  'confirm-answer': (context, { id }) => settle(context, 'confirm-answer', id),
  'drop-answer': (context, { id }) => settle(context, 'drop-answer', id),
}
