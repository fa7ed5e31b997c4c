import { n } from '../geometry.ts'
import { BRIGHTS, HAIR, type Hex, mix, PAINT } from '../palette.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { circle, ellipse, group, line, path, rect, ring, stroke } from '../svg.ts'
import { castShadow } from './land.ts'
import { person } from './people.ts'

/** Concentric circles of sound, widening from a point. */
export function slowCircles(
  s: Stage,
  x: number,
  y: number,
  radius: number,
  count: number,
  colour: Hex,
): string {
  let out = ''
  for (let i = count; i > 0; i--) {
    const r = radius * (i / count)
    out += circle(x, y, r, i % 2 ? mix(s.mood.sky[1], colour, 0.4) : mix(s.mood.sky[2], colour, 0.12), 0.4)
  }
  for (let i = 1; i <= count; i++) out += ring(x, y, radius * (i / count), s.mood.sun, 2.4, 0.34)
  return out
}

export function speaker(s: Stage, x: number, y: number, h: number, colour: Hex = PAINT.ink): string {
  const w = h * 0.56
  const cone = (cy: number, r: number) =>
    circle(x, cy, r, s.dim('#3A4448', 0.2)) +
    ring(x, cy, r * 0.95, s.tone(PAINT.iron), r * 0.07) +
    circle(x, cy, r * 0.72, '#141D20') +
    circle(x, cy, r * 0.3, s.dim('#4A5458', 0.1)) +
    path(
      `M${n(x + s.side * r * 0.1)} ${n(cy - r * 0.64)}A${n(r * 0.65)} ${n(r * 0.65)} 0 0 ${s.side > 0 ? 1 : 0} ${n(x + s.side * r * 0.64)} ${n(cy - r * 0.1)}`,
      'none',
    )
  return (
    castShadow(s, x, y, w, h * 1.1, 0.34) +
    rect(x - w / 2, y - h, w, h, s.tone(colour), 9) +
    rect(s.side > 0 ? x - w / 2 : x + w * 0.3, y - h, w * 0.2, h, s.mood.ink, 9, 0.4) +
    line(
      [
        [x + (s.side * w) / 2 - s.side * 5, y - h + 10],
        [x + (s.side * w) / 2 - s.side * 5, y - 10],
      ],
      s.mood.halo,
      4,
      0.7,
    ) +
    cone(y - h * 0.33, w * 0.36) +
    cone(y - h * 0.78, w * 0.2)
  )
}

/** The DJ at the decks, behind a booth; `h` is the figure's height. */
export function discJockey(s: Stage, r: Random, x: number, y: number, h: number): string {
  const f = s.side
  const top = r.pick(BRIGHTS)
  const body = person(s, r, x, y, h, {
    outfit: 'shirt',
    pose: r.pick(['reach', 'glass', 'up']),
    colour: top,
    facing: f,
    shadow: false,
    hair: r.pick(HAIR),
  })
  const hy = y - h * 0.915
  return (
    body +
    stroke(
      `M${n(x - h * 0.052)} ${n(hy)}Q${n(x + f * h * 0.012)} ${n(hy - h * 0.15)} ${n(x + h * 0.074)} ${n(hy)}`,
      s.dim(PAINT.ink, 0.1),
      h * 0.02,
    ) +
    ellipse(x - f * h * 0.026, hy + h * 0.008, h * 0.02, h * 0.032, s.tone(PAINT.ink)) +
    ellipse(x - f * h * 0.022, hy + h * 0.008, h * 0.012, h * 0.022, s.tone(PAINT.wattle))
  )
}

/** A dancer as a silhouette against the light. */
export function dancer(r: Random, x: number, y: number, h: number, colour: Hex): string {
  const f = r.chance(0.5) ? 1 : -1
  const up = r.chance(0.6)
  const X = (k: number) => n(x + f * k * h)
  const Y = (k: number) => n(y - k * h)
  return (
    circle(x, y - h * 0.92, h * 0.065, colour) +
    (r.chance(0.4) ? circle(x - f * h * 0.06, y - h * 0.97, h * 0.04, colour) : '') +
    path(
      `M${X(-0.12)} ${Y(0.8)}Q${X(0)} ${Y(0.88)} ${X(0.12)} ${Y(0.8)}Q${X(0.09)} ${Y(0.5)} ${X(0.14)} ${Y(0.2)}L${X(0.1)} ${Y(0)}H${X(-0.1)}L${X(-0.14)} ${Y(0.2)}Q${X(-0.09)} ${Y(0.5)} ${X(-0.12)} ${Y(0.8)}Z`,
      colour,
    ) +
    stroke(
      up
        ? `M${X(-0.1)} ${Y(0.78)}L${X(-0.2)} ${Y(0.92)}L${X(-0.16)} ${Y(1.1)}M${X(0.1)} ${Y(0.78)}L${X(0.2)} ${Y(0.88)}L${X(0.24)} ${Y(1.04)}`
        : `M${X(-0.1)} ${Y(0.78)}L${X(-0.22)} ${Y(0.64)}L${X(-0.14)} ${Y(0.52)}M${X(0.1)} ${Y(0.78)}L${X(0.22)} ${Y(0.86)}L${X(0.26)} ${Y(1.02)}`,
      colour,
      h * 0.052,
    )
  )
}

export function slowCirclesLine(s: Stage, x: number, y: number, radius: number): string {
  let out = ''
  for (let i = 1; i <= 6; i++) out += ring(x, y, (radius * i) / 6, s.mood.sun, 3.4, 0.5 - i * 0.06)
  return out
}

export function sleeveArt(s: Stage, r: Random, k: number): string {
  const a = r.pick(BRIGHTS)
  const kind = r.int(0, 2)
  if (kind === 0)
    return [0.4, 0.3, 0.2, 0.1].map((t, i) => circle(0, 0, k * t, s.tone(i % 2 ? PAINT.cream : a))).join('')
  if (kind === 1)
    return (
      rect(-k / 2, 0, k, k / 2, s.tone(a)) +
      circle(0, 0, k * 0.22, s.tone(PAINT.wattle)) +
      rect(-k / 2, k * 0.02, k, k * 0.03, s.tone(PAINT.cream))
    )
  return [0, 1, 2, 3, 4]
    .map((i) =>
      rect(
        -k / 2 + k * 0.08 + i * k * 0.17,
        -k * 0.38 + i * k * 0.05,
        k * 0.1,
        k * 0.7 - i * k * 0.1,
        s.tone(i % 2 ? a : PAINT.cream),
        8,
      ),
    )
    .join('')
}

export function guitar(s: Stage, r: Random, x: number, y: number, size: number): string {
  const c = r.pick([PAINT.oak, PAINT.terracotta, PAINT.timber, PAINT.wattle])
  return group(
    `translate(${n(x)} ${n(y)}) rotate(-24)`,
    rect(size * 0.2, -size * 0.05, size * 0.95, size * 0.1, s.tone(PAINT.walnut), 3) +
      rect(size * 1.1, -size * 0.08, size * 0.2, size * 0.16, s.dim(PAINT.walnut, 0.3), 3) +
      ellipse(size * 0.16, 0, size * 0.26, size * 0.25, s.tone(c)) +
      ellipse(-size * 0.22, 0, size * 0.34, size * 0.32, s.tone(c)) +
      ellipse(-size * 0.24, size * 0.12, size * 0.3, size * 0.18, s.mood.ink, 0.14) +
      circle(size * 0.06, 0, size * 0.11, s.dim(PAINT.walnut, 0.5)) +
      line(
        [
          [-size * 0.4, 0],
          [size * 1.15, 0],
        ],
        s.mood.sun,
        2,
        0.7,
      ),
  )
}
