import { describe, expect, it } from 'vitest'
import type { MISSING_FIELD_TEXTS } from '../../features/businesses/listing-messages.ts'
import { listArticles } from '../../features/help/messages.ts'
import { LISTING_NEEDS, vendorOffer } from '../../features/payouts/offer-messages.ts'
import { HOW_TO_BOOK } from '../../features/search/home-messages.ts'
import { CUSTOMER_QUESTIONS, VENDOR_QUESTIONS } from './advice.ts'

/** A word for each field that a listing needs. */
const FIELD_WORDS = {
  name: /\bname\b/i,
  category: /\bcategory\b/i,
  description: /\bdescription\b/i,
  price: /\bprice\b/i,
  location: /\bsuburb\b/i,
  servicesOffered: /\bservices?\b/i,
} as const satisfies Record<keyof typeof MISSING_FIELD_TEXTS, RegExp>

const UNDECIDED = { remindAfterMs: 86_400_000, declineAfterMs: 172_800_000, declineBeforeEventMs: 86_400_000 }
const answerTo = (question: string) =>
  [...CUSTOMER_QUESTIONS, ...VENDOR_QUESTIONS].find((found) => found.question === question)?.answer
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
    expect(JSON.stringify(HOW_TO_BOOK)).toContain('a deposit if the vendor takes one')
  })
})
