import { beforeEach, describe, expect, it } from 'vitest'
import {
  booked,
  CARDS,
  decide,
  deps,
  event,
  receive,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import { OPERATOR, SECOND_OPERATOR } from '../../../tests/payout-stage.ts'
import type { PaymentProvider, ProviderRefusal } from '../../adapters/payments/port.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { proveLedger } from '../ledger/queries.server.ts'
import { settleDisputes } from '../payments/dispute-commands.server.ts'
import {
  answerDispute,
  type DisputeAnswerDeps,
  resendAnswers,
  settleAnswer,
} from './dispute-answer-commands.server.ts'
import { findDispute } from './dispute-facts-queries.server.ts'
import { type EvidenceTexts, RESEND_ANSWER_AFTER_MS } from './dispute-rules.ts'
import { listOperatorLog } from './log-queries.server.ts'

setBookingStage()

const LIMIT = 500_000
const TEXTS: EvidenceTexts = {
  product: 'A hall for 10 people',
  serviceDate: 'Saturday 14 March 2027',
  terms: 'Accepted before paying.',
  refusal: '',
  statement: 'It was approved.\nNobody cancelled.',
}
const UNREACHABLE: ProviderRefusal = { ok: false, reason: 'unreachable', message: 'No answer.' }

let using: DisputeAnswerDeps
beforeEach(() => {
  using = { ...deps, secondOperatorCents: LIMIT }
})

/** The deps with some calls of the provider replaced, as by an outage. */
const withProvider = (calls: Partial<PaymentProvider>, given = using): DisputeAnswerDeps => ({
  ...given,
  providers: [{ ...world.payments, ...calls }],
})

/** A booking whose payment is disputed, and the dispute. */
async function disputed(kind: 'dispute' | 'inquiry' = 'dispute') {
  const payment = await booked({}, kind === 'dispute' ? CARDS.disputed : CARDS.plain)
  if (kind === 'inquiry') await world.payments.openDispute(payment.reference, 'inquiry')
  await receive(deps, event(payment.reference, newId(), 'charge.dispute.created'))
  const { id, provider_dispute: providerDispute } = await world.db
    .selectFrom('disputes')
    .select(['id', 'provider_dispute'])
    .where('payment_id', '=', payment.paymentId)
    .executeTakeFirstOrThrow()
  return { ...payment, id, providerDispute }
}
const seen = async (disputeId: string) => {
  const found = await findDispute(world.db, {
    disputeId,
    now: world.clock.now(),
    brand: 'Jubilee',
    secondOperatorCents: using.secondOperatorCents,
  })
  if (!found) throw new Error('no dispute')
  return found
}
async function answers(
  disputeId: string,
  given: Partial<Parameters<typeof answerDispute>[1]> = {},
  by: DisputeAnswerDeps = using,
) {
  const view = given.expectedVersion ?? (await seen(disputeId)).version
  const reason = 'The event took place.'
  return answerDispute(by, {
    operator: OPERATOR,
    disputeId,
    texts: TEXTS,
    reason,
    ...given,
    expectedVersion: view,
  })
}
const answerRows = (disputeId: string) =>
  world.db
    .selectFrom('dispute_answers')
    .selectAll()
    .where('dispute_id', '=', disputeId)
    .orderBy('number')
    .execute()
const atProvider = async (reference: string) => {
  const found = await world.payments.retrieveDispute(reference)
  if (!found.ok) throw new Error(found.message)
  return found
}
const loggedOf = async (disputeId: string) =>
  (await listOperatorLog(world.db)).filter(({ subjectId }) => subjectId === disputeId)

describe('evidence', () => {
  it('goes out with the customer and the receipt, and its row and the log name the operator', async () => {
    const { id, bookingId, providerDispute } = await disputed()
    await decide(bookingId, 'approved')
    expect(await answers(id)).toEqual({ ok: true, outcome: 'sent' })
    const { dispute, evidence, submissionCount, answerKey } = await atProvider(providerDispute)
    const [row] = await answerRows(id)
    expect(row).toMatchObject({
      kind: 'evidence',
      state: 'sent',
      texts: TEXTS,
      placed_by: OPERATOR.userId,
      settled_by: OPERATOR.userId,
      sent_at: world.clock.now(),
    })
    expect([dispute.status, submissionCount, answerKey]).toEqual(['under_review', 1, `answer-${row?.id}`])
    expect(evidence).toMatchObject({ ...TEXTS, customerName: 'Kim Lee' })
    const file = await world.db
      .selectFrom('sandbox_files')
      .selectAll()
      .where('id', '=', evidence.receiptFile ?? '')
      .executeTakeFirstOrThrow()
    expect(file.name).toMatch(/^receipt-\d{6}\.pdf$/)
    expect(file.size_bytes).toBeGreaterThan(1_000)
    expect(await loggedOf(id)).toMatchObject([
      { action: 'submit-evidence', reason: '$455.00: The event took place.', operatorEmail: OPERATOR.email },
    ])
    // The dispute's row follows from the provider, by the same writer as webhooks.
    expect(await seen(id)).toMatchObject({ status: 'under_review', canSubmit: false, canAccept: false })
  })

  it('goes out once, however often and by however many operators the button is pressed', async () => {
    const { id, providerDispute } = await disputed()
    const view = (await seen(id)).version
    const outcomes = await Promise.all(
      [OPERATOR, OPERATOR, SECOND_OPERATOR, SECOND_OPERATOR].map((operator) =>
        answers(id, { operator, expectedVersion: view }),
      ),
    )
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
    for (const refused of outcomes.filter(({ ok }) => !ok))
      expect(refused).toMatchObject({ reason: 'changed', by: { kind: 'evidence' } })
    expect(await answerRows(id)).toHaveLength(1)
    expect((await atProvider(providerDispute)).submissionCount).toBe(1)
    expect(await loggedOf(id)).toHaveLength(1)
  })

  it('tells the second operator who was faster', async () => {
    const { id } = await disputed()
    const view = (await seen(id)).version
    await answers(id)
    const later = { operator: SECOND_OPERATOR, expectedVersion: view, texts: null }
    expect(await answers(id, later)).toEqual({
      ok: false,
      reason: 'changed',
      by: { email: OPERATOR.email, kind: 'evidence' },
    })
    // With the present page, there is nothing to answer.
    expect(await answers(id, { operator: SECOND_OPERATOR })).toEqual({ ok: false, reason: 'too_late' })
  })

  it('can’t be sent once the bank has decided since the page was opened', async () => {
    const { id, reference, paymentId } = await disputed()
    const view = (await seen(id)).version
    await world.payments.decideDispute(reference, 'lost')
    await settleDisputes(deps, world.payments, { id: paymentId, provider_reference: reference })
    expect(await answers(id, { expectedVersion: view })).toEqual({ ok: false, reason: 'changed', by: null })
    expect(await answerRows(id)).toEqual([])
  })

  it('can’t be sent after the deadline, or for an unknown dispute', async () => {
    const { id } = await disputed()
    expect(await answers(id, { disputeId: 'none' })).toEqual({ ok: false, reason: 'not_found' })
    world.clock.forward(10 * DAY_MS)
    expect(await seen(id)).toMatchObject({ daysLeft: null, canSubmit: false, canAccept: true })
    expect(await answers(id)).toEqual({ ok: false, reason: 'too_late' })
    expect(await answerRows(id)).toEqual([])
  })

  it('can’t be sent for another provider’s dispute', async () => {
    const { id } = await disputed()
    const stripe = { ...using, providers: [{ ...world.payments, name: 'stripe' as const }] }
    expect(await answers(id, {}, stripe as never)).toEqual({ ok: false, reason: 'other_provider' })
  })

  it.each(['retrieveDispute', 'uploadReceipt', 'answerDispute'] as const)(
    'stays stored while the provider doesn’t answer %s, and goes out later',
    async (call) => {
      const { id, providerDispute } = await disputed()
      const away = withProvider({ [call]: async () => UNREACHABLE })
      expect(await answers(id, {}, away)).toEqual({ ok: true, outcome: 'unreachable' })
      expect(await answerRows(id)).toMatchObject([
        { state: 'claimed', texts: TEXTS, last_error: 'No answer.' },
      ])
      expect(await seen(id)).toMatchObject({ canSubmit: false, canAccept: false })
      expect(await answers(id)).toEqual({ ok: false, reason: 'changed', by: null })
      // Too soon: the first call may still be on its way.
      await resendAnswers(using)
      expect((await atProvider(providerDispute)).submissionCount).toBe(0)
      world.clock.forward(RESEND_ANSWER_AFTER_MS)
      await resendAnswers(away)
      expect(await answerRows(id)).toMatchObject([{ state: 'claimed' }])
      world.clock.forward(RESEND_ANSWER_AFTER_MS)
      await Promise.all([resendAnswers(using), resendAnswers(using)])
      expect(await answerRows(id)).toMatchObject([{ state: 'sent', last_error: null }])
      expect(await atProvider(providerDispute)).toMatchObject({ submissionCount: 1, evidence: TEXTS })
    },
  )

  it('goes out once even if the provider’s response was lost', async () => {
    const { id, providerDispute } = await disputed()
    const lossy = withProvider({
      answerDispute: async (input) => {
        await world.payments.answerDispute(input)
        return UNREACHABLE
      },
    })
    expect(await answers(id, {}, lossy)).toEqual({ ok: true, outcome: 'unreachable' })
    world.clock.forward(RESEND_ANSWER_AFTER_MS)
    const untouched = { answerDispute: async () => Promise.reject(new Error('sent twice')) }
    await resendAnswers(withProvider(untouched))
    expect(await answerRows(id)).toMatchObject([{ state: 'sent' }])
    expect((await atProvider(providerDispute)).submissionCount).toBe(1)
    expect((await seen(id)).status).toBe('under_review')
  })

  it('names the same receipt in each try', async () => {
    const { id, providerDispute } = await disputed()
    await answers(id, {}, withProvider({ answerDispute: async () => UNREACHABLE }))
    const [{ provider_receipt: file } = { provider_receipt: null }] = await answerRows(id)
    expect(file).not.toBeNull()
    world.clock.forward(RESEND_ANSWER_AFTER_MS)
    await resendAnswers(using)
    expect((await atProvider(providerDispute)).evidence.receiptFile).toBe(file)
  })

  it('stays in the form if the provider refuses it, and can be sent again', async () => {
    const { id, providerDispute } = await disputed()
    const refusing = withProvider({
      answerDispute: async () => ({ ok: false, reason: 'refused', message: 'A field is missing.' }),
    })
    expect(await answers(id, {}, refusing)).toEqual({
      ok: false,
      reason: 'refused',
      message: 'A field is missing.',
    })
    expect(await seen(id)).toMatchObject({ canSubmit: true, texts: TEXTS })
    expect(await answers(id)).toEqual({ ok: true, outcome: 'sent' })
    expect((await answerRows(id)).map(({ state }) => state)).toEqual(['refused', 'sent'])
    expect((await atProvider(providerDispute)).submissionCount).toBe(1)
  })

  it('goes out no second time if it was sent at the provider by hand', async () => {
    const { id, providerDispute } = await disputed()
    const { evidence } = await atProvider(providerDispute)
    const byHand = { reference: providerDispute, evidence, submit: true, idempotencyKey: 'by-hand' }
    await world.payments.answerDispute(byHand)
    expect(await answers(id)).toMatchObject({ ok: false, reason: 'refused' })
    expect(await seen(id)).toMatchObject({ status: 'under_review', canSubmit: false, texts: TEXTS })
    expect((await atProvider(providerDispute)).submissionCount).toBe(1)
  })

  it('can still win or lose afterwards, and the ledger follows', async () => {
    for (const decision of ['won', 'lost'] as const) {
      const { id, reference, paymentId } = await disputed()
      await answers(id)
      expect(await world.payments.decideDispute(reference, decision)).toEqual({ ok: true })
      await settleDisputes(deps, world.payments, { id: paymentId, provider_reference: reference })
      expect(await seen(id)).toMatchObject({ status: decision, canSubmit: false, canAccept: false })
    }
    expect((await proveLedger(world.db)).every(({ count }) => count === 0)).toBe(true)
  })

  it('answers an inquiry, and the dispute that follows it', async () => {
    const { id, reference, paymentId, providerDispute } = await disputed('inquiry')
    expect(await seen(id)).toMatchObject({ canSubmit: true, canAccept: false })
    expect(await answers(id, { texts: null })).toEqual({ ok: false, reason: 'too_late' })
    expect(await answers(id)).toEqual({ ok: true, outcome: 'sent' })
    expect(await seen(id)).toMatchObject({ status: 'warning_under_review', canSubmit: false })
    await world.db
      .updateTable('sandbox_disputes')
      .set({ status: 'needs_response', funds: 'withdrawn' })
      .where('id', '=', providerDispute)
      .execute()
    await settleDisputes(deps, world.payments, { id: paymentId, provider_reference: reference })
    expect(await answers(id)).toEqual({ ok: true, outcome: 'sent' })
    expect((await atProvider(providerDispute)).submissionCount).toBe(2)
  })
})

describe('evidence of an inquiry', () => {
  it('stays unsent once the inquiry has become a dispute, which can still be answered', async () => {
    const { id, providerDispute } = await disputed('inquiry')
    await answers(id, {}, withProvider({ retrieveDispute: async () => UNREACHABLE }))
    await world.db
      .updateTable('sandbox_disputes')
      .set({ status: 'needs_response', funds: 'withdrawn' })
      .where('id', '=', providerDispute)
      .execute()
    world.clock.forward(RESEND_ANSWER_AFTER_MS)
    await resendAnswers(using)
    expect(await answerRows(id)).toMatchObject([{ state: 'refused' }])
    expect((await atProvider(providerDispute)).submissionCount).toBe(0)
    expect(await seen(id)).toMatchObject({ status: 'needs_response', canSubmit: true, texts: TEXTS })
  })
})

describe('accepting a dispute', () => {
  it('loses it at once, at the cost that the page names', async () => {
    const { id, bookingId, providerDispute } = await disputed()
    const { cost } = await seen(id)
    expect(cost).toEqual({ vendorCents: 40_950, commissionCents: 4_550, oursCents: 0 })
    expect(await answers(id, { texts: null })).toEqual({ ok: true, outcome: 'sent' })
    expect((await atProvider(providerDispute)).dispute.status).toBe('lost')
    expect(await seen(id)).toMatchObject({ status: 'lost', canSubmit: false, canAccept: false })
    expect(await loggedOf(id)).toMatchObject([{ action: 'accept-dispute' }])
    const lost = await world.db
      .selectFrom('ledger_postings')
      .innerJoin('ledger_transactions', 'ledger_transactions.id', 'ledger_postings.transaction_id')
      .select(['account', 'cents'])
      .where('ledger_postings.booking_id', '=', bookingId)
      .where('kind', '=', 'dispute_lost')
      .orderBy('account')
      .execute()
    expect(lost.map(({ account, cents }) => [account, Number(cents)])).toEqual([
      ['customer_money_held', 45_500],
      ['disputed', -45_500],
    ])
  })

  it('waits out an unreachable provider, and stands if the bank has decided against us first', async () => {
    const { id, reference } = await disputed()
    const away = withProvider({ acceptDispute: async () => UNREACHABLE })
    expect(await answers(id, { texts: null }, away)).toEqual({ ok: true, outcome: 'unreachable' })
    await world.payments.decideDispute(reference, 'lost')
    world.clock.forward(RESEND_ANSWER_AFTER_MS)
    await resendAnswers(using)
    expect(await answerRows(id)).toMatchObject([{ kind: 'acceptance', state: 'sent', texts: null }])
    expect((await seen(id)).status).toBe('lost')
  })

  it('fails if the bank has decided for us in the meantime', async () => {
    const { id, reference } = await disputed()
    await answers(id, { texts: null }, withProvider({ retrieveDispute: async () => UNREACHABLE }))
    await world.payments.decideDispute(reference, 'won')
    world.clock.forward(RESEND_ANSWER_AFTER_MS)
    await resendAnswers(using)
    expect(await answerRows(id)).toMatchObject([{ state: 'refused' }])
    expect((await seen(id)).status).toBe('won')
  })
})

describe('an answer above the limit', () => {
  beforeEach(() => {
    using = { ...deps, secondOperatorCents: 45_499 }
  })
  const settle = (answerId: string, given: Partial<Parameters<typeof settleAnswer>[1]> = {}) =>
    settleAnswer(using, { operator: SECOND_OPERATOR, answerId, isConfirmed: true, ...given })
  async function waiting(texts: EvidenceTexts | null = TEXTS) {
    const dispute = await disputed()
    expect(await answers(dispute.id, { texts })).toEqual({ ok: true, outcome: 'waits' })
    const [row] = await answerRows(dispute.id)
    return { ...dispute, answerId: row?.id ?? '' }
  }

  it('waits for another operator, and is then sent as it was placed', async () => {
    const { id, answerId, providerDispute } = await waiting()
    expect(await seen(id)).toMatchObject({ canSubmit: false, canAccept: false, waitsForSecondOperator: true })
    expect((await atProvider(providerDispute)).submissionCount).toBe(0)
    expect(await settle(answerId, { operator: OPERATOR })).toEqual({ ok: false, reason: 'own_order' })
    const both = await Promise.all([settle(answerId), settle(answerId)])
    expect(both).toContainEqual({ ok: true, outcome: 'sent' })
    expect(both).toContainEqual({ ok: false, reason: 'settled' })
    expect(await atProvider(providerDispute)).toMatchObject({ submissionCount: 1, evidence: TEXTS })
    expect(await answerRows(id)).toMatchObject([
      { state: 'sent', placed_by: OPERATOR.userId, settled_by: SECOND_OPERATOR.userId },
    ])
    expect((await loggedOf(id)).map(({ action }) => action).sort()).toEqual([
      'ask-second-operator',
      'submit-evidence',
    ])
  })

  it('goes out at once when it is exactly at the limit', async () => {
    using = { ...deps, secondOperatorCents: 45_500 }
    const { id } = await disputed()
    expect(await answers(id)).toEqual({ ok: true, outcome: 'sent' })
  })

  it('can be dropped, also by its own operator, and its texts stay in the form', async () => {
    const { id, answerId } = await waiting()
    expect(await settle(answerId, { operator: OPERATOR, isConfirmed: false })).toEqual({
      ok: true,
      outcome: 'dropped',
    })
    expect(await settle(answerId)).toEqual({ ok: false, reason: 'settled' })
    expect(await seen(id)).toMatchObject({ canSubmit: true, texts: TEXTS, waitsForSecondOperator: false })
    expect((await loggedOf(id)).map(({ action }) => action)).toContain('drop-answer')
  })

  it('can’t be confirmed once the bank has decided', async () => {
    const { id, answerId, reference, paymentId } = await waiting(null)
    await world.payments.decideDispute(reference, 'won')
    await settleDisputes(deps, world.payments, { id: paymentId, provider_reference: reference })
    expect(await settle(answerId)).toEqual({ ok: false, reason: 'too_late' })
    expect((await seen(id)).status).toBe('won')
    expect(await settle('none')).toEqual({ ok: false, reason: 'settled' })
  })
})

describe('the page of a dispute', () => {
  it('shows the sale, its history in order and texts put together from them', async () => {
    const { id, bookingId } = await disputed()
    world.clock.forward(1_000)
    const found = await seen(id)
    expect(found).toMatchObject({
      customerName: 'Kim Lee',
      daysLeft: 9,
      payment: { amountCents: 45_500 },
      booking: { id: bookingId, quantity: '10 people', receiptNumber: 1 },
      terms: { version: '2026-11-28', sha256: expect.any(String) },
      answers: [],
      needsSecondOperator: false,
    })
    expect(found.events.map(({ what }) => what.replace(/:.*/, ''))).toEqual([
      'The customer accepted the Terms of Service, version 2026-11-28',
      'The customer paid $455.00 by card',
      expect.stringContaining('was booked'),
      'The customer’s bank disputed $455.00',
    ])
    expect(found.texts.statement.split('\n')).toHaveLength(found.events.length)
    expect(found.texts.terms).toContain('You can cancel an approved booking.')
  })

  it('doesn’t exist for an unknown dispute', async () => {
    const about = { disputeId: 'none', now: world.clock.now(), brand: 'Jubilee', secondOperatorCents: LIMIT }
    expect(await findDispute(world.db, about)).toBeNull()
  })
})

describe('the database itself', () => {
  it('refuses two open answers, and evidence without texts', async () => {
    const { id } = await disputed()
    await answers(id, {}, withProvider({ retrieveDispute: async () => UNREACHABLE }))
    const [row] = await answerRows(id)
    if (!row) throw new Error('no answer')
    const { number: _, ...rest } = row
    const copy = { ...rest, id: newId(), texts: JSON.stringify(row.texts) }
    await expect(world.db.insertInto('dispute_answers').values(copy).execute()).rejects.toThrow(
      /dispute_answers_open/,
    )
    const empty = { ...copy, state: 'dropped' as const, texts: null }
    await expect(world.db.insertInto('dispute_answers').values(empty).execute()).rejects.toThrow(/check/)
  })
})
