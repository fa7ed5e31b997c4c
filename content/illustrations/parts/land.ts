import { blob, n, type Point, ridge, smooth } from '../geometry.ts'
import { type Hex, mix } from '../palette.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { path, rect, stroke } from '../svg.ts'

/** Grain as stippled ink: dots below a line, thinning out with distance from it. */
function stippleUnder(
  r: Random,
  top: (x: number) => number,
  span: readonly [number, number],
  depth: number,
  count: number,
  colour: Hex,
  opacity = 0.5,
): string {
  let d = ''
  for (let i = 0; i < count; i++) {
    const x = r.range(span[0], span[1])
    d += `M${n(x)} ${n(top(x) + 2 + r.next() ** 2.2 * depth)}h.01`
  }
  return stroke(d, colour, 2.7, opacity)
}

type HillChoice = {
  name: string
  base: number
  rise: number
  colour: Hex
  /** the colour it fades to at its bottom */
  foot?: Hex
  bottom: number
  length?: number
  trees?: number
  grain?: number
}

/** A range of hills with light on its crest, mist at its bottom and perhaps a fringe of trees. */
export function hill(s: Stage, choice: HillChoice): string {
  const r = s.random(`hill-${choice.name}`)
  const top = ridge(r, choice.base, choice.rise, choice.length ?? 700)
  const points: Point[] = []
  const step = 46
  for (let x = -step; x <= s.w + step; x += step) points.push([x, top(x)])
  const d = `${smooth(points)}L${n(s.w + step)} ${n(choice.bottom)}L${n(-step)} ${n(choice.bottom)}Z`
  const fill = s.linear([
    [0, choice.colour],
    [1, choice.foot ?? mix(choice.colour, s.mood.haze, 0.4)],
  ])
  let out = ''
  if (choice.trees) out += treeFringe(r, s.w, top, choice.trees, choice.colour)
  out += path(d, fill)
  const grain = choice.grain ?? 170
  if (grain > 0)
    out += stippleUnder(
      r,
      top,
      [0, s.w],
      (choice.bottom - choice.base + choice.rise) * 0.6,
      Math.round((grain * s.w) / 1200),
      mix(choice.colour, s.mood.halo, 0.5),
      0.5,
    )
  return out
}

function treeFringe(r: Random, width: number, top: (x: number) => number, size: number, colour: Hex): string {
  let d = ''
  for (let x = -20; x < width + 20; ) {
    if (r.chance(0.24)) {
      x += size * r.range(2, 6)
      continue
    }
    const k = size * r.range(0.5, 1.2)
    d += blob(r, x, top(x) - k * 0.35, k * r.range(0.7, 1.2), k * 0.75, 0.16, 6)
    x += k * r.range(0.7, 1.4)
  }
  return path(d, colour)
}

/** Far, middle and near ranges between the sky and the scene. */
export function ranges(s: Stage, horizon: number, rise = 120, layers: 1 | 2 | 3 = 3): string {
  const { land } = s.mood
  let out = ''
  if (layers > 2)
    out += hill(s, {
      name: 'far',
      base: horizon - rise * 0.25,
      rise: rise * 1.1,
      colour: mix(land[0], s.mood.haze, 0.35),
      bottom: horizon + 30,
      length: 820,
      grain: 60,
    })
  if (layers > 1)
    out += hill(s, {
      name: 'mid',
      base: horizon - rise * 0.1,
      rise: rise * 0.62,
      colour: land[0],
      bottom: horizon + 40,
      length: 640,
      grain: 110,
    })
  out += hill(s, {
    name: 'near',
    base: horizon + 4,
    rise: rise * 0.3,
    colour: land[1],
    bottom: horizon + 60,
    length: 520,
    trees: rise * 0.2,
    grain: 90,
  })
  return out
}

/** Lawn, paddock or sand from the horizon to the bottom of the picture, with bands of light and blades of grass. */
export function ground(s: Stage, horizon: number, colour: Hex = s.mood.ground, blades = true): string {
  const r = s.random('ground')
  const far = mix(colour, s.mood.haze, 0.45)
  const near = mix(colour, s.mood.ink, 0.42)
  const fill = s.linear([
    [0, far],
    [0.35, colour],
    [1, near],
  ])
  let out = rect(0, horizon, s.w, s.h - horizon, fill)
  const depth = s.h - horizon
  for (let i = 0; i < 5; i++) {
    const t = (i + r.range(0.2, 0.8)) / 5
    const y = horizon + depth * t * t + 4
    const wave = ridge(r, 0, 10 + 26 * t, 500)
    const x0 = r.range(-0.2, 0.6) * s.w
    const x1 = x0 + s.w * r.range(0.35, 0.8)
    const points: Point[] = []
    for (let k = 0; k <= 8; k++) points.push([x0 + ((x1 - x0) * k) / 8, y + wave(k * 90) * 0.5])
    for (let k = 8; k >= 0; k--)
      points.push([x0 + ((x1 - x0) * k) / 8, y + (6 + 34 * t) * Math.sin((k / 8) * Math.PI)])
    out += path(
      smooth(points, true),
      i % 2 ? mix(colour, s.mood.shadow, 0.6) : mix(colour, s.mood.halo, 0.7),
      i % 2 ? 0.16 : 0.26,
    )
  }
  if (blades) out += grass(r, s.w, horizon, s.h, mix(colour, s.mood.ink, 0.45), mix(colour, s.mood.halo, 0.6))
  return out
}

function grass(r: Random, w: number, top: number, bottom: number, dark: Hex, light: Hex): string {
  let a = ''
  let b = ''
  for (let i = 0; i < 240; i++) {
    const t = r.next() ** 0.8
    const y = top + 8 + (bottom - top) * t
    const x = r.next() * w
    const k = 3 + 13 * t
    const d = `M${n(x)} ${n(y)}q${n(r.range(-2, 2))} ${n(-k * 0.6)} ${n(r.range(-5, 5) * t)} ${n(-k)}`
    if (i % 3) a += d
    else b += d
  }
  return stroke(a, dark, 2.4, 0.34) + stroke(b, light, 2.4, 0.5)
}

/** Sea, river or lake with the sun's reflection. */
export function water(s: Stage, top: number, bottom: number, glitterX: number = s.sun.x): string {
  const r = s.random('water')
  const { mood } = s
  const fill = s.linear([
    [0, mix(mood.water, mood.sky[2], 0.55)],
    [0.3, mood.water],
    [1, mix(mood.water, mood.ink, 0.45)],
  ])
  let out = rect(0, top, s.w, bottom - top, fill)
  const depth = bottom - top
  let dark = ''
  let pale = ''
  for (let i = 0; i < 46; i++) {
    const t = r.next()
    const y = top + 6 + depth * t
    const len = (14 + 120 * t) * r.range(0.5, 1.4)
    const x = r.next() * s.w
    const d = `M${n(x)} ${n(y)}q${n(len / 4)} ${n(-3 - 4 * t)} ${n(len / 2)} 0t${n(len / 2)} 0`
    if (i % 3) dark += d
    else pale += d
  }
  out += stroke(dark, mix(mood.water, mood.ink, 0.6), 3.2, 0.28) + stroke(pale, mood.glint, 3.2, 0.34)
  let road = ''
  for (let i = 0; i < 26; i++) {
    const t = (i + r.range(0.1, 0.9)) / 26
    const y = top + 3 + depth * t ** 1.35
    const half = (16 + 95 * t) * r.range(0.35, 1.1)
    const x = glitterX + r.range(-0.5, 0.5) * (18 + 70 * t)
    const k = 1.4 + 6 * t
    road += `M${n(x - half)} ${n(y)}Q${n(x)} ${n(y - k)} ${n(x + half)} ${n(y)}Q${n(x)} ${n(y + k)} ${n(x - half)} ${n(y)}Z`
  }
  return out + path(road, mood.glint, mood.night ? 0.55 : 0.8)
}

/** The shadow that an object of this width casts on the ground, away from the light. */
export function castShadow(
  s: Stage,
  x: number,
  y: number,
  width: number,
  length: number,
  strength = 0.34,
): string {
  const lean = Math.max(-1.5, Math.min(1.5, (x - s.sun.x) / 420))
  const dx = lean * length * 0.62
  const dy = length * 0.3
  const a = width / 2
  const d = `M${n(x - a)} ${n(y)}Q${n(x)} ${n(y - a * 0.22)} ${n(x + a)} ${n(y)}L${n(x + dx + a * 1.25)} ${n(y + dy)}Q${n(x + dx)} ${n(y + dy + a * 0.35)} ${n(x + dx - a * 1.25)} ${n(y + dy)}Z`
  return path(d, s.mood.shadow, s.mood.night ? strength * 0.8 : strength)
}

/** A pool of lamplight on the ground. */
export function lightPool(s: Stage, x: number, y: number, rx: number, ry: number, strength = 0.7): string {
  const fill = s.radial([
    [0, '#FFD27A', 0.75],
    [0.5, '#F9B95C', 0.32],
    [1, '#F2A040', 0],
  ])
  return `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" fill="${fill}" opacity="${n(strength * s.mood.lamps)}"/>`
}
