import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../../shared/time-units.ts'
import { agreeTerms, DEFAULT_PLAN } from '../../../terms/rules.ts'
import { readAnswer, readConfirmation } from './payment-client.ts'

const provider = { provider: 'sandbox' }
const problem = {
  field: 'time',
  message: 'That time is taken. Choose another one.',
  alternatives: [{ date: '2027-03-13', time: '10:00' }],
}

describe('readAnswer', () => {
  it('returns a started payment, its hold by this browser’s clock', () => {
    const expiresAt = '2026-11-20T01:15:00.000Z'
    const started = { ok: true, clientSecret: 's', reference: 'sb_1', provider }
    expect(
      readAnswer({ clientSecret: 's', payment: 'sb_1', provider, expiresAt, span: 'Saturday' }, 60_000),
    ).toEqual({
      ...started,
      span: 'Saturday',
      chargedCents: null,
      answerWithinMs: 48 * HOUR_MS,
      agreed: null,
      // This clock is a minute ahead, so the hold ends a minute later by it.
      heldUntilMs: Date.parse(expiresAt) + 60_000,
    })
    expect(readAnswer({ clientSecret: 's', payment: 'sb_1', provider })).toEqual({
      ...started,
      span: null,
      chargedCents: null,
      answerWithinMs: 48 * HOUR_MS,
      agreed: null,
      heldUntilMs: Number.POSITIVE_INFINITY,
    })
  })

  it('returns what is charged now and what was agreed, if the answer is whole', () => {
    const terms = agreeTerms({
      listing: { policy: 'moderate', plan: DEFAULT_PLAN },
      priceCents: 870_000,
      event: { date: '2028-10-21', time: '16:00', timeZone: 'Australia/Melbourne' },
      releasedAt: new Date('2028-10-23T12:00:00Z'),
      now: new Date('2026-11-20T01:00:00Z'),
      holdLimitMs: null,
    })
    const answer = { clientSecret: 's', payment: 'sb_1', provider, chargedCents: 174_000, terms }
    const timeZone = 'Australia/Melbourne'
    expect(readAnswer({ ...answer, timeZone, consent: 'Yes', answerWithinMs: 3_600_000 })).toMatchObject({
      chargedCents: 174_000,
      answerWithinMs: 3_600_000,
      agreed: { terms, timeZone, consent: 'Yes' },
    })
    expect(readAnswer(answer)).toMatchObject({ agreed: null })
    expect(readAnswer({ ...answer, timeZone, terms: 'none' })).toMatchObject({ agreed: null })
  })

  it('returns the reference of a payment that is already paid', () => {
    expect(readAnswer({ alreadyPaid: true, payment: 'sb_1' })).toEqual({
      ok: false,
      reason: 'already_paid',
      reference: 'sb_1',
    })
  })

  it.each([
    [
      { error: { code: 'amount_differs', message: '', amount: 120_050 } },
      { reason: 'amount_differs', totalCents: 120_050 },
    ],
    [
      { error: { code: 'fields', message: '', fields: { date: 'Past.' } } },
      { reason: 'fields', fields: { date: 'Past.' } },
    ],
    [{ error: { code: 'time_gone', ...problem } }, { reason: 'time_gone', problem }],
    [
      {
        error: { code: 'time_gone', ...problem, alternatives: [null, { date: '2027-02-31', time: '16:00' }] },
      },
      { reason: 'time_gone', problem: { ...problem, alternatives: [] } },
    ],
    [{ error: { code: 'time_gone', message: 'Gone.' } }, { reason: 'unavailable' }],
    [{ error: { code: 'submit_key_reused', message: '' } }, { reason: 'key_spent' }],
    [{ error: { code: 'payment_ended', message: '' } }, { reason: 'key_spent' }],
    [{ error: { code: 'gone', message: '' } }, { reason: 'gone' }],
    [{ error: { code: 'rate_limited', message: '' } }, { reason: 'rate_limited' }],
    [{ error: { code: 'too_many_held_by_browser', message: '' } }, { reason: 'too_many_held_by_browser' }],
    [{ error: { code: 'too_many_held_by_address', message: '' } }, { reason: 'too_many_held_by_address' }],
    [{ error: { code: 'provider_unavailable', message: '' } }, { reason: 'unavailable' }],
    // A missing client secret is an error (Specification, section 7).
    [{ payment: 'sb_1', provider }, { reason: 'unavailable' }],
    [{ clientSecret: '', payment: 'sb_1', provider }, { reason: 'unavailable' }],
    [{ error: { code: 'amount_differs' } }, { reason: 'unavailable' }],
    [null, { reason: 'unavailable' }],
    ['text', { reason: 'unavailable' }],
  ])('maps the response %j to its refusal', (answer, outcome) => {
    expect(readAnswer(answer)).toEqual({ ok: false, ...outcome })
  })
})

describe('readConfirmation', () => {
  it('returns the end of the hold by this browser’s clock', () => {
    const expiresAt = '2026-11-20T01:15:00.000Z'
    expect(readConfirmation({ expiresAt }, -500)).toEqual({
      ok: true,
      heldUntilMs: Date.parse(expiresAt) - 500,
    })
  })

  it.each([
    [{ error: { code: 'time_gone', ...problem } }, { reason: 'time_gone', problem }],
    [{ error: { code: 'already_paid', payment: 'sb_1' } }, { reason: 'already_paid', reference: 'sb_1' }],
    [{ error: { code: 'payment_ended' } }, { reason: 'over' }],
    [{ error: { code: 'gone' } }, { reason: 'over' }],
    [{ error: { code: 'unknown_payment' } }, { reason: 'unavailable' }],
    [null, { reason: 'unavailable' }],
  ])('maps the confirmation %j to its refusal', (answer, outcome) => {
    expect(readConfirmation(answer)).toEqual({ ok: false, ...outcome })
  })
})
