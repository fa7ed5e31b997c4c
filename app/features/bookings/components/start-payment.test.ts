import { describe, expect, it } from 'vitest'
import { readAnswer } from './start-payment.ts'

const provider = { provider: 'sandbox' }

describe('the answer to a payment start', () => {
  it('is a card form to show', () => {
    expect(readAnswer({ clientSecret: 's', payment: 'sb_1', provider, expiresAt: 'x' })).toEqual({
      ok: true,
      clientSecret: 's',
      reference: 'sb_1',
      provider,
    })
  })

  it('leads to the success screen when it is paid already', () => {
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
    [{ error: { code: 'submit_key_reused', message: '' } }, { reason: 'key_spent' }],
    [{ error: { code: 'payment_ended', message: '' } }, { reason: 'key_spent' }],
    [{ error: { code: 'gone', message: '' } }, { reason: 'gone' }],
    [{ error: { code: 'rate_limited', message: '' } }, { reason: 'rate_limited' }],
    [{ error: { code: 'provider_unavailable', message: '' } }, { reason: 'unavailable' }],
    // A missing secret is an error (Specification, section 7).
    [{ payment: 'sb_1', provider }, { reason: 'unavailable' }],
    [{ clientSecret: '', payment: 'sb_1', provider }, { reason: 'unavailable' }],
    [{ error: { code: 'amount_differs' } }, { reason: 'unavailable' }],
    [null, { reason: 'unavailable' }],
    ['text', { reason: 'unavailable' }],
  ])('%j', (answer, outcome) => {
    expect(readAnswer(answer)).toEqual({ ok: false, ...outcome })
  })
})
