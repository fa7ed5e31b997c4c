import { blob, n, type Point, perspective, polygon } from '../geometry.ts'
import { mix, PAINT } from '../palette.ts'
import { litPane, marquee, rainTank, windmill, woolshed } from '../parts/buildings.ts'
import { garland, posyColours, vase } from '../parts/flowers.ts'
import { castShadow, ground, hill, lightPool, ranges, water } from '../parts/land.ts'
import { candle, festoon, post } from '../parts/lights.ts'
import { guests } from '../parts/people.ts'
import { sky } from '../parts/sky.ts'
import { bottle, chair, clothTable, glass } from '../parts/table.ts'
import { cypress, foreGrass, gumBranch, gumTree, roundTree, shrubs } from '../parts/trees.ts'
import type { Composition, Stage } from '../stage.ts'
import { ellipse, path, rect, stroke } from '../svg.ts'
import { bayPavilion, rooftop } from './venues-skyline.ts'

/** Trees at both sides of a view, their kind chosen by the seed; the middle stays open. */
function flankingTrees(s: Stage, horizon: number, kind?: number): string {
  const r = s.random('flank')
  const which = kind ?? r.int(0, 3)
  const half = Math.min(s.w * 0.5, 760)
  let out = ''
  for (const k of [-1, 1]) {
    if (k < 0 && s.calmLeft) continue
    const count = r.int(2, 3)
    for (let i = count; i >= 0; i--) {
      const depth = i / (count + 1)
      const x = s.w / 2 + k * (half * (0.98 - 0.2 * i) + r.range(-30, 30)) * (which === 2 ? 1 - 0.14 * i : 1)
      const y = horizon + (s.h - horizon) * (0.34 * (1 - depth) ** 1.6 + 0.02)
      const h = (620 - 380 * depth) * (0.85 + 0.15 * s.u) * r.range(0.85, 1.1)
      out += castShadow(s, x, y, h * 0.06, h * 0.5, 0.26)
      if (which === 0 || which === 3) out += gumTree(s, r, x, y, h, depth * 0.5)
      else if (which === 1)
        out += roundTree(s, r, x, y, h * 0.8, r.pick([PAINT.gum, PAINT.mauve, PAINT.olive]), depth * 0.5)
      else out += cypress(s, r, x, y, h * 0.85, depth * 0.5)
    }
  }
  return out
}

const longTable: Composition = {
  moods: ['golden', 'dusk', 'ember', 'sage', 'rose', 'night'],
  draw: (s) => {
    const r = s.random('table')
    const horizon = s.h * 0.43
    const drop = s.h * 1.02 - horizon
    const p = perspective([s.cx, horizon], drop)
    const k = s.u * Math.min(1.1, drop / 500)
    const view = r.int(0, 2)
    const cloth = r.pick([PAINT.cream, PAINT.cream, PAINT.blush, PAINT.sand])
    let out = sky(s, { horizon })
    if (view === 0) out += ranges(s, horizon, 150)
    else if (view === 1)
      out +=
        hill(s, {
          name: 'head',
          base: horizon - 20,
          rise: 110,
          colour: s.mood.land[0],
          bottom: horizon + 40,
          length: 900,
        }) +
        water(s, horizon - 6, horizon + 70) +
        hill(s, {
          name: 'shore',
          base: horizon + 62,
          rise: 16,
          colour: s.mood.land[2],
          bottom: horizon + 120,
          trees: 18,
        })
    else out += ranges(s, horizon, 90) + shrubs(s, r, -40, s.w + 40, horizon + 26, 90, [], 0.25)
    out += ground(s, view === 1 ? horizon + 66 : horizon)
    out += flankingTrees(s, horizon)
    const [fx, fy] = p.at(0, 0, 2.2)
    out += lightPool(s, fx, fy, 520 * k, 170 * k, 0.9)
    out += path(p.quad(-250 * k, 250 * k, 1.02, 6), s.mood.shadow, 0.3)
    // lights overhead, far to near
    const zs = [5.2, 3.4, 2.3, 1.55]
    let lights = ''
    zs.forEach((z, i) => {
      const a = p.at(-520 * k, 640 * k, z)
      const b = p.at(520 * k, 640 * k, z)
      for (const side of [-1, 1]) {
        const foot = p.at(side * 520 * k, 0, z)
        const head = p.at(side * 520 * k, 650 * k, z)
        lights += post(s, foot[0], foot[1], foot[1] - head[1], 15 / z)
      }
      lights += festoon(s, a, b, 120 / z, 64 / z + 6, 12 / z + 1.6)
      const next = zs[i + 1]
      if (next)
        lights += festoon(
          s,
          i % 2 ? a : b,
          p.at((i % 2 ? 1 : -1) * 520 * k, 640 * k, next),
          60 / z,
          70 / z + 6,
          11 / z + 1.6,
        )
    })
    out += lights
    const [gx, gy] = p.at(60 * k, 0, 6)
    out += guests(s, r, [
      [gx - 60, gy + 4, 74 * k],
      [gx + 10, gy + 6, 78 * k],
      [gx + 60, gy + 8, 76 * k],
    ])
    // early guests with a glass, beyond the chairs
    const early: (readonly [number, number, number])[] = []
    for (const side of [-1, 1])
      for (const z of side < 0 && s.calmLeft ? [2.6] : [3.7, 2.8, 2.2])
        if (r.chance(0.58)) {
          const [ex, ey] = p.at(side * r.range(400, 480) * k, 0, z)
          early.push([ex, ey, (560 * k) / z])
          if (r.chance(0.6)) early.push([ex + (side * 130 * k) / z, ey + 6 / z, (585 * k) / z])
        }
    out += guests(s, r, early)
    const seats = [5.2, 4.1, 3.3, 2.65, 2.1, 1.66, 1.3]
    const wood = r.pick([PAINT.walnut, PAINT.oak, PAINT.ink, PAINT.cream])
    for (const z of seats)
      for (const side of [-1, 1]) {
        const [x, y] = p.at(side * 275 * k, 0, z)
        out += chair(s, x, y, (330 * k) / z, wood)
      }
    const up = 200 * k
    const z0 = 1.16
    out += path(
      polygon([p.at(-172 * k, up, z0), p.at(172 * k, up, z0), p.at(186 * k, 26, z0), p.at(-186 * k, 26, z0)]),
      s.dim(cloth, 0.3),
    )
    let folds = ''
    for (let i = -3; i <= 3; i++)
      folds += polygon([
        p.at(i * 50 * k, up, z0),
        p.at((i * 52 + 16) * k, 26, z0),
        p.at((i * 52 - 12) * k, 26, z0),
      ])
    out += path(folds, s.mood.ink, 0.13)
    out += path(
      polygon([p.at(-172 * k, up, z0), p.at(172 * k, up, z0), p.at(172 * k, up, 6), p.at(-172 * k, up, 6)]),
      s.linear([
        [0, s.lit(cloth, 0.5)],
        [1, s.tone(cloth)],
      ]),
    )
    const runner: Point[] = []
    for (let z = 5.8; z > 1.14; z /= 1.085) runner.push(p.at(r.range(-8, 8), up, z))
    const colours = posyColours(r)
    for (const z of [4.6, 3.6, 2.8, 2.2, 1.72, 1.36]) {
      for (const side of [-1, 1]) {
        const [x, y] = p.at(side * 122 * k, up, z)
        out +=
          ellipse(x + 5 / z, y + 3 / z, (50 * k) / z, (15 * k) / z, s.mood.shadow, 0.25) +
          ellipse(x, y, (48 * k) / z, (14 * k) / z, s.lit(PAINT.paper, 0.2)) +
          ellipse(x, y, (32 * k) / z, (9 * k) / z, s.dim(PAINT.paper, 0.12))
        const g = p.at(side * 74 * k, up, z * 1.05)
        out += glass(s, g[0], g[1], (92 * k) / z, r.pick([PAINT.straw, PAINT.waratah, PAINT.blush]))
      }
    }
    runner.forEach((pt, i) => {
      const z = 5.8 / 1.085 ** i
      out += garland(s, r, [pt], (46 * k) / z, 0.55, colours)
      if (i % 5 === 2) out += candle(s, pt[0] + (i % 2 ? 22 : -22) / z, pt[1], (86 * k) / z)
    })
    return out + foreGrass(s, r, 84) + (r.chance(0.7) ? gumBranch(s, r, s.side, 0.9) : '')
  },
}

const vineyard: Composition = {
  moods: ['golden', 'ember', 'sage', 'rose', 'wattle', 'morning'],
  draw: (s) => {
    const r = s.random('vines')
    const horizon = s.h * 0.44
    const u = s.u
    const vx = s.cx + s.side * 130
    let out = sky(s, { horizon }) + ranges(s, horizon, 170)
    out += ground(s, horizon + 8, mix(s.mood.ground, s.tone(PAINT.terracotta), 0.25), false)
    const p = perspective([vx, horizon - 30], s.h - horizon + 60)
    const green = s.tone(r.pick([PAINT.olive, PAINT.gum, PAINT.eucalypt]))
    const house = vx + s.side * -210
    out += cellarDoor(s, house, horizon + 26, 190 * u + 60)
    for (let i = 0; i < 4; i++)
      out += cypress(s, r, house + 150 + i * 34, horizon + 30 - i * 2, 120 - i * 14, 0.3)
    out += roundTree(s, r, house - 150, horizon + 30, 130, PAINT.gum, 0.35)
    const rows = Math.ceil(s.w / 200) + 5
    for (let i = -rows; i <= rows; i++) {
      const X = i * 230 + 115
      let back = ''
      let front = ''
      let fruit = ''
      for (let z = 7.5; z > 0.72; z /= 1.12) {
        const [x, y] = p.at(X, 0, z)
        if (x < -160 || x > s.w + 160) continue
        const k = 66 / z
        back += blob(r, x, y - k * 0.75, k * 0.75, k * 0.95, 0.14, 7)
        front += blob(r, x + (x < s.sun.x ? 1 : -1) * k * 0.22, y - k * 1.2, k * 0.42, k * 0.46, 0.2, 6)
        if (z < 2.4) fruit += `M${n(x + r.range(-0.4, 0.4) * k)} ${n(y - k * r.range(0.2, 0.7))}h.01`
      }
      out += path(
        polygon([
          p.at(X - 70, 0, 7.5),
          p.at(X + 70, 0, 7.5),
          p.at(X + 70 + (X + vx < s.sun.x ? -60 : 60), 0, 0.72),
          p.at(X - 70 + (X + vx < s.sun.x ? -60 : 60), 0, 0.72),
        ]),
        s.mood.shadow,
        0.2,
      )
      out +=
        path(back, mix(green, s.mood.ink, 0.45)) +
        path(front, mix(green, s.mood.halo, 0.12)) +
        stroke(fruit, s.dim(PAINT.waratah, 0.35), 11)
    }
    const bx = s.cx - s.side * 250 * u
    out += barrelStill(s, bx, s.h * 0.965, 250 * u)
    return out + (r.chance(0.6) ? gumBranch(s, r, s.side > 0 ? -1 : 1, 0.75, false) : '')
  },
}

function cellarDoor(s: Stage, x: number, y: number, w: number): string {
  const h = w * 0.26
  return (
    castShadow(s, x, y, w, 80, 0.26) +
    rect(x - w / 2, y - h, w, h, s.tone(PAINT.sand, 0.15)) +
    rect(s.side > 0 ? x - w / 2 : x, y - h, w / 2, h, s.mood.shadow, 0, 0.14) +
    path(
      polygon([
        [x - w * 0.56, y - h],
        [x - w * 0.4, y - h * 1.9],
        [x + w * 0.4, y - h * 1.9],
        [x + w * 0.56, y - h],
      ]),
      s.tone(PAINT.terracotta, 0.15),
    ) +
    rect(x + w * 0.24, y - h * 2.3, w * 0.07, h * 0.6, s.tone(PAINT.sand, 0.2)) +
    [-0.34, -0.16, 0.16, 0.34]
      .map((k) => rect(x + k * w - w * 0.035, y - h * 0.7, w * 0.07, h * 0.42, litPane(s)))
      .join('') +
    rect(x - w * 0.045, y - h * 0.74, w * 0.09, h * 0.74, litPane(s))
  )
}

/** A barrel used as a table: bottle, glasses, and a bunch of something from the garden. */
function barrelStill(s: Stage, x: number, y: number, h: number): string {
  const r = s.random('barrel')
  const w = h * 0.62
  const d = `M${n(x - w * 0.42)} ${n(y - h)}Q${n(x - w * 0.66)} ${n(y - h / 2)} ${n(x - w * 0.42)} ${n(y)}Q${n(x)} ${n(y + h * 0.09)} ${n(x + w * 0.42)} ${n(y)}Q${n(x + w * 0.66)} ${n(y - h / 2)} ${n(x + w * 0.42)} ${n(y - h)}Z`
  let staves = ''
  for (let i = -3; i <= 3; i++)
    staves += `M${n(x + i * w * 0.12)} ${n(y - h)}Q${n(x + i * w * 0.19)} ${n(y - h / 2)} ${n(x + i * w * 0.12)} ${n(y + h * 0.05)}`
  const hoop = (t: number) =>
    stroke(
      `M${n(x - w * (0.43 + 0.1 * Math.sin(t * Math.PI)))} ${n(y - h * t)}Q${n(x)} ${n(y - h * t + h * 0.1)} ${n(x + w * (0.43 + 0.1 * Math.sin(t * Math.PI)))} ${n(y - h * t)}`,
      s.dim(PAINT.ink, 0.1),
      h * 0.04,
    )
  return (
    castShadow(s, x, y, w, h * 1.5, 0.36) +
    path(d, s.tone(PAINT.timber)) +
    s.clip(
      d,
      rect(s.side > 0 ? x - w : x + w * 0.05, y - h, w, h * 1.2, s.mood.ink, 0, 0.28) +
        stroke(staves, s.dim(PAINT.walnut, 0.3), 3.4, 0.7),
    ) +
    [0.12, 0.3, 0.72, 0.9].map(hoop).join('') +
    ellipse(x, y - h, w * 0.52, h * 0.09, s.lit(PAINT.oak, 0.3)) +
    vase(s, r, x - s.side * w * 0.3, y - h, h * 0.72) +
    bottle(s, x + s.side * w * 0.06, y - h + 6, h * 0.78, r.pick([PAINT.eucalypt, PAINT.ink, PAINT.straw])) +
    glass(s, x + s.side * w * 0.28, y - h + 10, h * 0.42, r.pick([PAINT.waratah, PAINT.straw, PAINT.blush])) +
    glass(s, x + s.side * w * 0.42, y - h + 2, h * 0.42, r.pick([PAINT.waratah, PAINT.straw]))
  )
}

const shed: Composition = {
  moods: ['golden', 'ember', 'dusk', 'wattle', 'night', 'coastal', 'rose'],
  draw: (s) => {
    const r = s.random('shed')
    const horizon = s.h * 0.56
    const u = s.u
    const w = 600 * u * r.range(0.92, 1.08)
    const y = s.h * 0.72
    const x = s.cx + s.side * 40 * u
    let out = sky(s, { horizon }) + ranges(s, horizon, 150) + ground(s, horizon)
    if (r.chance(0.6)) out += windmill(s, s.cx + s.side * 430 * u, horizon + 20, 300 * u)
    out += gumTree(s, r, x + s.side * w * 0.56, y - 40, 500 * u, 0.12)
    out += lightPool(s, x, y + 46, w * 0.5, 70, 0.9)
    out += woolshed(
      s,
      x,
      y,
      w,
      r.pick([PAINT.waratah, PAINT.stone, PAINT.timber, PAINT.cream, PAINT.terracotta]),
    )
    if (r.chance(0.7)) out += rainTank(s, x + s.side * w * 0.62, y + 4, 120 * u)
    const px = x - s.side * w * 0.86
    out += gumTree(s, r, px - s.side * 160 * u, y + 60, 640 * u)
    out +=
      post(s, px, y + 90, 330 * u, 11) +
      festoon(s, [x - s.side * w * 0.45, y - w * 0.36], [px, y + 90 - 325 * u], 46, 40, 8) +
      festoon(s, [x + s.side * w * 0.02, y - w * 0.55], [px, y + 90 - 325 * u], 70, 42, 8)
    out += guests(s, r, [
      [x - 26 * u, y + 44, 122 * u],
      [x + 34 * u, y + 50, 126 * u],
      [px + s.side * 120 * u, y + 92, 146 * u],
      [px + s.side * 178 * u, y + 88, 142 * u],
    ])
    if (r.chance(0.6)) {
      const t0 = px + s.side * 240 * u
      const t1 = px + s.side * 470 * u
      out += clothTable(s, r, Math.min(t0, t1), Math.max(t0, t1), y + 84, y + 170, PAINT.cream)
      for (let i = 1; i < 4; i++) out += vase(s, r, t0 + ((t1 - t0) * i) / 4, y + 84, 76 * u)
    }
    return out + foreGrass(s, r, 150, mix(s.mood.land[4], s.tone(PAINT.straw), 0.12))
  },
}

const gardenMarquee: Composition = {
  moods: ['sage', 'golden', 'morning', 'dusk', 'rose', 'night', 'coastal'],
  draw: (s) => {
    const r = s.random('marquee')
    const horizon = s.h * 0.52
    const u = s.u
    const y = s.h * 0.71
    const w = 720 * u * r.range(0.9, 1.05)
    let out = sky(s, { horizon }) + ranges(s, horizon, 130)
    out +=
      shrubs(s, r, -40, s.w + 40, horizon + 30, 120, [], 0.3) +
      ground(s, horizon + 22, mix(s.mood.ground, s.tone(PAINT.gum), 0.3))
    const p = perspective([s.cx, horizon - 20], s.h - horizon + 20)
    let stripes = ''
    for (let i = -16; i <= 16; i += 2)
      stripes += polygon([
        p.at(i * 150, 0, 3.5),
        p.at((i + 1) * 150, 0, 3.5),
        p.at((i + 1) * 150, 0, 1),
        p.at(i * 150, 0, 1),
      ])
    out += path(stripes, s.mood.halo, 0.14)
    const tree = r.pick([PAINT.mauve, PAINT.gum, PAINT.mauve, PAINT.waratah])
    out +=
      castShadow(s, s.cx + s.side * 430 * u, y, 40, 300) +
      roundTree(s, r, s.cx + s.side * 430 * u, y, 560 * u, tree)
    out += marquee(
      s,
      s.cx - s.side * 30,
      y,
      w,
      r.int(2, 4),
      r.pick([PAINT.cream, PAINT.cream, PAINT.paper, PAINT.blush]),
    )
    out += lightPool(s, s.cx, y + 30, w * 0.45, 60)
    for (const k of [-0.28, 0, 0.27]) {
      const tx = s.cx - s.side * 30 + k * w
      out +=
        clothTable(s, r, tx - 62 * u, tx + 62 * u, y - 42 * u, y + 6, PAINT.cream) +
        vase(s, r, tx, y - 42 * u, 70 * u)
    }
    out += guests(s, r, [
      [s.cx - 260 * u, y + 60, 140 * u],
      [s.cx - 205 * u, y + 66, 144 * u],
      [s.cx + 120 * u, y + 44, 132 * u],
      [s.cx + 290 * u, y + 96, 160 * u],
      [s.cx + 350 * u, y + 92, 156 * u],
    ])
    const fx = s.w / 2 - s.side * Math.min(s.w * 0.47, 680)
    out += roundTree(s, r, fx, s.h * 0.86, 640 * u, PAINT.gum)
    out += festoon(s, [fx, s.h * 0.86 - 350 * u], [s.cx - s.side * (30 + w * 0.5), y - w * 0.2], 60, 44, 8)
    out += shrubs(s, r, -40, s.w + 40, s.h + 16, 120 * u)
    return out
  },
}

export const outdoorVenues = {
  'venue-long-table': longTable,
  'venue-bay-pavilion': bayPavilion,
  'venue-vineyard': vineyard,
  'venue-woolshed': shed,
  'venue-rooftop': rooftop,
  'venue-marquee': gardenMarquee,
} as const
