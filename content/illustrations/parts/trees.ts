import { blob, n, type Point, ridge, smooth } from '../geometry.ts'
import { FLORALS, type Hex, mix, PAINT } from '../palette.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { circle, path, stroke } from '../svg.ts'

/** One leaf from its stem; a large `bend` makes it long and curved, like a gum leaf. */
export function leaf(
  x: number,
  y: number,
  length: number,
  angle: number,
  width: number,
  bend = 0.25,
): string {
  const c = Math.cos(angle)
  const si = Math.sin(angle)
  const at = (along: number, across: number): Point => [
    x + c * along - si * across,
    y + si * along + c * across,
  ]
  const tip = at(length, bend * length)
  const a = at(length * 0.45, width + bend * length * 0.22)
  const b = at(length * 0.45, -width + bend * length * 0.22)
  return `M${n(x)} ${n(y)}Q${n(a[0])} ${n(a[1])} ${n(tip[0])} ${n(tip[1])}Q${n(b[0])} ${n(b[1])} ${n(x)} ${n(y)}Z`
}

/** A tree crown of several masses: dark below and away from the light, bright in the sun. */
function crown(
  s: Stage,
  r: Random,
  masses: readonly (readonly [number, number, number, number])[],
  colour: Hex,
  x: number,
  specksEach = 22,
): string {
  const away = x < s.sun.x ? -1 : 1
  const dark = mix(colour, s.mood.ink, 0.34)
  const pale = mix(colour, s.mood.halo, s.mood.night ? 0.3 : 0.42)
  let out = ''
  for (const [cx, cy, rx, ry] of masses) {
    const d = blob(r, cx, cy, rx, ry, 0.11, 10)
    out += path(d, dark)
  }
  for (const [cx, cy, rx, ry] of masses)
    out += path(blob(r, cx - away * rx * 0.08, cy - ry * 0.16, rx * 0.9, ry * 0.82, 0.11, 10), colour)
  // Light catches the upper clumps towards the sun, in small touches rather than one patch.
  let clumps = ''
  for (const [cx, cy, rx, ry] of masses)
    for (let i = 0; i < 6; i++) {
      const a = -Math.PI / 2 - away * r.range(-0.35, 1.05)
      const k = r.range(0.2, 0.74)
      clumps += blob(
        r,
        cx + Math.cos(a) * rx * k,
        cy + Math.sin(a) * ry * k - ry * 0.08,
        rx * r.range(0.14, 0.26),
        ry * r.range(0.1, 0.19),
        0.2,
        7,
      )
    }
  out += path(clumps, pale, 0.6)
  let dots = ''
  let specks = ''
  for (const [cx, cy, rx, ry] of masses)
    for (let i = 0; i < specksEach; i++) {
      const a = r.range(0, Math.PI * 2)
      const k = Math.sqrt(r.next()) * 0.95
      const px = cx + Math.cos(a) * rx * k
      const py = cy + Math.sin(a) * ry * k
      const d = `M${n(px)} ${n(py)}l${n(r.range(-4, 4))} ${n(r.range(2, 6))}`
      if (Math.cos(a) * away > 0 || Math.sin(a) > 0.3) dots += d
      else specks += d
    }
  return out + stroke(dots, mix(colour, s.mood.ink, 0.6), 3, 0.4) + stroke(specks, s.mood.halo, 3, 0.6)
}

/** A gum tree: pale leaning trunk, long open limbs, loose clouds of leaves with sky between. `h` is its height. */
export function gumTree(s: Stage, r: Random, x: number, y: number, h: number, depth = 0): string {
  const lean = r.range(-0.12, 0.12) * h
  const trunk = s.tone(mix(PAINT.cream, PAINT.stone, 0.45), depth)
  const dark = mix(trunk, s.mood.ink, 0.42)
  const w = h * 0.022
  const away = x < s.sun.x ? -1 : 1
  const fork: Point = [x + lean * 0.5, y - h * r.range(0.26, 0.36)]
  const spread = r.range(0.26, 0.34)
  const tips: Point[] = [-1, -0.42, 0.25, 0.9].map((k, i) => [
    x + lean + k * spread * h + r.range(-0.04, 0.04) * h,
    y - h * ([0.66, 0.84, 0.88, 0.7][i] ?? 0.7) + r.range(-0.04, 0.04) * h,
  ])
  let limbs = ''
  tips.forEach(([tx, ty], i) => {
    const width = w * (i === 1 || i === 2 ? 0.9 : 0.7)
    const [fx, fy] = fork
    const mx = fx + (tx - fx) * 0.3
    const my = fy + (ty - fy) * 0.55
    limbs += path(
      `M${n(fx - width)} ${n(fy + h * 0.03)}Q${n(mx - width)} ${n(my)} ${n(tx)} ${n(ty)}Q${n(mx + width)} ${n(my)} ${n(fx + width)} ${n(fy + h * 0.03)}Z`,
      (tx - x) * away > 0 ? mix(trunk, dark, 0.6) : trunk,
    )
  })
  const bole = `M${n(x - w * 1.5)} ${n(y + 2)}Q${n(x - w - lean * 0.15)} ${n(y - h * 0.15)} ${n(fork[0] - w)} ${n(fork[1])}L${n(fork[0] + w)} ${n(fork[1])}Q${n(x + w - lean * 0.15)} ${n(y - h * 0.15)} ${n(x + w * 1.7)} ${n(y + 2)}Z`
  const shade = stroke(
    `M${n(x + away * w * 0.9)} ${n(y)}Q${n(x + away * w * 0.6 - lean * 0.15)} ${n(y - h * 0.15)} ${n(fork[0] + away * w * 0.5)} ${n(fork[1])}`,
    dark,
    w * 0.8,
    0.7,
  )
  const masses: (readonly [number, number, number, number])[] = []
  for (const [tx, ty] of tips)
    for (let i = 0; i < 5; i++) {
      const k = h * r.range(0.05, 0.085)
      masses.push([
        tx + (i - 2) * h * 0.055 + r.range(-0.02, 0.02) * h,
        ty - h * (0.035 - 0.014 * (i - 2) ** 2) + r.range(-0.03, 0.03) * h,
        k * 1.25,
        k,
      ])
    }
  const foliage = s.tone(
    mix(PAINT.gum, r.chance(0.5) ? PAINT.olive : PAINT.eucalypt, r.range(0.2, 0.6)),
    depth,
  )
  return (
    limbs +
    path(bole, trunk) +
    shade +
    crown(s, r, masses, mix(foliage, s.mood.land[3], s.mood.night ? 0.7 : 0.3), x, 10)
  )
}

/** A round shade tree, optionally with the flowers of a jacaranda or flame tree. */
export function roundTree(
  s: Stage,
  r: Random,
  x: number,
  y: number,
  h: number,
  colour: Hex = PAINT.gum,
  depth = 0,
): string {
  const bark = mix(s.tone(PAINT.walnut, depth), s.mood.ink, 0.25)
  const w = h * 0.034
  let out = path(
    `M${n(x - w)} ${n(y)}Q${n(x - w * 0.4)} ${n(y - h * 0.25)} ${n(x - w * 0.6)} ${n(y - h * 0.55)}L${n(x + w * 0.6)} ${n(y - h * 0.55)}Q${n(x + w * 0.5)} ${n(y - h * 0.25)} ${n(x + w * 1.2)} ${n(y)}Z`,
    bark,
  )
  out += stroke(
    `M${n(x)} ${n(y - h * 0.35)}Q${n(x - h * 0.1)} ${n(y - h * 0.45)} ${n(x - h * 0.2)} ${n(y - h * 0.6)}M${n(x)} ${n(y - h * 0.4)}Q${n(x + h * 0.1)} ${n(y - h * 0.46)} ${n(x + h * 0.18)} ${n(y - h * 0.62)}`,
    bark,
    w,
  )
  const masses: (readonly [number, number, number, number])[] = [
    [x - h * 0.2, y - h * 0.6, h * 0.19, h * 0.14],
    [x + h * 0.21, y - h * 0.61, h * 0.2, h * 0.14],
    [x, y - h * 0.68, h * 0.27, h * 0.19],
    [x - h * r.range(0.04, 0.14), y - h * 0.83, h * 0.19, h * 0.13],
    [x + h * r.range(0.04, 0.14), y - h * 0.79, h * 0.17, h * 0.13],
  ]
  return out + crown(s, r, masses, s.tone(colour, depth), x)
}

/** A Norfolk pine, typical of many Australian beaches. */
export function norfolkPine(s: Stage, r: Random, x: number, y: number, h: number, depth = 0): string {
  const colour = mix(s.tone(PAINT.eucalypt, depth), s.mood.land[4], 0.35 * (1 - depth))
  let out = stroke(`M${n(x)} ${n(y)}L${n(x)} ${n(y - h)}`, mix(colour, s.mood.ink, 0.4), h * 0.02)
  const tiers = 9
  for (let i = 0; i < tiers; i++) {
    const t = i / (tiers - 1)
    const cy = y - h * (0.16 + 0.78 * t)
    const half = h * (0.21 - 0.18 * t) * r.range(0.9, 1.1)
    const k = h * 0.026
    out += path(
      `M${n(x - half)} ${n(cy - k * 1.2)}Q${n(x - half * 0.5)} ${n(cy + k)} ${n(x)} ${n(cy + k * 0.4)}Q${n(x + half * 0.5)} ${n(cy + k)} ${n(x + half)} ${n(cy - k * 1.2)}Q${n(x + half * 0.5)} ${n(cy - k * 0.7)} ${n(x)} ${n(cy - k * 2.4)}Q${n(x - half * 0.5)} ${n(cy - k * 0.7)} ${n(x - half)} ${n(cy - k * 1.2)}Z`,
      i % 2 ? colour : mix(colour, s.mood.halo, 0.12),
    )
  }
  return out
}

/** A slim cypress or poplar. */
export function cypress(s: Stage, r: Random, x: number, y: number, h: number, depth = 0): string {
  const w = h * r.range(0.085, 0.12)
  const colour = mix(s.tone(PAINT.eucalypt, depth), s.mood.land[3], 0.4)
  const side = x < s.sun.x ? 1 : -1
  const shape = (k: number, dx: number): string =>
    smooth(
      [
        [x + dx, y - h],
        [x + dx + w * 0.55 * k, y - h * 0.66],
        [x + dx + w * k, y - h * 0.28],
        [x + dx + w * 0.55 * k, y],
        [x + dx - w * 0.55 * k, y],
        [x + dx - w * k, y - h * 0.28],
        [x + dx - w * 0.6 * k, y - h * 0.66],
      ],
      true,
    )
  return (
    path(shape(1, 0), mix(colour, s.mood.ink, 0.25)) +
    path(shape(0.55, side * w * 0.3), mix(colour, s.mood.halo, 0.13), 0.9)
  )
}

/** A low bank of shrubs with flowers, for the edges of gardens. */
export function shrubs(
  s: Stage,
  r: Random,
  x0: number,
  x1: number,
  y: number,
  size: number,
  flowers: readonly Hex[] = FLORALS,
  depth = 0,
): string {
  const base = s.tone(mix(PAINT.eucalypt, PAINT.olive, r.range(0.1, 0.5)), depth)
  let out = ''
  const step = size * 0.62
  const bloom = flowers[Math.floor(r.next() * flowers.length)] ?? PAINT.coral
  for (let x = x0; x < x1; x += step * r.range(0.8, 1.2)) {
    const k = size * r.range(0.65, 1.15)
    const colour = mix(base, s.mood.ink, r.range(0.05, 0.35))
    out += path(blob(r, x, y - k * 0.35, k * 0.62, k * 0.55, 0.13, 9), colour)
    out += path(
      blob(r, x + (x < s.sun.x ? 1 : -1) * k * 0.16, y - k * 0.5, k * 0.36, k * 0.28, 0.15, 8),
      mix(colour, s.mood.halo, 0.28),
    )
    if (flowers.length)
      for (let i = 0; i < 6; i++)
        out += circle(
          x + r.range(-0.5, 0.5) * k,
          y - k * r.range(0.05, 0.85),
          k * r.range(0.035, 0.07),
          s.tone(r.chance(0.75) ? bloom : PAINT.cream, depth),
        )
  }
  return out
}

/** A gum branch hanging from an upper corner to frame the view. `from` -1 is the left corner. */
export function gumBranch(s: Stage, r: Random, from: -1 | 1, reach = 1, blossom = true): string {
  const x0 = from < 0 ? -20 : s.w + 20
  const dark = mix(s.mood.land[4], s.mood.ink, 0.3)
  let out = ''
  const twigs = 4
  for (let i = 0; i < twigs; i++) {
    const len = (200 + 170 * r.next()) * reach
    const y0 = -30 + i * 34 * r.range(0.4, 1.3)
    const end: Point = [x0 - from * len, y0 + len * r.range(0.15, 0.5)]
    const mid: Point = [x0 - from * len * 0.5, y0 + 4]
    out += stroke(`M${n(x0)} ${n(y0)}Q${n(mid[0])} ${n(mid[1])} ${n(end[0])} ${n(end[1])}`, dark, 5 * reach)
    let near = ''
    let far = ''
    for (let k = 0; k < 13; k++) {
      const t = 0.16 + 0.84 * (k / 12)
      const x = x0 + (mid[0] - x0) * 2 * t * (1 - t) + (end[0] - x0) * t * t
      const y = y0 * (1 - t) ** 2 + 2 * mid[1] * t * (1 - t) + end[1] * t * t
      const d = leaf(
        x,
        y,
        r.range(70, 112) * reach,
        Math.PI / 2 + from * r.range(-0.5, 1.1),
        r.range(8, 13) * reach,
        r.range(-0.28, 0.28),
      )
      if (r.chance(0.5)) near += d
      else far += d
    }
    out += path(far, mix(dark, s.tone(PAINT.gum), 0.45)) + path(near, mix(dark, s.tone(PAINT.gum), 0.15))
    if (blossom && i % 2 === 0) out += gumBlossom(s, r, end[0] + from * 40, end[1] + 6, 23 * reach)
  }
  return out
}

export function gumBlossom(s: Stage, r: Random, x: number, y: number, size: number): string {
  let d = ''
  for (let i = 0; i < 22; i++) {
    const a = (i / 22) * Math.PI * 2 + r.range(-0.1, 0.1)
    const k = size * r.range(0.75, 1.1)
    d += `M${n(x)} ${n(y)}L${n(x + Math.cos(a) * k)} ${n(y + Math.sin(a) * k)}`
  }
  const red = s.tone(PAINT.waratah)
  return (
    stroke(d, mix(red, s.mood.halo, 0.12), size * 0.1) +
    circle(x, y, size * 0.3, s.tone(PAINT.olive)) +
    circle(x, y, size * 0.16, s.tone(PAINT.wattle))
  )
}

/** Dark grasses and seed heads along the bottom of the picture: the nearest layer. */
export function foreGrass(
  s: Stage,
  r: Random,
  height = 150,
  colour: Hex = mix(s.mood.land[4], s.mood.ink, 0.4),
  from = 0,
  to = s.w,
): string {
  const top = ridge(r, s.h + 8, height * 0.3, 420)
  const points: Point[] = []
  for (let x = from - 40; x <= to + 40; x += 60) points.push([x, top(x)])
  let out = path(`${smooth(points)}L${n(to + 40)} ${n(s.h + 40)}L${n(from - 40)} ${n(s.h + 40)}Z`, colour)
  let blades = ''
  let heads = ''
  const count = Math.round((to - from) / 15)
  for (let i = 0; i < count; i++) {
    const x = r.range(from, to)
    const k = height * r.range(0.3, 1)
    const y = top(x) + 14
    const bend = r.range(-0.45, 0.45) * k
    const w = r.range(3, 6)
    blades += `M${n(x - w)} ${n(y)}Q${n(x + bend * 0.1)} ${n(y - k * 0.6)} ${n(x + bend)} ${n(y - k)}Q${n(x + bend * 0.3 + w)} ${n(y - k * 0.5)} ${n(x + w)} ${n(y)}Z`
    if (i % 6 === 0) heads += leaf(x + bend, y - k + 4, 30, -Math.PI / 2 + bend / k, 6, 0.1)
  }
  out += path(blades, colour)
  return out + path(heads, mix(s.tone(PAINT.straw), s.mood.ink, s.mood.night ? 0.5 : 0.2))
}
