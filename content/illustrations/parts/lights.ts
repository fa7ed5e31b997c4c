import { n, type Point } from '../geometry.ts'
import { type Hex, mix, PAINT } from '../palette.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { circle, line, path, stroke } from '../svg.ts'

/** The soft light around a lamp. */
export function glow(s: Stage, x: number, y: number, radius: number, strength = 1): string {
  const fill = s.radial([
    [0, '#FFE3A0', 0.85],
    [0.25, '#FBC768', 0.42],
    [1, '#F2A63C', 0],
  ])
  return circle(x, y, radius, fill, strength * (0.25 + 0.75 * s.mood.lamps))
}

/** A strand of festoon bulbs between two points. */
export function festoon(s: Stage, from: Point, to: Point, sag: number, spacing = 46, size = 7): string {
  const cx = (from[0] + to[0]) / 2
  const cy = (from[1] + to[1]) / 2 + sag * 2
  const wire = mix(s.mood.ink, s.mood.land[3], 0.2)
  let out = stroke(
    `M${n(from[0])} ${n(from[1])}Q${n(cx)} ${n(cy)} ${n(to[0])} ${n(to[1])}`,
    wire,
    Math.max(1.6, size * 0.3),
    0.85,
  )
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) + sag
  const count = Math.max(3, Math.round(length / spacing))
  let halos = ''
  let bulbs = ''
  let caps = ''
  for (let i = 0; i < count; i++) {
    const t = (i + 0.5) / count
    const x = from[0] * (1 - t) ** 2 + 2 * cx * t * (1 - t) + to[0] * t * t
    const y = from[1] * (1 - t) ** 2 + 2 * cy * t * (1 - t) + to[1] * t * t + size * 0.9
    halos += glow(s, x, y, size * 3.6, 0.9)
    bulbs += circle(x, y, size * 0.78, s.mood.lamps > 0.5 ? '#FFEDBE' : s.lit(PAINT.wattle, 0.45))
    caps += `M${n(x)} ${n(y - size * 0.9)}v.01`
  }
  out += halos + bulbs + stroke(caps, wire, size * 0.7)
  return out
}

/** Small flags on a line. */
export function bunting(
  s: Stage,
  r: Random,
  from: Point,
  to: Point,
  sag: number,
  size = 34,
  colours: readonly Hex[] = [PAINT.waratah, PAINT.wattle, PAINT.cream, PAINT.teal],
): string {
  const cx = (from[0] + to[0]) / 2
  const cy = (from[1] + to[1]) / 2 + sag * 2
  const at = (t: number): Point => [
    from[0] * (1 - t) ** 2 + 2 * cx * t * (1 - t) + to[0] * t * t,
    from[1] * (1 - t) ** 2 + 2 * cy * t * (1 - t) + to[1] * t * t,
  ]
  const count = Math.max(4, Math.round(Math.hypot(to[0] - from[0], to[1] - from[1]) / (size * 1.35)))
  let out = ''
  for (let i = 0; i < count; i++) {
    const [x0, y0] = at((i + 0.12) / count)
    const [x1, y1] = at((i + 0.88) / count)
    const colour = s.tone(colours[i % colours.length] ?? PAINT.cream)
    const tip: Point = [(x0 + x1) / 2 + r.range(-4, 4), (y0 + y1) / 2 + size * 1.1]
    out += path(`M${n(x0)} ${n(y0)}L${n(x1)} ${n(y1)}L${n(tip[0])} ${n(tip[1])}Z`, colour)
    out += path(
      `M${n((x0 + x1) / 2)} ${n((y0 + y1) / 2)}L${n(s.side > 0 ? x0 : x1)} ${n(s.side > 0 ? y0 : y1)}L${n(tip[0])} ${n(tip[1])}Z`,
      s.mood.ink,
      0.14,
    )
  }
  return (
    stroke(`M${n(from[0])} ${n(from[1])}Q${n(cx)} ${n(cy)} ${n(to[0])} ${n(to[1])}`, s.dim(PAINT.paper), 3) +
    out
  )
}

export function candle(s: Stage, x: number, y: number, h: number, colour: Hex = PAINT.cream): string {
  const w = h * 0.16
  return (
    glow(s, x, y - h * 1.15, h * 0.9) +
    path(`M${n(x - w / 2)} ${n(y)}V${n(y - h)}H${n(x + w / 2)}V${n(y)}Z`, s.tone(colour)) +
    path(`M${n(x)} ${n(y)}V${n(y - h)}H${n(x - (s.side * w) / 2)}V${n(y)}Z`, s.dim(colour, 0.3), 0.7) +
    path(flame(x, y - h - w * 0.4, w * 1.1), '#FFE7AE')
  )
}

export function flame(x: number, y: number, size: number): string {
  return `M${n(x)} ${n(y - size * 2)}Q${n(x + size)} ${n(y - size * 0.5)} ${n(x + size * 0.45)} ${n(y)}Q${n(x)} ${n(y + size * 0.35)} ${n(x - size * 0.45)} ${n(y)}Q${n(x - size)} ${n(y - size * 0.5)} ${n(x)} ${n(y - size * 2)}Z`
}

/** A paper lantern, lit from within. */
export function paperLantern(
  s: Stage,
  x: number,
  y: number,
  radius: number,
  colour: Hex = PAINT.cream,
  cordTo = 0,
): string {
  const warm = mix(s.tone(colour), '#FFD98A', 0.45 * s.mood.lamps)
  const fill = s.radial([
    [0, mix(warm, '#FFF3CF', 0.6)],
    [0.7, warm],
    [1, mix(warm, s.mood.ink, 0.18)],
  ])
  let ribs = ''
  for (let i = -2; i <= 2; i++) {
    const k = (i / 3) * radius
    const half = Math.sqrt(radius * radius - k * k)
    ribs += `M${n(x - half)} ${n(y + k * 0.92)}Q${n(x)} ${n(y + k * 0.92 + radius * 0.13)} ${n(x + half)} ${n(y + k * 0.92)}`
  }
  return (
    (cordTo < y
      ? line(
          [
            [x, cordTo],
            [x, y - radius],
          ],
          s.mood.ink,
          2.4,
          0.6,
        )
      : '') +
    glow(s, x, y, radius * 2.4, 0.9) +
    `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(radius)}" ry="${n(radius * 0.94)}" fill="${fill}"/>` +
    stroke(ribs, mix(warm, s.mood.ink, 0.35), 2, 0.35) +
    path(
      `M${n(x - radius * 0.24)} ${n(y - radius * 0.9)}h${n(radius * 0.48)}v${n(-radius * 0.1)}h${n(-radius * 0.48)}Z`,
      s.mood.ink,
      0.7,
    )
  )
}

/** A post for lights. */
export function post(s: Stage, x: number, y: number, h: number, width = 9): string {
  return (
    line(
      [
        [x, y],
        [x, y - h],
      ],
      s.dim(PAINT.walnut, 0.35),
      width,
    ) +
    line(
      [
        [x + s.side * width * 0.25, y],
        [x + s.side * width * 0.25, y - h],
      ],
      s.lit(PAINT.timber, 0.2),
      width * 0.3,
      0.8,
    )
  )
}
