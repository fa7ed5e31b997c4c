import { describe, expect, it } from 'vitest'
import { EMPTY_DRAFT, parseListingDraft } from './listing-draft.ts'

describe('parseListingDraft', () => {
  it('ignores unknown fields, wrong types and images from elsewhere', () => {
    const image = { url: '/files/a', width: 1, height: 1, colour: '#fff' }
    const stored = {
      version: 'v1',
      name: 'Tide House',
      price: 12,
      userId: 'x',
      bookingTypes: ['perHour', 3],
      images: [{ image, isNew: true }, { image: { url: 'https://evil.example' }, isNew: true }, null],
    }
    expect(parseListingDraft(stored)).toEqual({
      ...EMPTY_DRAFT,
      name: 'Tide House',
      bookingTypes: ['perHour'],
      images: [{ image, isNew: true }],
    })
  })
})
