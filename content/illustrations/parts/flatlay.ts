import { blob, n, type Point, polygon } from '../geometry.ts'
import { type Hex, mix, PAINT } from '../palette.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { circle, ellipse, group, line, path, rect, ring, stroke } from '../svg.ts'
import { leaf } from './trees.ts'

/** The direction and length of shadows on a surface seen from above, for a height of 1. */
export function fall(s: Stage): Point {
  return [-s.side * 1.1, 0.62]
}

/** The surface of a picture seen from above, in raking light. */
export function surface(
  s: Stage,
  kind: 'planks' | 'linen' | 'stone' | 'gingham' | 'plaster',
  colour: Hex,
): string {
  const r = s.random('surface')
  const base = s.tone(colour)
  const warm = s.side > 0 ? ([1, 0] as const) : ([0, 0] as const)
  const fill = s.linear(
    [
      [0, mix(base, s.mood.sun, 0.32)],
      [0.5, base],
      [1, mix(base, s.mood.ink, 0.2)],
    ],
    warm,
    [1 - warm[0], 1],
  )
  let out = rect(0, 0, s.w, s.h, fill)
  const dark = mix(base, s.mood.ink, 0.4)
  if (kind === 'planks') {
    const count = 6
    for (let i = 0; i < count; i++) {
      const y = (i * s.h) / count
      out += rect(0, y, s.w, s.h / count, r.chance(0.5) ? s.mood.ink : s.mood.sun, 0, r.range(0.01, 0.09))
      let grain = ''
      for (let k = 0; k < 7; k++) {
        const gy = y + r.range(0.1, 0.9) * (s.h / count)
        const x0 = r.range(-0.1, 0.8) * s.w
        grain += `M${n(x0)} ${n(gy)}q${n(r.range(60, 160))} ${n(r.range(-9, 9))} ${n(r.range(180, 420))} ${n(r.range(-6, 6))}`
      }
      out +=
        stroke(grain, dark, 2.2, 0.25) +
        line(
          [
            [0, y],
            [s.w, y + r.range(-3, 3)],
          ],
          dark,
          4,
          0.6,
        )
      const joint = r.range(0.1, 0.9) * s.w
      out += line(
        [
          [joint, y],
          [joint, y + s.h / count],
        ],
        dark,
        3,
        0.5,
      )
    }
  } else if (kind === 'gingham') {
    const size = 58
    const check = s.tone(r.pick([PAINT.waratah, PAINT.eucalypt, PAINT.teal, PAINT.terracotta]))
    let a = ''
    for (let x = 0; x < s.w; x += size * 2) a += rect(x, 0, size, s.h, check, 0, 0.3)
    for (let y = 0; y < s.h; y += size * 2) a += rect(0, y, s.w, size, check, 0, 0.3)
    out += group(
      `rotate(${n(r.range(-9, 9))} ${n(s.w / 2)} ${n(s.h / 2)}) translate(${n(-s.w * 0.15)} ${n(-s.h * 0.15)}) scale(1.35)`,
      a,
    )
  } else if (kind === 'stone') {
    const paints = [PAINT.terracotta, PAINT.stone, PAINT.eucalypt, PAINT.blush, PAINT.walnut] as const
    for (let i = 0; i < 70; i++) {
      const k = r.range(3, 15)
      out += path(blob(r, r.next() * s.w, r.next() * s.h, k * 1.3, k, 0.3, 5), s.tone(r.pick(paints)), 0.38)
    }
  } else if (kind === 'linen') {
    let d = ''
    for (let i = 0; i < 6; i++) {
      const x = r.range(0, s.w)
      d += `M${n(x)} ${n(-10)}Q${n(x + r.range(-80, 80))} ${n(s.h / 2)} ${n(x + r.range(-120, 120))} ${n(s.h + 10)}`
    }
    out += stroke(d, mix(base, s.mood.sun, 0.6), 26, 0.22) + stroke(d, dark, 3, 0.12)
  } else {
    for (let i = 0; i < 7; i++)
      out += path(
        blob(r, r.next() * s.w, r.next() * s.h, r.range(80, 260), r.range(40, 120), 0.3, 9),
        r.chance(0.5) ? s.mood.sun : s.mood.ink,
        0.05,
      )
  }
  let dots = ''
  for (let i = 0; i < 420; i++)
    dots += `M${n(s.side > 0 ? s.w * r.next() ** 2 : s.w * (1 - r.next() ** 2))} ${n(s.h * Math.sqrt(r.next()))}h.01`
  return out + stroke(dots, dark, 2.6, 0.35)
}

/** Shadows of leaves or window bars that fall across everything from outside the picture. */
export function dapple(s: Stage, kind: 'leaves' | 'window' = 'leaves'): string {
  const r = s.random('dapple')
  const x0 = s.side > 0 ? s.w + 60 : -60
  let d = ''
  if (kind === 'window') {
    const dir = -s.side
    for (let i = 0; i < 3; i++)
      for (let k = 0; k < 2; k++) {
        const x = s.w / 2 - dir * s.w * 0.34 + dir * (i * 250 + k * 190)
        const y = -40 + k * s.h * 0.46
        const h = s.h * 0.42
        d += polygon([
          [x, y],
          [x + dir * 220, y + 30],
          [x + dir * (220 + h * 0.45), y + 30 + h],
          [x + dir * h * 0.45, y + h],
        ])
      }
    return path(d, s.mood.sun, s.mood.night ? 0.08 : 0.2)
  }
  for (let i = 0; i < 5; i++) {
    const y0 = r.range(-0.15, 0.5) * s.h
    const len = r.range(380, 760)
    const drop = r.range(0.2, 0.8)
    for (let k = 0; k < 14; k++) {
      const t = 0.1 + (0.9 * k) / 13
      const x = x0 - s.side * len * t
      const y = y0 + len * drop * t * t
      d += leaf(
        x,
        y,
        r.range(80, 130),
        Math.PI / 2 + s.side * r.range(-0.2, 1.2),
        r.range(11, 18),
        r.range(-0.25, 0.25),
      )
    }
  }
  return path(d, s.mood.shadow, 0.17)
}

/** The shadow of a round object raised `up` above the surface. */
export function roundShadow(s: Stage, x: number, y: number, radius: number, up: number): string {
  const [dx, dy] = fall(s)
  return `<path d="M${n(x)} ${n(y)}L${n(x + dx * up)} ${n(y + dy * up)}" stroke="${s.mood.shadow}" stroke-width="${n(radius * 2)}" stroke-linecap="round" opacity="0.3"/>`
}

/** The shadow of any flat shape, slightly raised. */
export function flatShadow(s: Stage, d: string, up = 12): string {
  const [dx, dy] = fall(s)
  return `<path d="${d}" transform="translate(${n(dx * up)} ${n(dy * up)})" fill="${s.mood.shadow}" opacity="0.28"/>`
}

export function plate(s: Stage, x: number, y: number, radius: number, glaze: Hex = PAINT.cream): string {
  const base = s.tone(glaze)
  return (
    roundShadow(s, x, y, radius * 0.98, 22) +
    circle(x, y, radius, base) +
    ring(x, y, radius * 0.95, s.lit(glaze, 0.5), radius * 0.03, 0.8) +
    circle(x, y, radius * 0.72, s.dim(glaze, 0.1)) +
    circle(x + s.side * radius * 0.03, y - radius * 0.03, radius * 0.69, mix(base, s.mood.sun, 0.12))
  )
}

/** A cup on its saucer from above. */
export function cup(
  s: Stage,
  x: number,
  y: number,
  radius: number,
  glaze: Hex,
  drink: Hex = '#6B432C',
): string {
  const heart = s.tone('#E9CFA8')
  return (
    roundShadow(s, x, y, radius * 1.5, 12) +
    circle(x, y, radius * 1.55, s.tone(glaze)) +
    circle(x, y, radius * 1.2, s.dim(glaze, 0.14)) +
    roundShadow(s, x, y, radius * 0.95, 26) +
    stroke(
      `M${n(x - s.side * radius * 0.9)} ${n(y - radius * 0.3)}q${n(-s.side * radius * 0.75)} ${n(radius * 0.1)} ${n(-s.side * radius * 0.08)} ${n(radius * 0.6)}`,
      s.tone(glaze),
      radius * 0.2,
    ) +
    circle(x, y, radius, s.lit(glaze, 0.3)) +
    circle(x, y, radius * 0.86, s.tone(drink)) +
    path(
      `M${n(x)} ${n(y + radius * 0.5)}C${n(x - radius * 0.8)} ${n(y)} ${n(x - radius * 0.45)} ${n(y - radius * 0.6)} ${n(x)} ${n(y - radius * 0.2)}C${n(x + radius * 0.45)} ${n(y - radius * 0.6)} ${n(x + radius * 0.8)} ${n(y)} ${n(x)} ${n(y + radius * 0.5)}Z`,
      heart,
    ) +
    stroke(
      `M${n(x - radius * 0.3)} ${n(y)}q${n(radius * 0.3)} ${n(radius * 0.25)} ${n(radius * 0.6)} 0`,
      s.tone(drink),
      radius * 0.07,
      0.7,
    )
  )
}

/** A sheet of paper, rotated around its centre; `body` uses the sheet's own coordinates. */
export function sheet(
  s: Stage,
  x: number,
  y: number,
  w: number,
  h: number,
  turnDeg: number,
  colour: Hex,
  body = '',
  up = 9,
): string {
  const [dx, dy] = fall(s)
  const transform = `translate(${n(x)} ${n(y)}) rotate(${n(turnDeg)})`
  return (
    group(
      `translate(${n(x + dx * up)} ${n(y + dy * up)}) rotate(${n(turnDeg)})`,
      rect(-w / 2, -h / 2, w, h, s.mood.shadow, 3),
      0.28,
    ) + group(transform, rect(-w / 2, -h / 2, w, h, s.tone(colour), 3) + body)
  )
}

/** Lines that represent writing. */
export function writing(
  r: Random,
  x: number,
  y: number,
  w: number,
  lines: number,
  gap: number,
  colour: Hex,
  width = 4,
): string {
  let d = ''
  for (let i = 0; i < lines; i++) d += `M${n(x)} ${n(y + i * gap)}h${n(w * r.range(0.55, 1))}`
  return stroke(d, colour, width, 0.62)
}

export function pen(s: Stage, x: number, y: number, length: number, turnDeg: number, colour: Hex): string {
  const w = length * 0.055
  const body =
    path(
      `M${n(-length / 2)} ${n(-w)}H${n(length * 0.36)}L${n(length / 2)} 0L${n(length * 0.36)} ${n(w)}H${n(-length / 2)}Z`,
      s.tone(colour),
    ) +
    path(
      `M${n(-length / 2)} 0H${n(length / 2)}L${n(length * 0.36)} ${n(w)}H${n(-length / 2)}Z`,
      s.mood.ink,
      0.25,
    ) +
    path(
      `M${n(length * 0.36)} ${n(-w)}L${n(length / 2)} 0L${n(length * 0.36)} ${n(w)}Z`,
      s.tone(PAINT.straw),
    ) +
    rect(-length / 2, -w, length * 0.06, w * 2, s.tone(PAINT.wattle))
  const [dx, dy] = fall(s)
  return (
    group(
      `translate(${n(x + dx * 10)} ${n(y + dy * 10)}) rotate(${n(turnDeg)})`,
      rect(-length / 2, -w, length * 0.94, w * 2, s.mood.shadow, w),
      0.28,
    ) + group(`translate(${n(x)} ${n(y)}) rotate(${n(turnDeg)})`, body)
  )
}

export function fork(s: Stage, x: number, y: number, length: number, turnDeg: number, knife = false): string {
  const metal = s.lit(PAINT.straw, 0.25)
  const w = length * 0.03
  const head = knife
    ? path(
        `M${n(-w)} ${n(-length * 0.1)}V${n(-length / 2)}Q${n(w * 2.4)} ${n(-length * 0.4)} ${n(w * 1.6)} ${n(-length * 0.1)}Z`,
        metal,
      )
    : stroke(
        `M${n(-w * 1.6)} ${n(-length / 2)}v${n(length * 0.17)}q0 ${n(w * 2)} ${n(w * 1.6)} ${n(w * 2)}q${n(w * 1.6)} 0 ${n(w * 1.6)} ${n(-w * 2)}v${n(-length * 0.17)}M0 ${n(-length / 2)}v${n(length * 0.3)}`,
        metal,
        w * 0.9,
      )
  const handle = line(
    [
      [0, -length * 0.14],
      [0, length / 2],
    ],
    metal,
    w * 1.8,
  )
  const [dx, dy] = fall(s)
  return (
    group(
      `translate(${n(x + dx * 7)} ${n(y + dy * 7)}) rotate(${n(turnDeg)})`,
      line(
        [
          [0, -length * 0.45],
          [0, length / 2],
        ],
        s.mood.shadow,
        w * 2.2,
      ),
      0.25,
    ) + group(`translate(${n(x)} ${n(y)}) rotate(${n(turnDeg)})`, head + handle)
  )
}

/** A wine glass or tumbler from above, with the light it casts. */
export function glassAbove(s: Stage, x: number, y: number, radius: number, drink: Hex): string {
  const [dx, dy] = fall(s)
  return (
    roundShadow(s, x, y, radius * 0.7, 52) +
    ellipse(x + dx * 40, y + dy * 40, radius * 0.6, radius * 0.45, s.tone(drink), 0.55) +
    ellipse(x + dx * 44, y + dy * 44, radius * 0.28, radius * 0.18, s.mood.sun, 0.6) +
    circle(x, y, radius, s.lit(PAINT.cream, 0.3), 0.6) +
    circle(x, y, radius * 0.84, s.tone(drink)) +
    ring(x, y, radius * 0.97, s.mood.sun, radius * 0.08, 0.85) +
    ellipse(x + s.side * radius * 0.3, y - radius * 0.36, radius * 0.26, radius * 0.14, s.mood.sun, 0.6)
  )
}

/** Ribbon lying in loops. */
export function ribbon(
  s: Stage,
  r: Random,
  x: number,
  y: number,
  length: number,
  colour: Hex,
  width = 15,
): string {
  const d = `M${n(x)} ${n(y)}c${n(length * 0.2)} ${n(-length * 0.28)} ${n(length * 0.42)} ${n(length * r.range(0.16, 0.3))} ${n(length * 0.22)} ${n(length * 0.2)}s${n(length * 0.06)} ${n(-length * 0.36)} ${n(length * 0.4)} ${n(-length * 0.12)}s${n(length * 0.2)} ${n(length * 0.26)} ${n(length * 0.4)} ${n(length * r.range(-0.1, 0.1))}`
  const [dx, dy] = fall(s)
  return (
    group(`translate(${n(dx * 7)} ${n(dy * 7)})`, stroke(d, s.mood.shadow, width), 0.25) +
    stroke(d, s.tone(colour), width) +
    group(`translate(0 ${n(-width * 0.22)})`, stroke(d, s.lit(colour, 0.4), width * 0.28, 0.7))
  )
}
