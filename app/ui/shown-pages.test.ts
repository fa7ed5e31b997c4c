import { expect, test } from 'vitest'
import { shownPages } from './shown-pages.ts'

test('shows the ends, the neighbours, and gaps of two or more only', () => {
  expect(shownPages(1, 1)).toEqual([1])
  expect(shownPages(1, 3)).toEqual([1, 2, 3])
  expect(shownPages(4, 12)).toEqual([1, 2, 3, 4, 5, null, 12])
  expect(shownPages(6, 12)).toEqual([1, null, 5, 6, 7, null, 12])
  expect(shownPages(12, 12)).toEqual([1, null, 11, 12])
})
