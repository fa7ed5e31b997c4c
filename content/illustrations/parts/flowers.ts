import { blob, n, type Point } from '../geometry.ts'
import { type Hex, mix, PAINT } from '../palette.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { circle, path, stroke } from '../svg.ts'
import { gumBlossom, leaf } from './trees.ts'

type FlowerKind = 'rose' | 'daisy' | 'wattle' | 'waratah' | 'gum' | 'poppy'

const KINDS = ['rose', 'rose', 'daisy', 'wattle', 'waratah', 'gum', 'poppy'] as const

export function flower(
  s: Stage,
  r: Random,
  x: number,
  y: number,
  size: number,
  colour: Hex,
  kind: FlowerKind = 'rose',
): string {
  const base = s.tone(colour)
  const dark = s.dim(colour, 0.3)
  const pale = s.lit(colour, 0.4)
  switch (kind) {
    case 'rose':
      return (
        path(blob(r, x, y, size, size, 0.09, 8), dark) +
        path(blob(r, x + s.side * size * 0.08, y - size * 0.1, size * 0.84, size * 0.8, 0.1, 7), base) +
        path(blob(r, x + s.side * size * 0.14, y - size * 0.16, size * 0.52, size * 0.48, 0.14, 6), pale) +
        stroke(
          `M${n(x - size * 0.2)} ${n(y - size * 0.1)}a${n(size * 0.26)} ${n(size * 0.24)} 0 1 1 ${n(size * 0.36)} ${n(size * 0.12)}`,
          dark,
          size * 0.11,
          0.7,
        )
      )
    case 'daisy': {
      let d = ''
      const petals = r.int(8, 11)
      const turn = r.range(0, 1)
      for (let i = 0; i < petals; i++)
        d += leaf(x, y, size * r.range(0.9, 1.1), turn + (i / petals) * Math.PI * 2, size * 0.24, 0)
      return (
        path(d, base) +
        circle(x, y, size * 0.32, s.tone(PAINT.wattle)) +
        circle(x - s.side * size * 0.08, y + size * 0.08, size * 0.18, s.tone(PAINT.terracotta), 0.7)
      )
    }
    case 'wattle': {
      let out = ''
      for (let i = 0; i < 9; i++) {
        const a = r.range(0, Math.PI * 2)
        const k = size * Math.sqrt(r.next()) * 1.1
        out += circle(
          x + Math.cos(a) * k,
          y + Math.sin(a) * k,
          size * r.range(0.22, 0.34),
          i % 3 ? s.tone(PAINT.wattle) : s.lit(PAINT.wattle, 0.45),
        )
      }
      return out
    }
    case 'waratah': {
      const red = s.tone(PAINT.waratah)
      let bracts = ''
      for (let i = 0; i < 7; i++)
        bracts += leaf(
          x,
          y + size * 0.3,
          size * 1.2,
          Math.PI * (1.05 + (i / 6) * 0.9) - Math.PI * 0.0,
          size * 0.24,
          0.05,
        )
      let florets = ''
      for (let row = 0; row < 4; row++)
        for (let i = -2; i <= 2; i++)
          florets += `M${n(x + i * size * 0.24 * (1 - row * 0.13))} ${n(y + size * 0.2 - row * size * 0.26 - Math.abs(i) * -size * 0.03)}q${n(i * size * 0.06)} ${n(-size * 0.2)} ${n(i * size * 0.02)} ${n(-size * 0.22)}`
      return (
        path(bracts, s.dim(PAINT.waratah, 0.35)) +
        circle(x, y - size * 0.12, size * 0.62, red) +
        stroke(florets, s.lit(PAINT.coral, 0.1), size * 0.1, 0.85)
      )
    }
    case 'gum':
      return gumBlossom(s, r, x, y, size)
    case 'poppy':
      return (
        path(blob(r, x, y, size * 1.05, size * 0.9, 0.16, 6), base) +
        path(blob(r, x + s.side * size * 0.2, y - size * 0.15, size * 0.6, size * 0.5, 0.15, 6), pale, 0.8) +
        circle(x, y, size * 0.24, s.tone(PAINT.ink)) +
        circle(x, y, size * 0.1, s.tone(PAINT.wattle))
      )
  }
}

/** Three flower colours that match, chosen by the seed. */
export function posyColours(r: Random): readonly Hex[] {
  return r.pick<readonly Hex[]>([
    [PAINT.waratah, PAINT.coral, PAINT.blush],
    [PAINT.cream, PAINT.blush, PAINT.wattle],
    [PAINT.wattle, PAINT.terracotta, PAINT.cream],
    [PAINT.cream, PAINT.cream, PAINT.leaf],
    [PAINT.coral, PAINT.mauve, PAINT.cream],
    [PAINT.terracotta, PAINT.blush, PAINT.waratah],
  ])
}

/** Leaves and flowers around a point. `up` draws it as a bunch that opens upwards. */
export function posy(
  s: Stage,
  r: Random,
  x: number,
  y: number,
  size: number,
  colours: readonly Hex[] = posyColours(r),
  up = false,
): string {
  let back = ''
  let front = ''
  const leaves = Math.round(15)
  for (let i = 0; i < leaves; i++) {
    const a = up ? -Math.PI * r.range(0.02, 0.98) : r.range(0, Math.PI * 2)
    const d = leaf(
      x + Math.cos(a) * size * 0.2,
      y + Math.sin(a) * size * 0.2,
      size * r.range(0.85, 1.3),
      a,
      size * r.range(0.09, 0.15),
      r.range(-0.2, 0.2),
    )
    if (i % 2) back += d
    else front += d
  }
  let out = path(back, s.dim(PAINT.eucalypt, 0.25)) + path(front, s.tone(PAINT.gum))
  const spots: (readonly [number, number, number])[] = []
  for (let i = 0; i < 9; i++) {
    const a = i * 2.4 + r.range(-0.3, 0.3)
    const k = size * 0.62 * Math.sqrt((i + 0.3) / 9)
    spots.push([
      x + Math.cos(a) * k,
      y + Math.sin(a) * k * (up ? 0.75 : 1) - (up ? size * 0.3 : 0),
      size * r.range(0.2, 0.33),
    ])
  }
  spots.sort((a, b) => a[2] - b[2])
  spots.forEach(([fx, fy, k], i) => {
    const colour = colours[i % colours.length] ?? PAINT.coral
    out += flower(s, r, fx, fy, k, colour, i < 3 ? r.pick(['daisy', 'wattle', 'gum']) : r.pick(KINDS))
  })
  return out
}

/** Greenery with flowers along a line of points. `fullness` 0 to 1. */
export function garland(
  s: Stage,
  r: Random,
  points: readonly Point[],
  size: number,
  fullness = 0.6,
  colours: readonly Hex[] = posyColours(r),
): string {
  let back = ''
  let mid = ''
  let front = ''
  let blooms = ''
  points.forEach(([x, y], i) => {
    for (let k = 0; k < 4; k++) {
      const d = leaf(
        x + r.range(-0.3, 0.3) * size,
        y + r.range(-0.3, 0.3) * size,
        size * r.range(0.7, 1.3),
        r.range(0, Math.PI * 2),
        size * r.range(0.12, 0.2),
        r.range(-0.2, 0.2),
      )
      if (k === 0) back += d
      else if (k === 1) front += d
      else mid += d
    }
    if (r.chance(fullness))
      blooms += flower(
        s,
        r,
        x + r.range(-0.35, 0.35) * size,
        y + r.range(-0.35, 0.35) * size,
        size * r.range(0.28, 0.5),
        colours[i % colours.length] ?? PAINT.coral,
        r.pick(KINDS),
      )
  })
  return (
    path(back, s.dim(PAINT.eucalypt, 0.4)) +
    path(mid, s.dim(PAINT.gum, 0.12)) +
    path(front, s.lit(PAINT.gum, 0.12)) +
    blooms
  )
}

/** A vase with stems, its foot at (x, y). */
export function vase(
  s: Stage,
  r: Random,
  x: number,
  y: number,
  h: number,
  glaze: Hex = r.pick([PAINT.cream, PAINT.terracotta, PAINT.teal, PAINT.paper]),
  colours?: readonly Hex[],
): string {
  const w = h * r.range(0.26, 0.36)
  const neck = w * r.range(0.34, 0.6)
  const vh = h * 0.46
  const body = `M${n(x - w * 0.5)} ${n(y)}C${n(x - w * 1.15)} ${n(y - vh * 0.5)} ${n(x - neck * 0.55)} ${n(y - vh * 0.72)} ${n(x - neck * 0.6)} ${n(y - vh)}H${n(x + neck * 0.6)}C${n(x + neck * 0.55)} ${n(y - vh * 0.72)} ${n(x + w * 1.15)} ${n(y - vh * 0.5)} ${n(x + w * 0.5)} ${n(y)}Z`
  let stems = ''
  for (let i = -2; i <= 2; i++)
    stems += `M${n(x)} ${n(y - vh)}Q${n(x + i * h * 0.04)} ${n(y - vh * 1.3)} ${n(x + i * h * 0.09)} ${n(y - vh * 1.6)}`
  const shade = s.clip(
    body,
    path(
      `M${n(x)} ${n(y - vh)}Q${n(x - s.side * w * 0.1)} ${n(y - vh * 0.5)} ${n(x)} ${n(y)}H${n(x - s.side * w * 2)}V${n(y - vh)}Z`,
      s.mood.ink,
      0.22,
    ) +
      path(
        `M${n(x + s.side * w * 0.55)} ${n(y - vh * 0.62)}q${n(s.side * w * 0.16)} ${n(vh * 0.2)} 0 ${n(vh * 0.4)}`,
        'none',
      ),
  )
  return (
    stroke(stems, s.dim(PAINT.eucalypt, 0.2), h * 0.014) +
    posy(s, r, x, y - vh * 1.45, h * 0.33, colours, true) +
    path(body, s.tone(glaze)) +
    shade +
    stroke(
      `M${n(x + s.side * w * 0.5)} ${n(y - vh * 0.62)}q${n(s.side * w * 0.14)} ${n(vh * 0.2)} 0 ${n(vh * 0.32)}`,
      mix(s.lit(glaze, 0.6), s.mood.sun, 0.4),
      h * 0.014,
      0.8,
    )
  )
}

/** Stems of gum leaves or olive lying or hanging, from a point in a direction. */
export function sprig(
  s: Stage,
  r: Random,
  x: number,
  y: number,
  length: number,
  angle: number,
  colour: Hex = PAINT.gum,
  pairs = 8,
): string {
  let a = ''
  let b = ''
  const bend = r.range(-0.25, 0.25)
  let px = x
  let py = y
  let d = `M${n(x)} ${n(y)}`
  for (let i = 0; i < pairs; i++) {
    const t = i / (pairs - 1)
    const turn = angle + bend * t
    px += (Math.cos(turn) * length) / pairs
    py += (Math.sin(turn) * length) / pairs
    d += `L${n(px)} ${n(py)}`
    const size = length * (0.3 - 0.14 * t)
    a += leaf(px, py, size, turn - r.range(0.5, 0.9), size * 0.2, -0.1)
    b += leaf(px, py, size, turn + r.range(0.5, 0.9), size * 0.2, 0.1)
  }
  return (
    stroke(d, s.dim(colour, 0.4), length * 0.018) +
    path(a, s.lit(colour, 0.15)) +
    path(b, s.dim(colour, 0.18))
  )
}
