import type { Selectable } from 'kysely'
import type { Database, DatabaseTransaction, Tables } from '../../database/port.ts'
import type { FaultPoint } from '../fault-points.ts'
import {
  checkCard,
  findSandboxCard,
  OUTCOME_MESSAGES,
  readExpiry,
  type SandboxConfirmRequest,
  type SandboxField,
  type SandboxOutcome,
} from '../sandbox-cards.ts'
import type { SandboxState } from '../sandbox-tables.server.ts'
import { addMovement, availableAfter, chargeFeeCents } from './balance.server.ts'
import { openDispute } from './disputes.server.ts'
import { addMethod, findMethod, lockSetup, type PresentedCard } from './kept-cards.server.ts'
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
  webhooks: Pick<SandboxWebhooks, 'addEvent' | 'addCardEvent' | 'deliverSoon'>
}

type Confirmed = { result: SandboxConfirmation; eventIds: string[] }
type PaymentRecord = Selectable<Tables['sandbox_payments']>

const NO_PAYMENT = { ok: false, reason: 'unknown_payment', message: 'No such payment.' } as const

/**
 * Confirms the card of a payment or of a setup. Refuses numbers other than the test cards', and doesn't store them. A kept card
 * is only taken for its own customer.
 */
export async function confirmCard(deps: Deps, input: SandboxConfirmRequest): Promise<SandboxConfirmation> {
  const { db, now, faultPoint, webhooks } = deps
  let typed: PresentedCard | null = null
  if (!('method' in input)) {
    const fields = checkCard(input, now())
    const card = findSandboxCard(input.cardNumber)
    if (!card || Object.keys(fields).length > 0)
      return { ok: false, reason: 'fields', message: Object.values(fields)[0] ?? '', fields }
    typed = { card, expires: readExpiry(input.expiry), method: null }
  }
  faultPoint('card-checked')
  const { result, eventIds } = await db.transaction().execute(async (tx) => {
    const setup = typed && (await lockSetup(tx, { column: 'client_secret', value: input.clientSecret }))
    if (typed && setup) return confirmSetup(deps, tx, setup, typed, input.challenge)
    const payment = await lockPayment(tx, { column: 'client_secret', value: input.clientSecret })
    if (!payment) return { result: NO_PAYMENT, eventIds: [] }
    const customer = payment.sandbox_customer_id
    const presented =
      'method' in input ? customer && (await findMethod(tx, { id: input.method, customer })) : typed
    if (presented) return confirmPayment(deps, tx, payment, presented, input.challenge)
    const message = 'No such card. Use another one.'
    return { result: { ok: false, reason: 'card_refused', message } as const, eventIds: [] }
  })
  if (result.ok && result.status === 'succeeded') faultPoint('card-charged')
  webhooks.deliverSoon(...eventIds)
  return result
}

async function confirmPayment(
  deps: Deps,
  tx: DatabaseTransaction,
  payment: PaymentRecord,
  presented: PresentedCard,
  challenge: SandboxConfirmRequest['challenge'],
): Promise<Confirmed> {
  const { id, state } = payment
  if (state === 'succeeded') return { result: { ok: true, status: 'succeeded', id }, eventIds: [] }
  if (state === 'canceled') return ended()
  const answer = answerOf(paymentOutcome(presented), state, challenge)
  if (answer === 'approved') {
    const eventIds = await chargeIn(deps, tx, payment, presented)
    return { result: { ok: true, status: 'succeeded', id }, eventIds }
  }
  if (answer === 'requires_action') {
    const eventIds = await movePayment(deps, tx, { id, presented, state: answer, error: null })
    return { result: { ok: true, status: answer, id }, eventIds }
  }
  const message = OUTCOME_MESSAGES[answer]
  const eventIds = await refuseIn(deps, tx, { id, presented, message, declineCode: null })
  return { result: { ok: false, reason: 'card_refused', message }, eventIds }
}

async function confirmSetup(
  { now, webhooks }: Deps,
  tx: DatabaseTransaction,
  setup: Selectable<Tables['sandbox_setups']>,
  presented: PresentedCard,
  challenge: SandboxConfirmRequest['challenge'],
): Promise<Confirmed> {
  const { id, state } = setup
  if (state === 'succeeded') return { result: { ok: true, status: 'succeeded', id }, eventIds: [] }
  if (state === 'canceled') return ended()
  const { card } = presented
  const answer = answerOf(card.setup ?? card.outcome, state, challenge)
  const isApproved = answer === 'approved'
  const method = isApproved ? await addMethod(tx, now(), setup.sandbox_customer_id, presented) : null
  const next = isApproved ? 'succeeded' : answer === 'requires_action' ? answer : 'requires_payment_method'
  await tx
    .updateTable('sandbox_setups')
    .set({ state: next, sandbox_method_id: method })
    .where('id', '=', id)
    .execute()
  const event = isApproved ? 'setup_intent.succeeded' : `setup_intent.${EVENTS[next]}`
  const eventIds = [await webhooks.addCardEvent(tx, event, id)]
  if (next !== 'requires_payment_method') return { result: { ok: true, status: next, id }, eventIds }
  const message = OUTCOME_MESSAGES[answer as keyof typeof OUTCOME_MESSAGES]
  return { result: { ok: false, reason: 'card_refused', message }, eventIds }
}

const ended = (): Confirmed => ({
  result: { ok: false, reason: 'ended', message: 'This payment has ended. Start a new one.' },
  eventIds: [],
})

/** A kept card that its bank has approved once isn't asked about again, unless it fails without the customer. */
function paymentOutcome({ card, method }: PresentedCard): SandboxOutcome {
  return method && card.outcome === 'challenge' && !card.kept ? 'approved' : card.outcome
}

/** A response to the challenge counts only after the challenge was made. */
function answerOf(
  outcome: SandboxOutcome,
  state: SandboxState,
  challenge: SandboxConfirmRequest['challenge'],
): 'approved' | 'requires_action' | keyof typeof OUTCOME_MESSAGES {
  if (outcome !== 'challenge') return outcome
  if (state !== 'requires_action' || !challenge) return 'requires_action'
  return challenge === 'approve' ? 'approved' : 'challenge_failed'
}

const EVENTS = {
  requires_payment_method: 'payment_failed',
  requires_action: 'requires_action',
  succeeded: 'succeeded',
  canceled: 'canceled',
} as const satisfies Record<SandboxState, string>

type Move = { id: string; presented: PresentedCard; state: SandboxState; error: string | null }

async function movePayment(
  { now, webhooks }: Pick<Deps, 'now'> & { webhooks: Pick<SandboxWebhooks, 'addEvent'> },
  tx: DatabaseTransaction,
  { id, presented, state, error, ...more }: Move & { declineCode?: string | null; method?: string | null },
): Promise<string[]> {
  const { card } = presented
  await tx
    .updateTable('sandbox_payments')
    .set({
      state,
      last_error: error,
      card_last4: card.number.slice(-4),
      behaviour: card.afterwards ?? 'none',
      decline_code: more.declineCode ?? null,
      ...(more.method === undefined ? {} : { sandbox_method_id: more.method }),
      updated_at: now(),
    })
    .where('id', '=', id)
    .execute()
  return [await webhooks.addEvent(tx, `payment_intent.${EVENTS[state]}`, id)]
}

/** Charges a card that its bank has approved, and keeps it if the payment saves its card. */
export async function chargeIn(
  deps: Pick<Deps, 'now' | 'faultPoint'> & { webhooks: Pick<SandboxWebhooks, 'addEvent'> },
  tx: DatabaseTransaction,
  payment: PaymentRecord,
  presented: PresentedCard,
): Promise<string[]> {
  const { now, faultPoint, webhooks } = deps
  const { id } = payment
  const customer = payment.saves_card && !presented.method ? payment.sandbox_customer_id : null
  const method = customer ? await addMethod(tx, now(), customer, presented) : presented.method
  const eventIds = await movePayment(deps, tx, { id, presented, state: 'succeeded', error: null, method })
  const amountCents = Number(payment.amount_cents)
  await addMovement(tx, now(), {
    kind: 'charge',
    reference: id,
    amountCents,
    feeCents: chargeFeeCents(amountCents),
    availableAt: availableAfter(now()),
  })
  // Its events are left to the next run, as a bank takes its time.
  if (presented.card.afterwards === 'disputed') await openDispute({ now, webhooks }, tx, id)
  faultPoint('card-charged-uncommitted')
  return eventIds
}

/** Leaves a payment open whose card was refused. */
export function refuseIn(
  deps: Pick<Deps, 'now'> & { webhooks: Pick<SandboxWebhooks, 'addEvent'> },
  tx: DatabaseTransaction,
  refusal: { id: string; presented: PresentedCard; message: string; declineCode: string | null },
): Promise<string[]> {
  const { id, presented, message, declineCode } = refusal
  const state = 'requires_payment_method'
  return movePayment(deps, tx, { id, presented, state, error: message, declineCode })
}
