import type { CSSProperties, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import './chart.css'

/** A chart is laid out by `shared/chart.server.ts` in a square of this size. */
const SIZE = 100
const AS_TABLE = 'Show as a table'

/** A column's label below the axis; '' for a day between two labels. */
export type ChartColumn = { key: string; label: string; below: string | null; isNow: boolean }

/** A chart with what it found as its heading. */
export function ChartBlock({
  label,
  finding,
  unit,
  children,
}: {
  label: string
  finding: string
  unit?: string
  children: ReactNode
}) {
  return (
    <section className="min-w-0 border-t border-line pt-5">
      <p className="text-sm text-quiet">{label}</p>
      <h2 className="mt-0.5 text-lg">{finding}</h2>
      {unit ? <p className="mt-1 text-sm text-quiet">{unit}</p> : null}
      {children}
    </section>
  )
}

/** The frame of a chart: its axes and lines. */
export function Plot({
  name,
  axis,
  labelOf,
  columns,
  isSmall,
  over,
  children,
}: {
  /** The chart in words, for screen readers. The table beside it has the figures. */
  name: string
  axis: readonly { value: number; at: number }[]
  labelOf: (value: number) => string
  columns: readonly ChartColumn[]
  isSmall?: boolean
  /** Labels and marks that keep their shape while the chart stretches. */
  over: ReactNode
  children: ReactNode
}) {
  return (
    <div className={classNames('chart', isSmall && 'chart-small')} role="img" aria-label={name}>
      <div className="chart-axis">
        {axis.map(({ value, at }) => (
          <span key={value} style={{ '--at': at } as CSSProperties}>
            {labelOf(value)}
          </span>
        ))}
      </div>
      <div className="chart-plot">
        <svg viewBox={`0 0 ${SIZE} ${SIZE}`} preserveAspectRatio="none" aria-hidden="true">
          {axis.map(({ value, at }) => (
            <line
              key={value}
              x1={0}
              x2={SIZE}
              y1={SIZE - at}
              y2={SIZE - at}
              data-zero={value === 0 ? '' : undefined}
            />
          ))}
          {children}
        </svg>
        {over}
      </div>
      <div className={classNames('chart-columns', columns.some(({ label }) => label === '') && 'chart-days')}>
        {columns.map(({ key, label, below, isNow }) => (
          <span key={key} data-now={isNow ? '' : undefined}>
            {label}
            {below ? <span>{below}</span> : null}
          </span>
        ))}
      </div>
    </div>
  )
}

/** A chart's figures. The first columns name the row. */
export function ChartTable({
  caption,
  head,
  rows,
  names = 1,
}: {
  caption: string
  head: string[]
  rows: string[][]
  /** How many columns name the row. */
  names?: number
}) {
  return (
    <details className="chart-table">
      <summary>{AS_TABLE}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <section className="chart-table-scroll" aria-label={caption} tabIndex={0}>
        <table>
          <caption className="unseen">{caption}</caption>
          <thead>
            <tr>
              {head.map((cell, index) => (
                <th key={cell} scope="col" data-name={index < names ? '' : undefined}>
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells) => (
              <tr key={cells.join()}>
                {cells.map((cell, index) =>
                  index < names ? (
                    <th key={head[index]} scope="row" data-name="">
                      {cell}
                    </th>
                  ) : (
                    <td key={head[index]}>{cell}</td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
