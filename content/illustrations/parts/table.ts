import { n, type Point } from '../geometry.ts'
import { type Hex, mix, PAINT } from '../palette.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { ellipse, line, path, rect, stroke } from '../svg.ts'
import { castShadow } from './land.ts'

/** A wine bottle seen from the side, its foot at (x, y). */
export function bottle(s: Stage, x: number, y: number, h: number, glass: Hex = PAINT.eucalypt): string {
  const w = h * 0.13
  const d = `M${n(x - w)} ${n(y)}V${n(y - h * 0.55)}Q${n(x - w)} ${n(y - h * 0.66)} ${n(x - w * 0.36)} ${n(y - h * 0.72)}V${n(y - h)}H${n(x + w * 0.36)}V${n(y - h * 0.72)}Q${n(x + w)} ${n(y - h * 0.66)} ${n(x + w)} ${n(y - h * 0.55)}V${n(y)}Z`
  return (
    path(d, s.dim(glass, 0.2)) +
    rect(x - w, y - h * 0.46, w * 2, h * 0.26, s.tone(PAINT.paper)) +
    rect(x - w * 0.4, y - h, w * 0.8, h * 0.13, s.tone(PAINT.waratah)) +
    s.clip(d, rect(s.side > 0 ? x - w : x + w * 0.3, y - h, w * 0.7, h, s.mood.ink, 0, 0.28)) +
    line(
      [
        [x + s.side * w * 0.62, y - h * 0.1],
        [x + s.side * w * 0.62, y - h * 0.56],
      ],
      s.mood.sun,
      w * 0.2,
      0.55,
    )
  )
}

/** A stemmed glass from the side. */
export function glass(
  s: Stage,
  x: number,
  y: number,
  h: number,
  drink: Hex = PAINT.straw,
  kind: 'wine' | 'flute' | 'coupe' = 'wine',
): string {
  const w = h * (kind === 'flute' ? 0.12 : kind === 'coupe' ? 0.3 : 0.2)
  const bowl = y - h * (kind === 'flute' ? 0.42 : 0.5)
  const pale = s.lit(PAINT.cream, 0.5)
  const cup = `M${n(x - w)} ${n(y - h)}C${n(x - w * (kind === 'wine' ? 1.5 : 1.05))} ${n(bowl - h * 0.06)} ${n(x - w * 0.4)} ${n(bowl)} ${n(x)} ${n(bowl)}C${n(x + w * 0.4)} ${n(bowl)} ${n(x + w * (kind === 'wine' ? 1.5 : 1.05))} ${n(bowl - h * 0.06)} ${n(x + w)} ${n(y - h)}Z`
  return (
    line(
      [
        [x, bowl],
        [x, y],
      ],
      pale,
      h * 0.026,
    ) +
    ellipse(x, y, w * 0.85, h * 0.03, pale) +
    path(cup, pale, 0.5) +
    s.clip(cup, rect(x - w * 2, y - h * 0.82, w * 4, h, s.tone(drink))) +
    stroke(
      `M${n(x + s.side * w * 0.6)} ${n(y - h * 0.93)}q${n(s.side * w * 0.3)} ${n(h * 0.14)} ${n(-s.side * w * 0.1)} ${n(h * 0.26)}`,
      s.mood.sun,
      h * 0.025,
      0.8,
    )
  )
}

/** A cloth-covered table seen from the side: a top edge, a hanging cloth with folds, its shadow. */
export function clothTable(
  s: Stage,
  r: Random,
  x0: number,
  x1: number,
  top: number,
  foot: number,
  cloth: Hex = PAINT.cream,
  runner?: Hex,
): string {
  const base = s.tone(cloth)
  const dark = s.dim(cloth, 0.3)
  const hem: Point[] = []
  const folds = Math.max(4, Math.round((x1 - x0) / 90))
  for (let i = 0; i <= folds * 2; i++)
    hem.push([x0 - 12 + ((x1 - x0 + 24) * i) / (folds * 2), foot + (i % 2 ? 7 : -5)])
  const d = `M${n(x0)} ${n(top)}L${n(x1)} ${n(top)}L${n(hem[hem.length - 1]?.[0] ?? x1)} ${n(hem[hem.length - 1]?.[1] ?? foot)}${[
    ...hem,
  ]
    .reverse()
    .map(([x, y], i) =>
      i ? `Q${n(x + (x1 - x0 + 24) / folds / 4)} ${n(foot + (i % 2 ? 9 : -7))} ${n(x)} ${n(y)}` : '',
    )
    .join('')}Z`
  const fill = s.linear([
    [0, base],
    [1, mix(base, dark, 0.85)],
  ])
  let shades = ''
  for (let i = 0; i < folds; i++) {
    const x = x0 + ((i + r.range(0.3, 0.7)) * (x1 - x0)) / folds
    const w = r.range(12, 28)
    shades += `M${n(x)} ${n(top + 14)}Q${n(x + w * 0.2)} ${n((top + foot) / 2)} ${n(x + w)} ${n(foot)}L${n(x - w * 0.7)} ${n(foot)}Q${n(x - w * 0.1)} ${n((top + foot) / 2)} ${n(x)} ${n(top + 14)}Z`
  }
  return (
    castShadow(s, (x0 + x1) / 2, foot - 4, x1 - x0, 190, 0.32) +
    path(d, fill) +
    s.clip(d, path(shades, dark, 0.4)) +
    rect(x0 - 4, top - 5, x1 - x0 + 8, 12, s.lit(cloth, 0.45), 5) +
    (runner ? rect(x0 - 4, top - 5, x1 - x0 + 8, 5, s.tone(runner), 2) : '')
  )
}

/** A tiered cake; `tiers` counts from the bottom up. */
export function cake(
  s: Stage,
  r: Random,
  x: number,
  y: number,
  width: number,
  tiers: number,
  icing: Hex = PAINT.cream,
): { body: string; top: Point } {
  let out = ''
  let cy = y
  let w = width
  for (let i = 0; i < tiers; i++) {
    const h = width * (0.34 - 0.02 * i)
    const d = `M${n(x - w / 2)} ${n(cy - h)}V${n(cy)}Q${n(x)} ${n(cy + w * 0.09)} ${n(x + w / 2)} ${n(cy)}V${n(cy - h)}Z`
    out += path(d, s.tone(icing))
    out += s.clip(
      d,
      path(
        `M${n(x - s.side * w * 0.08)} ${n(cy - h)}Q${n(x - s.side * w * 0.02)} ${n(cy - h / 2)} ${n(x - s.side * w * 0.1)} ${n(cy + 40)}H${n(x - s.side * w)}V${n(cy - h)}Z`,
        s.dim(icing, 0.3),
        0.75,
      ) +
        path(
          `M${n(x + s.side * w * 0.5)} ${n(cy - h)}V${n(cy + 20)}H${n(x + s.side * w * 0.4)}V${n(cy - h)}Z`,
          s.mood.sun,
          0.4,
        ),
    )
    let marks = ''
    for (let k = 0; k < 5; k++) {
      const my = cy - h * (0.14 + 0.18 * k)
      marks += `M${n(x - w / 2 + 4)} ${n(my)}q${n(w * 0.25)} ${n(w * 0.05 + r.range(-2, 2))} ${n(w * r.range(0.3, 0.9))} ${n(w * 0.05)}`
    }
    out += s.clip(d, stroke(marks, s.dim(icing, 0.35), 2.2, 0.3))
    out += ellipse(x, cy - h, w / 2, w * 0.075, s.lit(icing, 0.4))
    cy -= h
    w *= 0.7
  }
  return { body: out, top: [x, cy] }
}

/** A cake stand or pedestal. */
export function stand(
  s: Stage,
  x: number,
  y: number,
  width: number,
  h: number,
  glaze: Hex = PAINT.paper,
): string {
  return (
    path(
      `M${n(x - width * 0.2)} ${n(y)}Q${n(x - width * 0.05)} ${n(y - h * 0.2)} ${n(x - width * 0.06)} ${n(y - h)}H${n(x + width * 0.06)}Q${n(x + width * 0.05)} ${n(y - h * 0.2)} ${n(x + width * 0.2)} ${n(y)}Z`,
      s.dim(glaze, 0.2),
    ) +
    path(
      `M${n(x - width / 2)} ${n(y - h)}Q${n(x)} ${n(y - h + width * 0.14)} ${n(x + width / 2)} ${n(y - h)}Z`,
      s.dim(glaze, 0.12),
    ) +
    ellipse(x, y - h, width / 2, width * 0.07, s.lit(glaze, 0.3))
  )
}

/** A bentwood chair from behind or from the front. */
export function chair(s: Stage, x: number, y: number, h: number, wood: Hex = PAINT.walnut): string {
  const c = s.tone(wood)
  const d = s.dim(wood, 0.3)
  const w = h * 0.2
  return (
    castShadow(s, x, y, w * 2, h * 0.9, 0.22) +
    stroke(
      `M${n(x - w)} ${n(y)}L${n(x - w * 0.85)} ${n(y - h * 0.48)}M${n(x + w)} ${n(y)}L${n(x + w * 0.85)} ${n(y - h * 0.48)}`,
      d,
      h * 0.04,
    ) +
    stroke(
      `M${n(x - w * 0.8)} ${n(y - h * 0.48)}L${n(x - w * 0.85)} ${n(y - h * 0.82)}Q${n(x)} ${n(y - h * 1.12)} ${n(x + w * 0.85)} ${n(y - h * 0.82)}L${n(x + w * 0.8)} ${n(y - h * 0.48)}`,
      c,
      h * 0.042,
    ) +
    stroke(
      `M${n(x - w * 0.6)} ${n(y - h * 0.72)}L${n(x + w * 0.6)} ${n(y - h * 0.88)}M${n(x + w * 0.6)} ${n(y - h * 0.72)}L${n(x - w * 0.6)} ${n(y - h * 0.88)}`,
      c,
      h * 0.026,
    ) +
    rect(x - w * 1.02, y - h * 0.51, w * 2.04, h * 0.065, c, 4)
  )
}

/** A round table with a cloth, seen from slightly above. The caller adds the flowers. */
export function roundTable(
  s: Stage,
  x: number,
  y: number,
  width: number,
  h: number,
  cloth: Hex = PAINT.cream,
): string {
  const top = y - h
  const d = `M${n(x - width / 2)} ${n(top)}C${n(x - width * 0.5)} ${n(top + h * 0.5)} ${n(x - width * 0.56)} ${n(y - h * 0.2)} ${n(x - width * 0.55)} ${n(y)}Q${n(x)} ${n(y + width * 0.12)} ${n(x + width * 0.55)} ${n(y)}C${n(x + width * 0.56)} ${n(y - h * 0.2)} ${n(x + width / 2)} ${n(top + h * 0.5)} ${n(x + width / 2)} ${n(top)}Z`
  let folds = ''
  for (let i = -2; i <= 2; i++)
    folds += `M${n(x + i * width * 0.19)} ${n(top + width * 0.09)}Q${n(x + i * width * 0.2)} ${n((top + y) / 2)} ${n(x + i * width * 0.24)} ${n(y + width * 0.05)}`
  return (
    castShadow(s, x, y, width, h * 1.6, 0.3) +
    path(d, s.dim(cloth, 0.16)) +
    s.clip(
      d,
      rect(s.side > 0 ? x - width : x, top, width, h * 2, s.mood.ink, 0, 0.12) +
        stroke(folds, s.dim(cloth, 0.45), width * 0.02, 0.4),
    ) +
    ellipse(x, top, width / 2, width * 0.11, s.lit(cloth, 0.25))
  )
}
