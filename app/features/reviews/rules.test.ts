import { describe, expect, it } from 'vitest'
import { averageRating, pickQuote } from './rules.ts'

describe('averageRating', () => {
  it('is the mean to the tenth', () => {
    expect(averageRating([5])).toBe(5)
    expect(averageRating([5, 4, 4])).toBe(4.3)
    expect(averageRating([1, 2])).toBe(1.5)
  })

  it('is nothing where nobody has written', () => {
    expect(averageRating([])).toBeNull()
  })
})

describe('pickQuote', () => {
  const words = 'The table was long and the evening was longer.'

  it('takes the newest with five stars that can be quoted whole', () => {
    const four = { rating: 4, body: words }
    const five = { rating: 5, body: words }
    expect(pickQuote([four, five, { ...five }])).toBe(five)
    expect(pickQuote([four])).toBe(four)
  })

  it('leaves out what is too short, too long or not a recommendation', () => {
    expect(
      pickQuote([
        { rating: 5, body: 'Great.' },
        { rating: 5, body: words.repeat(9) },
        { rating: 3, body: words },
      ]),
    ).toBeNull()
  })
})
