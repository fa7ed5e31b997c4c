import { describe, expect, it } from 'vitest'
import { EMPTY_DRAFT, parseListingDraft } from './listing-draft.ts'

describe('the draft of a listing', () => {
  it('takes from storage only the fields that a draft has', () => {
    const image = { url: '/files/a', width: 1, height: 1, colour: '#fff' }
    const kept = {
      version: 'v1',
      name: 'Tide House',
      price: 12,
      userId: 'x',
      bookingTypes: ['perHour', 3],
      images: [{ image, isNew: true }, { image: { url: 'https://evil.example' }, isNew: true }, null],
    }
    expect(parseListingDraft(kept)).toEqual({
      ...EMPTY_DRAFT,
      name: 'Tide House',
      bookingTypes: ['perHour'],
      images: [{ image, isNew: true }],
    })
  })
})
