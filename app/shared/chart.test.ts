import { describe, expect, it } from 'vitest'
import { layOutBars, layOutLine } from './chart.server.ts'

describe('layOutBars', () => {
  it('stacks the parts of a column on a scale that ends at a round number', () => {
    const { axis, bars } = layOutBars([[40, 0], [60, 20], []])
    expect(axis.map(({ value }) => value)).toEqual([0, 20, 40, 60, 80])
    expect(axis.map(({ at }) => at)).toEqual([0, 25, 50, 75, 100])
    const [first, second] = bars
    expect(first?.map(({ height }) => height)).toEqual([50, 0])
    expect(second?.map(({ y, height }) => [y, height])).toEqual([
      [25, 75],
      [0, 25],
    ])
    // Columns share the width, with a gap between them.
    expect((second?.[0]?.x ?? 0) - (first?.[0]?.x ?? 0)).toBeCloseTo(100 / 3, 1)
    expect(first?.[0]?.width).toBeLessThan(100 / 3)
  })

  it('keeps the axis of an empty chart at zero', () => {
    expect(layOutBars([[0], [0]])).toMatchObject({
      axis: [{ value: 0, at: 0 }],
      bars: [[{ height: 0 }], [{ height: 0 }]],
    })
    expect(layOutBars([])).toEqual({ axis: [{ value: 0, at: 0 }], bars: [] })
  })
})

describe('layOutLine', () => {
  it('draws each value in the middle of its column, and marks the last one', () => {
    const { axis, line, area, last } = layOutLine([0, 50, 100])
    expect(axis.at(-1)).toEqual({ value: 100, at: 100 })
    expect(line).toMatch(/^M16\.67,100C/)
    expect(line).toMatch(/,83\.33,0$/)
    expect(area).toMatch(/Z$/)
    expect(last).toEqual({ x: 83.33, at: 100 })
  })
})
