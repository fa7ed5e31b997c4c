import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { type OfferSettings, vendorOffer } from './offer-messages.ts'

const undecided = {
  remindAfterMs: DAY_MS,
  declineAfterMs: 48 * HOUR_MS,
  declineBeforeEventMs: DAY_MS,
}
const on = (
  commission: { basisPoints: number; isGstRegistered: boolean },
  times = { delayMs: 48 * HOUR_MS, holdLimitMs: 85 * DAY_MS },
): OfferSettings => ({ payouts: { commission, times }, undecided })
const off: OfferSettings = { payouts: null, undecided }
const whole = (settings: OfferSettings) => JSON.stringify(vendorOffer(settings))

describe('what we offer vendors', () => {
  it('states the commission of the settings, and what a vendor receives of an example', () => {
    const { costs, example } = vendorOffer(on({ basisPoints: 1_250, isGstRegistered: true }))
    expect(costs[1]?.title).toBe('12.5% commission, GST included')
    expect(example).toEqual({ price: '$1,000.00', commission: '$125.00', yours: '$875.00' })
  })

  it('says nothing of GST where the operator isn’t registered for it', () => {
    expect(whole(on({ basisPoints: 1_000, isGstRegistered: false }))).not.toContain('GST')
  })

  it('gives no example without commission', () => {
    const { costs, example } = vendorOffer(on({ basisPoints: 0, isGstRegistered: true }))
    expect([costs[1]?.title, example]).toEqual(['No commission', null])
  })

  it('states the delay and the hold of the settings', () => {
    const terms = { basisPoints: 1_000, isGstRegistered: true }
    const text = whole(on(terms, { delayMs: DAY_MS, holdLimitMs: 60 * DAY_MS }))
    expect(text).toContain('24 hours after the event, your share leaves')
    // 59 days
    expect(text).toContain('Events within about 8 weeks are paid in full.')
    expect(whole(on(terms, { delayMs: 0, holdLimitMs: 85 * DAY_MS }))).toContain(
      'As soon as the event is over, your share leaves',
    )
  })

  it('mentions neither commission rates nor payouts while vendors aren’t paid by us', () => {
    const text = whole(off)
    expect(text).not.toMatch(/payout|your share|% commission|hold/i)
    expect(text).toContain('No commission')
    expect(text).toContain('Talk to us before your first booking')
  })

  it('states the times to answer of the settings', () => {
    const { steps } = vendorOffer({
      payouts: null,
      undecided: {
        remindAfterMs: 20 * MINUTE_MS,
        declineAfterMs: HOUR_MS,
        declineBeforeEventMs: 1.5 * HOUR_MS,
      },
    })
    expect(steps[2]?.text).toContain('You have 1 hour, or until 1.5 hours before the event')
    expect(steps[2]?.text).toContain('We remind you after 20 minutes.')
  })
})
