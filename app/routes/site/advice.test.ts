import { describe, expect, it } from 'vitest'
import type { MISSING_FIELD_TEXTS } from '../../features/businesses/listing-messages.ts'
import { listArticles } from '../../features/help/messages.ts'
import { LISTING_NEEDS, vendorOffer } from '../../features/payouts/offer-messages.ts'
import { howToBook } from '../../features/search/home-messages.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { answerTimes, customerQuestions, vendorQuestions } from './advice.ts'

/** A word for each field that a listing needs. */
const FIELD_WORDS = {
  name: /\bname\b/i,
  category: /\bcategory\b/i,
  description: /\bdescription\b/i,
  price: /\bprice\b/i,
  location: /\bsuburb\b/i,
  servicesOffered: /\bservices?\b/i,
} as const satisfies Record<keyof typeof MISSING_FIELD_TEXTS, RegExp>

const UNDECIDED = { remindAfterMs: DAY_MS, declineAfterMs: 172_800_000, declineBeforeEventMs: DAY_MS }
const answerTo = (question: string, undecided = UNDECIDED) => {
  const times = answerTimes(undecided)
  return [...customerQuestions(times), ...vendorQuestions(times)].find((found) => found.question === question)
    ?.answer
}
const article = (slug: string) => JSON.stringify(listArticles(true).find((found) => found.slug === slug))

describe('the public pages', () => {
  it.each([
    ['/advice-support', answerTo('What does it cost to list?')],
    ['/help', article('list-your-business')],
    ['/list-your-business', LISTING_NEEDS.join(' ')],
    [
      'the first step of /list-your-business',
      vendorOffer({ payouts: null, undecided: UNDECIDED }).steps[0]?.text,
    ],
  ])('name every field that a listing needs: %s', (_, text) => {
    for (const word of Object.values(FIELD_WORDS)) expect(text).toMatch(word)
  })

  it.each([
    ['/advice-support', answerTo('What if the vendor says no?')],
    ['/help', article('refunds')],
  ])('say how long a bank takes to show a refund, as the mails do: %s', (_, text) => {
    expect(text).toContain('within five to ten business days')
  })

  it('say that a vendor may take a deposit', () => {
    expect(JSON.stringify(howToBook('two days'))).toContain('a deposit if the vendor takes one')
  })

  it('say how long a vendor has to answer by the settings', () => {
    const question = 'How long do I have to answer a booking?'
    expect(answerTo(question)).toBe(
      'Two days, or until a day before the event if that comes first. We remind you after one. A booking that nobody answers is declined and refunded.',
    )
    const hour = 3_600_000
    const undecided = { remindAfterMs: 24 * hour, declineAfterMs: 36 * hour, declineBeforeEventMs: hour }
    expect(answerTo(question, undecided)).toBe(
      '36 hours, or until 1 hour before the event if that comes first. We remind you after 24 hours. A booking that nobody answers is declined and refunded.',
    )
    expect(answerTo('What if the vendor says no?', undecided)).toContain('A vendor has 36 hours to answer.')
    expect(answerTo(question, { ...UNDECIDED, remindAfterMs: 12 * hour })).toContain(
      'We remind you after 12 hours.',
    )
  })
})
