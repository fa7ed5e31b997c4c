import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { FaultPoint } from '../fault-points.ts'
import {
  checkCard,
  findSandboxCard,
  OUTCOME_MESSAGES,
  type SandboxCard,
  type SandboxConfirmRequest,
  type SandboxField,
} from '../sandbox-cards.ts'
import type { SandboxState } from '../sandbox-tables.server.ts'
import { addMovement, availableAfter, chargeFeeCents } from './balance.server.ts'
import { openDispute } from './disputes.server.ts'
import { lockPayment } from './payments.server.ts'
import type { SandboxWebhooks } from './webhooks.server.ts'

export type SandboxConfirmation =
  | { ok: true; status: 'succeeded' | 'requires_action'; id: string }
  | { ok: false; reason: 'unknown_payment' | 'ended'; message: string }
  | { ok: false; reason: 'fields'; message: string; fields: Partial<Record<SandboxField, string>> }
  | { ok: false; reason: 'card_refused'; message: string }

type Deps = {
  db: Database
  now: () => Date
  faultPoint: FaultPoint
  webhooks: Pick<SandboxWebhooks, 'addEvent' | 'deliverSoon'>
}

/** Confirms a payment's card. Refuses numbers other than the test cards', and doesn't store them. */
export async function confirmCard(deps: Deps, input: SandboxConfirmRequest): Promise<SandboxConfirmation> {
  const { db, now, faultPoint, webhooks } = deps
  const fields = checkCard(input, now())
  const card = findSandboxCard(input.cardNumber)
  if (!card || Object.keys(fields).length > 0)
    return { ok: false, reason: 'fields', message: Object.values(fields)[0] ?? '', fields }
  faultPoint('card-checked')
  const { result, eventId } = await db.transaction().execute((tx) => confirmIn(deps, tx, input, card))
  if (result.ok && result.status === 'succeeded') faultPoint('card-charged')
  if (eventId) webhooks.deliverSoon(eventId)
  return result
}

async function confirmIn(
  { now, faultPoint, webhooks }: Deps,
  tx: DatabaseTransaction,
  input: SandboxConfirmRequest,
  card: SandboxCard,
): Promise<{ result: SandboxConfirmation; eventId: string | undefined }> {
  const row = await lockPayment(tx, { column: 'client_secret', value: input.clientSecret })
  const done = (result: SandboxConfirmation, eventId?: string) => ({ result, eventId })
  if (!row) return done({ ok: false, reason: 'unknown_payment', message: 'No such payment.' })
  if (row.state === 'succeeded') return done({ ok: true, status: 'succeeded', id: row.id })
  if (row.state === 'canceled')
    return done({ ok: false, reason: 'ended', message: 'This payment has ended. Start a new one.' })

  const move = async (state: SandboxState, error: string | null, event?: string) => {
    await tx
      .updateTable('sandbox_payments')
      .set({
        state,
        last_error: error,
        card_last4: card.number.slice(-4),
        behaviour: card.afterwards ?? 'none',
        updated_at: now(),
      })
      .where('id', '=', row.id)
      .execute()
    return event ? webhooks.addEvent(tx, event, row.id) : undefined
  }
  const refused = async (message: string) =>
    done(
      { ok: false, reason: 'card_refused', message },
      await move('requires_payment_method', message, 'payment_intent.payment_failed'),
    )
  const succeeded = async () => {
    const event = await move('succeeded', null, 'payment_intent.succeeded')
    const amountCents = Number(row.amount_cents)
    await addMovement(tx, now(), {
      kind: 'charge',
      reference: row.id,
      amountCents,
      feeCents: chargeFeeCents(amountCents),
      availableAt: availableAfter(now()),
    })
    // Its events are left to the next run, as a bank takes its time.
    if (card.afterwards === 'disputed') await openDispute({ now, webhooks }, tx, row.id)
    faultPoint('card-charged-uncommitted')
    return done({ ok: true, status: 'succeeded', id: row.id }, event)
  }

  if (card.outcome === 'approved') return succeeded()
  if (card.outcome !== 'challenge') return refused(OUTCOME_MESSAGES[card.outcome])
  // A response to the challenge counts only after the challenge was made.
  if (row.state === 'requires_action' && input.challenge === 'approve') return succeeded()
  if (row.state === 'requires_action' && input.challenge === 'fail')
    return refused(OUTCOME_MESSAGES.challenge_failed)
  return done(
    { ok: true, status: 'requires_action', id: row.id },
    await move('requires_action', null, 'payment_intent.requires_action'),
  )
}
