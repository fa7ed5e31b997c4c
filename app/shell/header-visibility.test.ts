import { describe, expect, test } from 'vitest'
import { HEADER_HIDE_DELTA_PX, HEADER_SHOWN, nextHeaderVisibility } from './header-visibility.ts'

const scrollThrough = (...positions: number[]) =>
  positions.reduce((state, position) => nextHeaderVisibility(state, position), HEADER_SHOWN)

describe('header visibility', () => {
  test('stays for a scroll of 15 px down and hides beyond', () => {
    expect(scrollThrough(HEADER_HIDE_DELTA_PX).hidden).toBe(false)
    expect(scrollThrough(HEADER_HIDE_DELTA_PX + 1).hidden).toBe(true)
  })
  test('adds up the steps of a slow scroll', () => {
    expect(scrollThrough(6, 12, 18).hidden).toBe(true)
  })
  test('shows on the first pixel up and at the top', () => {
    expect(scrollThrough(400, 800, 799).hidden).toBe(false)
    expect(scrollThrough(400, 410, 409).hidden).toBe(false)
    expect(scrollThrough(400, 0)).toEqual(HEADER_SHOWN)
  })
  test('starts counting again after a scroll up', () => {
    expect(scrollThrough(400, 300, 315).hidden).toBe(false)
    expect(scrollThrough(400, 300, 316).hidden).toBe(true)
  })
  test('ignores a bounce past the top or the bottom', () => {
    expect(scrollThrough(-40).hidden).toBe(false)
    const atBottom = nextHeaderVisibility(scrollThrough(900), 1040, 1000)
    expect(nextHeaderVisibility(atBottom, 1010, 1000).hidden).toBe(true)
  })
})
