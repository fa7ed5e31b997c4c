import { describe, expect, it } from 'vitest'
import { averageRating, pickQuote } from './rules.ts'

describe('averageRating', () => {
  it('returns the mean to one decimal', () => {
    expect(averageRating([5])).toBe(5)
    expect(averageRating([5, 4, 4])).toBe(4.3)
    expect(averageRating([1, 2])).toBe(1.5)
  })

  it('returns null without ratings', () => {
    expect(averageRating([])).toBeNull()
  })
})

describe('pickQuote', () => {
  const words = 'The table was long and the evening was longer.'

  it('picks the newest of the best-rated quotable reviews', () => {
    const four = { rating: 4, body: words }
    const five = { rating: 5, body: words }
    expect(pickQuote([four, five, { ...five }])).toBe(five)
    expect(pickQuote([four])).toBe(four)
  })

  it('leaves out reviews that are too short, too long or below four stars', () => {
    expect(
      pickQuote([
        { rating: 5, body: 'Great.' },
        { rating: 5, body: words.repeat(9) },
        { rating: 3, body: words },
      ]),
    ).toBeNull()
  })
})
