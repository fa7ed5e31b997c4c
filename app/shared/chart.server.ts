import { scaleLinear } from 'd3-scale'
import { area, curveMonotoneX, line } from 'd3-shape'

/**
 * Charts are laid out here, on the server, in a square of 100 by 100 that the page stretches: the browser gets paths and
 * percentages, and no library. x runs to the right and y down, as in SVG.
 */
const SIZE = 100
/** Steps between 0 and the top of the scale. */
const STEPS = 4

/** A value axis: its ticks, and where they stand from the bottom, in percent. */
export type ChartAxis = { value: number; at: number }[]

export type ChartBar = { x: number; width: number; y: number; height: number }

export type BarChart = {
  axis: ChartAxis
  /** For each column its parts, from the bottom up. A part of 0 has no height. */
  bars: ChartBar[][]
}

export type LineChart = {
  axis: ChartAxis
  /** SVG path data. */
  line: string
  area: string
  /** The position of the last value, in percent from the left and from the bottom. */
  last: { x: number; at: number }
}

/**
 * Lays out stacked columns.
 * @param columns the parts of each column, none below 0
 * @param largest the largest column of charts that share a scale
 */
export function layOutBars(
  columns: readonly (readonly number[])[],
  largest = Math.max(0, ...columns.map((parts) => parts.reduce((sum, part) => sum + part, 0))),
): BarChart {
  const { axis, at } = scaleTo(largest)
  const step = SIZE / Math.max(1, columns.length)
  const gap = step * 0.26
  return {
    axis,
    bars: columns.map((parts, index) => {
      let below = 0
      return parts.map((part) => {
        const height = at(part)
        below += height
        return {
          x: round(index * step + gap / 2),
          width: round(step - gap),
          y: round(SIZE - below),
          height: round(height),
        }
      })
    }),
  }
}

/**
 * Lays out a line, each value in the middle of its column.
 * @param values at least one, none below 0
 */
export function layOutLine(values: readonly number[]): LineChart {
  const { axis, at } = scaleTo(Math.max(0, ...values))
  const step = SIZE / Math.max(1, values.length)
  const x = (index: number) => round((index + 0.5) * step)
  const points = values.map((value, index): [number, number] => [x(index), round(SIZE - at(value))])
  const last = points.at(-1) ?? [0, SIZE]
  return {
    axis,
    // Monotone: it never shows a value beyond those that it connects.
    line: line().curve(curveMonotoneX)(points) ?? '',
    area: area().curve(curveMonotoneX).y0(SIZE)(points) ?? '',
    last: { x: last[0], at: round(SIZE - last[1]) },
  }
}

/** A scale from 0 to a round number at or above the largest value. */
function scaleTo(largest: number): { axis: ChartAxis; at: (value: number) => number } {
  const scale = scaleLinear()
    .domain([0, largest > 0 ? largest : 1])
    .nice(STEPS)
    .range([0, SIZE])
  const ticks = largest > 0 ? scale.ticks(STEPS) : [0]
  return { axis: ticks.map((value) => ({ value, at: round(scale(value)) })), at: (value) => scale(value) }
}

const round = (value: number) => Math.round(value * 100) / 100
