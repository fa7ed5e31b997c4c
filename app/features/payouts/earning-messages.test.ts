import { describe, expect, it } from 'vitest'
import { nextPayoutText } from './earning-messages.ts'

describe('the next payout', () => {
  const next = {
    cents: 783_000,
    isSent: true,
    sentOn: '2026-11-27',
    atBankOn: '2026-11-29',
    from: [],
  }

  it('names its day until then, and admits to being late after it', () => {
    expect(nextPayoutText(next, '3456', '2026-11-29')).toBe(
      'On its way. It should be at your bank account ending in 3456 by Sunday 29 November.',
    )
    expect(nextPayoutText(next, null, '2026-11-30')).toBe(
      'It left on Friday 27 November, and was expected at your bank by Sunday 29 November. We’re asking the payment provider about it.',
    )
  })

  it('names the day on which it leaves', () => {
    expect(nextPayoutText({ ...next, isSent: false }, null, '2026-11-27')).toBe(
      'It leaves today. It should be at your bank by Sunday 29 November.',
    )
  })
})
