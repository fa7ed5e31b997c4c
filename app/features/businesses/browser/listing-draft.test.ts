import { describe, expect, it } from 'vitest'
import { newId } from '../../../shared/ids.ts'
import { EMPTY_DRAFT, parseListingDraft } from './listing-draft.ts'

describe('parseListingDraft', () => {
  it('ignores unknown fields, wrong types and images from elsewhere', () => {
    const image = { url: '/files/a', width: 1, height: 1, colour: '#fff' }
    const stored = {
      seen: 7,
      name: 'Tide House',
      price: 12,
      userId: 'x',
      submitKey: 'not a key',
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

  it('keeps the version that the draft was made from', () => {
    expect(parseListingDraft({ seen: '2026-11-01T00:00:00.000Z/80' }).seen).toBe(
      '2026-11-01T00:00:00.000Z/80',
    )
    expect(parseListingDraft({ seen: 'x'.repeat(500) }).seen.length).toBeLessThan(100)
    expect(parseListingDraft({ version: '2026-11-01T00:00:00.000Z' }).seen).toBe('2026-11-01T00:00:00.000Z')
  })

  it('keeps the submit key, so that a restored form publishes no second listing', () => {
    const submitKey = newId()
    expect(parseListingDraft({ submitKey }).submitKey).toBe(submitKey)
  })
})
