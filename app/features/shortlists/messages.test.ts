import { describe, expect, it } from 'vitest'
import { SHARED_EMPTY_TEXT, sharedDescription } from './messages.ts'

describe('the preview of a shared list', () => {
  it.each([
    [['A'], 'A. Compare them, and write what you think.'],
    [['A', 'B'], 'A and B. Compare them, and write what you think.'],
    [['A', 'B', 'C'], 'A, B and C. Compare them, and write what you think.'],
    [['A', 'B', 'C', 'D'], 'A, B, C and 1 more. Compare them, and write what you think.'],
    [[], SHARED_EMPTY_TEXT],
  ])('names up to three of %j', (names, text) => {
    expect(sharedDescription(names)).toBe(text)
  })
})
