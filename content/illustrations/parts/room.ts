import { n, type Point, polygon } from '../geometry.ts'
import { type Hex, mix, PAINT } from '../palette.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { circle, line, path, rect, stroke } from '../svg.ts'
import { ground, hill, ranges, water } from './land.ts'
import { glow } from './lights.ts'
import { sky } from './sky.ts'
import { foreGrass, leaf } from './trees.ts'

/** An arch with its foot centre at (x, y). */
export function arch(x: number, y: number, w: number, h: number): string {
  const r = w / 2
  return `M${n(x - r)} ${n(y)}V${n(y - h + r)}A${n(r)} ${n(r)} 0 0 1 ${n(x + r)} ${n(y - h + r)}V${n(y)}Z`
}

/** A wall in raking light with its floor. */
export function room(s: Stage, floorY: number, wall: Hex, floor: Hex, boards = true): string {
  const r = s.random('room')
  const toSun = s.side > 0 ? 1 : 0
  const base = s.tone(wall)
  let out = rect(
    0,
    0,
    s.w,
    floorY + 4,
    s.linear(
      [
        [0, mix(base, s.mood.sun, 0.3)],
        [0.5, base],
        [1, mix(base, s.mood.ink, 0.25)],
      ],
      [toSun, 0],
      [1 - toSun, 0.8],
    ),
  )
  let dots = ''
  for (let i = 0; i < 420; i++)
    dots += `M${n(s.side > 0 ? s.w * r.next() ** 1.8 : s.w * (1 - r.next() ** 1.8))} ${n(floorY * r.next())}h.01`
  out += stroke(dots, mix(base, s.mood.ink, 0.45), 2.6, 0.26)
  const near = s.dim(floor, 0.3)
  out += rect(
    0,
    floorY,
    s.w,
    s.h - floorY,
    s.linear([
      [0, s.tone(floor)],
      [1, near],
    ]),
  )
  if (boards) {
    let d = ''
    for (let i = -20; i <= 20; i++) {
      const x = s.w / 2 + i * 96
      d += `M${n(x)} ${n(floorY)}L${n(s.w / 2 + i * 210)} ${n(s.h)}`
    }
    out += s.clip(`M0 ${n(floorY)}H${n(s.w)}V${n(s.h)}H0Z`, stroke(d, near, 3, 0.5))
  }
  return (
    out +
    rect(0, floorY - 16, s.w, 16, mix(base, s.mood.ink, 0.18)) +
    rect(0, floorY - 17, s.w, 4, s.lit(wall, 0.35))
  )
}

/** The view through a window or between arches: hills, bay or garden, chosen by the seed. */
export function view(s: Stage, horizon: number, kind?: number): string {
  const r = s.random('view')
  const which = kind ?? r.int(0, 2)
  let out = sky(s, { horizon })
  if (which === 1)
    out +=
      hill(s, {
        name: 'v',
        base: horizon + 2,
        rise: 90,
        colour: s.mood.land[0],
        bottom: horizon + 20,
        length: 900,
        trees: 12,
      }) + water(s, horizon, s.h)
  else out += ranges(s, horizon, which === 0 ? 150 : 100) + ground(s, horizon, s.mood.ground)
  return which === 2 ? out + foreGrass(s, r, 120) : out
}

/** An opening in a wall with depth, bars and a sill; `seen` is drawn inside it. */
export function opening(
  s: Stage,
  shape: string,
  box: { x: number; y: number; w: number; h: number },
  seen: string,
  frame: Hex,
  bars: readonly [number, number] = [2, 3],
): string {
  const { x, y, w, h } = box
  const edge = s.tone(frame)
  let d = ''
  for (let i = 1; i < bars[0]; i++) d += `M${n(x - w / 2 + (i * w) / bars[0])} ${n(y)}V${n(y - h)}`
  for (let i = 1; i < bars[1]; i++) d += `M${n(x - w / 2)} ${n(y - (i * h) / bars[1])}H${n(x + w / 2)}`
  return (
    s.clip(shape, seen + stroke(d, s.dim(frame, 0.12), 9)) +
    `<path d="${shape}" fill="none" stroke="${s.dim(frame, 0.3)}" stroke-width="22" stroke-linejoin="round" transform="translate(${-s.side * 3} 3)"/>` +
    `<path d="${shape}" fill="none" stroke="${edge}" stroke-width="14" stroke-linejoin="round"/>`
  )
}

/** The light that falls through an opening onto a floor or wall. */
export function lightPatch(s: Stage, x: number, y: number, w: number, h: number, strength = 0.34): string {
  const lean = -s.side * h * 0.75
  const panes: string[] = []
  for (const [a, b] of [
    [0, 0.46],
    [0.54, 1],
  ] as const)
    for (const [c, e] of [
      [0, 0.47],
      [0.53, 1],
    ] as const) {
      const at = (t: number, v: number): Point => [
        x - w / 2 + t * w + lean * v + (t - 0.5) * w * 0.25 * v,
        y + v * h,
      ]
      panes.push(polygon([at(a, c), at(b, c), at(b, e), at(a, e)]))
    }
  return path(
    panes.join(''),
    s.mood.night ? s.mood.halo : s.mood.sun,
    s.mood.night ? strength * 0.5 : strength,
  )
}

/** A ledge, sill or bench along the bottom of the picture. */
export function ledge(s: Stage, y: number, depth: number, colour: Hex): string {
  const r = s.random('ledge')
  const toSun = s.side > 0 ? 1 : 0
  const top = s.linear(
    [
      [0, s.lit(colour, 0.5)],
      [1, s.tone(colour)],
    ],
    [toSun, 0],
    [1 - toSun, 0],
  )
  let dots = ''
  for (let i = 0; i < 220; i++)
    dots += `M${n(s.w * r.next())} ${n(y + depth + 12 + (s.h - y - depth) * r.next() ** 1.7)}h.01`
  return (
    rect(-10, y, s.w + 20, depth + 4, top) +
    rect(
      -10,
      y + depth,
      s.w + 20,
      s.h - y - depth + 10,
      s.linear([
        [0, s.dim(colour, 0.22)],
        [1, s.dim(colour, 0.45)],
      ]),
    ) +
    line(
      [
        [-10, y + depth],
        [s.w + 10, y + depth],
      ],
      s.lit(colour, 0.6),
      5,
      0.8,
    ) +
    stroke(dots, s.dim(colour, 0.65), 2.7, 0.4)
  )
}

/** A shadow on a ledge or bench, away from the light. */
export function ledgeShadow(s: Stage, x: number, y: number, w: number, length: number): string {
  const dx = -s.side * length
  return path(
    `M${n(x - w / 2)} ${n(y)}Q${n(x)} ${n(y + w * 0.1)} ${n(x + w / 2)} ${n(y)}L${n(x + w / 2 + dx)} ${n(y + length * 0.16)}L${n(x - w / 2 + dx)} ${n(y + length * 0.16)}Z`,
    s.mood.shadow,
    0.3,
  )
}

/** A hanging lamp. */
export function pendant(s: Stage, x: number, y: number, w: number, colour: Hex = PAINT.straw): string {
  return (
    line(
      [
        [x, -10],
        [x, y - w * 0.4],
      ],
      s.mood.ink,
      3,
      0.7,
    ) +
    glow(s, x, y + w * 0.1, w * 1.6, 0.9) +
    path(
      `M${n(x - w / 2)} ${n(y)}Q${n(x - w * 0.45)} ${n(y - w * 0.45)} ${n(x)} ${n(y - w * 0.45)}Q${n(x + w * 0.45)} ${n(y - w * 0.45)} ${n(x + w / 2)} ${n(y)}Z`,
      s.tone(colour),
    ) +
    path(
      `M${n(x)} ${n(y)}V${n(y - w * 0.45)}Q${n(x - s.side * w * 0.45)} ${n(y - w * 0.45)} ${n(x - (s.side * w) / 2)} ${n(y)}Z`,
      s.mood.ink,
      0.2,
    ) +
    circle(x, y + w * 0.04, w * 0.1, '#FFEDBE')
  )
}

/** A potted plant with long leaves. */
export function potPlant(
  s: Stage,
  r: Random,
  x: number,
  y: number,
  h: number,
  pot: Hex = PAINT.terracotta,
): string {
  const w = h * 0.32
  let back = ''
  let front = ''
  for (let i = 0; i < 15; i++) {
    const a = -Math.PI / 2 + r.range(-1.25, 1.25)
    const d = leaf(x, y - h * 0.28, h * r.range(0.42, 0.76), a, h * r.range(0.035, 0.065), Math.cos(a) * 0.3)
    if (i % 2) back += d
    else front += d
  }
  const d = `M${n(x - w / 2)} ${n(y - h * 0.32)}L${n(x - w * 0.36)} ${n(y)}Q${n(x)} ${n(y + w * 0.1)} ${n(x + w * 0.36)} ${n(y)}L${n(x + w / 2)} ${n(y - h * 0.32)}Z`
  return (
    ledgeShadow(s, x, y, w * 0.8, h * 0.5) +
    path(back, s.dim(PAINT.eucalypt, 0.2)) +
    path(front, s.tone(PAINT.gum)) +
    path(d, s.tone(pot)) +
    s.clip(d, rect(s.side > 0 ? x - w : x + w * 0.04, y - h, w, h * 1.2, s.mood.ink, 0, 0.24)) +
    rect(x - w * 0.54, y - h * 0.36, w * 1.08, h * 0.07, s.lit(pot, 0.25), 3)
  )
}

/** A curtain drawn to one side of an opening; `dir` is the side. */
export function curtain(
  s: Stage,
  x: number,
  top: number,
  foot: number,
  w: number,
  dir: -1 | 1,
  colour: Hex,
): string {
  const at = (k: number) => n(x + dir * w * k)
  const d = `M${n(x)} ${n(top)}H${at(1)}V${n(foot)}H${at(0.45)}Q${at(0.62)} ${n((top + foot) / 2)} ${n(x)} ${n(top)}Z`
  let folds = ''
  for (const k of [0.3, 0.5, 0.68, 0.84])
    folds += `M${at(k)} ${n(top)}Q${at(k * 0.6 + 0.4)} ${n((top + foot) / 2)} ${at(0.45 + k * 0.55)} ${n(foot)}`
  return path(d, s.tone(colour)) + s.clip(d, stroke(folds, s.dim(colour, 0.35), w * 0.06, 0.45))
}
