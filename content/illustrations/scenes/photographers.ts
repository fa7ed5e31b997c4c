import { blob, n, smooth } from '../geometry.ts'
import { mix, PAINT } from '../palette.ts'
import { filmCamera, filmRolls, lens, smallPicture } from '../parts/cameras.ts'
import { cup, dapple, ribbon, sheet, surface } from '../parts/flatlay.ts'
import { sprig, vase } from '../parts/flowers.ts'
import { castShadow, ground, hill, ranges, water } from '../parts/land.ts'
import { couple, person } from '../parts/people.ts'
import {
  arch,
  curtain,
  ledge,
  ledgeShadow,
  lightPatch,
  opening,
  potPlant,
  room,
  view,
} from '../parts/room.ts'
import { sky } from '../parts/sky.ts'
import { foreGrass, gumBranch, gumTree, norfolkPine, roundTree } from '../parts/trees.ts'
import type { Composition } from '../stage.ts'
import { circle, group, line, path, place, rect, stroke } from '../svg.ts'

const cameraLedge: Composition = {
  moods: ['golden', 'dusk', 'rose', 'morning', 'sage', 'ember'],
  draw: (s) => {
    const r = s.random('ledge')
    const u = s.u
    const y = s.h * 0.76
    const horizon = s.h * r.range(0.52, 0.6)
    s.sun.x = s.cx + s.side * 210
    s.sun.y = horizon - r.range(40, 190)
    let out = view(s, horizon, r.int(0, 1))
    const bloom = r.pick([PAINT.mauve, PAINT.mauve, PAINT.gum, PAINT.waratah])
    out +=
      castShadow(s, s.w / 2 - s.side * 380, horizon + 90, 36, 240) +
      roundTree(s, r, s.w / 2 - s.side * Math.min(380, s.w * 0.36), horizon + 96, 600 * u, bloom, 0.1)
    const stone = r.pick([PAINT.stone, PAINT.terracotta, PAINT.timber, PAINT.cream])
    out += ledge(s, y, 62, stone)
    let petals = ''
    for (let i = 0; i < 34; i++)
      petals += blob(r, r.next() * s.w, y + r.range(6, 58), r.range(5, 9), r.range(3, 5), 0.2, 5)
    out += path(petals, s.tone(bloom), 0.9)
    const x = s.cx + s.side * 40
    const scale = 1.28 * u
    out += ledgeShadow(s, x, y + 40, 300 * scale, 300)
    out += place(
      x,
      y + 40,
      scale,
      filmCamera(
        s,
        r.pick([PAINT.walnut, PAINT.ink, PAINT.terracotta, PAINT.eucalypt]),
        r.pick([PAINT.timber, PAINT.waratah, PAINT.walnut]),
      ),
    )
    const vx = x - s.side * 320 * u
    if (r.chance(0.5)) out += ledgeShadow(s, vx, y + 44, 60, 220) + vase(s, r, vx, y + 46, 270 * u)
    else out += ledgeShadow(s, vx, y + 46, 90, 160) + filmRolls(s, vx, y + 46, u)
    return out + gumBranch(s, r, s.side, 1, bloom !== PAINT.mauve)
  },
}

const headland: Composition = {
  moods: ['golden', 'ember', 'rose', 'coastal', 'dusk', 'morning'],
  draw: (s) => {
    const r = s.random('head')
    const u = s.u
    const horizon = s.h * 0.56
    s.sun.x = s.cx + s.side * r.range(60, 200)
    s.sun.y = horizon - r.range(50, 170)
    s.sun.r *= 1.5
    let out = sky(s, { horizon })
    out += hill(s, {
      name: 'cape',
      base: horizon + 2,
      rise: 90,
      colour: mix(s.mood.land[0], s.mood.haze, 0.3),
      bottom: horizon + 16,
      length: 1300,
    })
    out += water(s, horizon, s.h)
    const foam = s.lit(PAINT.cream, 0.5)
    const top = (x: number) => {
      const t = (x - s.cx) * s.side
      return (
        s.h * 0.77 +
        Math.max(0, t - 120) ** 1.25 * 0.19 -
        Math.max(0, -t - 150) * 0.16 +
        10 * Math.sin(x / 53)
      )
    }
    for (let i = 0; i < 3; i++) {
      const y = s.h * (0.83 + 0.05 * i)
      const x = s.cx + s.side * (360 + 60 * i)
      out += stroke(`M${n(x - 160)} ${n(y)}q60 -16 120 0t120 0t120 4`, foam, 7, 0.6)
    }
    const pts: [number, number][] = []
    for (let x = -40; x <= s.w + 40; x += 34) pts.push([x, top(x)])
    const cliff = `${smooth(pts)}L${n(s.w + 40)} ${n(s.h + 20)}L-40 ${n(s.h + 20)}Z`
    out += path(
      cliff,
      s.linear([
        [0, mix(s.mood.land[2], s.mood.ground, 0.4)],
        [0.4, s.mood.land[3]],
        [1, s.mood.land[4]],
      ]),
    )
    let edge = ''
    for (const [x, y] of pts) edge += `M${n(x)} ${n(y + 3)}l20 ${n((top(x + 20) - y) * 1)}`
    out += stroke(edge, s.mood.halo, 5, 0.5)
    const h = 290 * u
    const x = s.cx - s.side * 30
    out += castShadow(s, x, top(x), 90 * u, 420, 0.4)
    out += couple(s, r, x, top(x) + 6, h, r.range(0.3, 0.6))
    if (r.chance(0.55))
      out += norfolkPine(
        s,
        r,
        s.cx - s.side * Math.min(440, s.w * 0.36),
        top(s.cx - s.side * Math.min(440, s.w * 0.36)) + 10,
        560 * u,
      )
    else
      out += gumTree(s, r, s.cx - s.side * Math.min(430, s.w * 0.35), top(s.cx - s.side * 430) + 20, 600 * u)
    out += foreGrass(s, r, 170)
    return out
  },
}

const prints: Composition = {
  moods: ['morning', 'golden', 'sage', 'rose', 'coastal', 'wattle'],
  draw: (s) => {
    const r = s.random('prints')
    const u = s.u
    let out = surface(
      s,
      r.pick(['planks', 'linen', 'stone']),
      r.pick([PAINT.oak, PAINT.paper, PAINT.eucalypt, PAINT.terracotta, PAINT.teal]),
    )
    const cols = Math.max(3, Math.round(s.w / 370))
    const rows = s.h > 1000 ? 4 : 3
    const spots: [number, number][] = []
    for (let i = 0; i < cols; i++)
      for (let j = 0; j < rows; j++) spots.push([((i + 0.5) / cols) * s.w, ((j + 0.5) / rows) * s.h])
    const skip = r.int(0, spots.length - 1)
    spots.forEach(([px, py], i) => {
      const x = px + r.range(-34, 34)
      const y = py + r.range(-24, 24)
      if (i === skip) return
      const tall = r.chance(0.45)
      const w = (tall ? 210 : 286) * u
      const h = (tall ? 268 : 212) * u
      out += sheet(
        s,
        x,
        y,
        w,
        h,
        r.range(-13, 13),
        PAINT.cream,
        group(`translate(0 ${n(-h * 0.03)})`, smallPicture(s, r, w * 0.88, h * 0.8)),
        10,
      )
    })
    const [lx, ly] = spots[skip] ?? [s.cx, s.h / 2]
    out += r.chance(0.5)
      ? cup(s, lx, ly, 66 * u, r.pick([PAINT.cream, PAINT.teal, PAINT.terracotta]))
      : lens(s, lx, ly, 96 * u)
    out += sprig(s, r, s.w * r.range(0.1, 0.8), s.h * 0.98, 300, -r.range(0.4, 2.4), PAINT.gum)
    out += ribbon(
      s,
      r,
      s.w * 0.08,
      s.h * r.range(0.3, 0.75),
      260,
      r.pick([PAINT.waratah, PAINT.wattle, PAINT.ink]),
      12,
    )
    return out + dapple(s)
  },
}

const tripodField: Composition = {
  moods: ['golden', 'wattle', 'sage', 'dusk', 'ember', 'morning'],
  draw: (s) => {
    const r = s.random('tripod')
    const u = s.u
    const horizon = s.h * 0.55
    s.sun.x = s.cx + s.side * 300 * u
    s.sun.y = horizon - r.range(20, 150)
    let out =
      sky(s, { horizon }) +
      ranges(s, horizon, 190) +
      ground(s, horizon, mix(s.mood.ground, s.tone(PAINT.straw), 0.3))
    out += gumTree(s, r, s.cx + s.side * 450 * u, s.h * 0.68, 520 * u, 0.15)
    const cx = s.cx + s.side * 190 * u
    const cy = s.h * 0.78
    out += castShadow(s, cx, cy, 80 * u, 360, 0.34) + couple(s, r, cx, cy, 240 * u, 0.1)
    const x = s.cx - s.side * 270 * u
    const y = s.h * 0.95
    const h = 520 * u
    const dark = s.dim(PAINT.ink, 0.2)
    const f = s.side
    out += person(s, r, x - f * 100 * u, y, h * 1.02, {
      outfit: r.pick(['shirt', 'dress', 'shirt']),
      pose: 'camera',
      facing: f,
      colour: r.pick([PAINT.waratah, PAINT.cream, PAINT.teal, PAINT.terracotta]),
    })
    const tx = x + f * 46 * u
    const ty = y - h * 0.8
    out += castShadow(s, tx, y, 60, 500, 0.26)
    out +=
      line(
        [
          [tx, ty],
          [tx - 90 * u, y + 6],
        ],
        dark,
        10 * u,
      ) +
      line(
        [
          [tx, ty],
          [tx + 92 * u, y],
        ],
        dark,
        10 * u,
      ) +
      line(
        [
          [tx, ty],
          [tx + 8 * u, y + 20],
        ],
        dark,
        10 * u,
      ) +
      line(
        [
          [tx - 40 * u, ty + 190 * u],
          [tx + 42 * u, ty + 190 * u],
        ],
        dark,
        6 * u,
      )
    out +=
      rect(tx - 56 * u, ty - 74 * u, 100 * u, 76 * u, dark, 9) +
      rect(tx - 26 * u, ty - 98 * u, 46 * u, 28 * u, dark, 6) +
      rect(f > 0 ? tx + 40 * u : tx - 110 * u, ty - 64 * u, 66 * u, 54 * u, s.dim(PAINT.walnut, 0.4), 7) +
      circle(tx + f * 106 * u, ty - 37 * u, 22 * u, mix(s.mood.halo, s.mood.sun, 0.5), 0.8) +
      line(
        [
          [tx - 50 * u, ty - 70 * u],
          [tx + 40 * u, ty - 70 * u],
        ],
        s.mood.halo,
        4,
        0.6,
      )
    return out + foreGrass(s, r, 210, mix(s.mood.land[4], s.tone(PAINT.straw), 0.15))
  },
}

const windowLight: Composition = {
  moods: ['morning', 'golden', 'rose', 'dusk', 'sage'],
  draw: (s) => {
    const r = s.random('window')
    const u = s.u
    const floor = s.h * 0.84
    const wall = r.pick([PAINT.eucalypt, PAINT.terracotta, PAINT.teal, PAINT.sand, PAINT.blush])
    const x = s.cx + s.side * 130 * u
    const w = 430 * u
    const h = s.h * 0.7
    s.sun.x = x + s.side * 90
    s.sun.y = s.h * 0.36
    let out = room(s, floor, wall, PAINT.oak)
    out += opening(
      s,
      arch(x, floor - 16, w, h),
      { x, y: floor - 16, w, h },
      view(s, s.h * 0.58),
      PAINT.cream,
      [2, 4],
    )
    out +=
      curtain(s, x - w * 0.62, s.h * 0.06, floor + 6, 110 * u, -1, PAINT.cream) +
      curtain(s, x + w * 0.62, s.h * 0.06, floor + 6, 110 * u, 1, PAINT.cream)
    out += rect(x - w * 0.92, s.h * 0.055, w * 1.84, 9, s.tone(PAINT.straw), 4)
    out += lightPatch(s, x, floor + 6, w, s.h - floor, 0.42)
    const px = x - s.side * 60 * u
    const gown = r.pick([PAINT.cream, PAINT.cream, PAINT.blush, PAINT.wattle])
    out += person(s, r, px, s.h * 0.93, 600 * u, {
      outfit: 'gown',
      colour: gown,
      pose: r.pick(['hips', 'reach', 'down']),
      facing: s.side,
    })
    if (r.chance(0.7))
      out += path(
        `M${n(px - s.side * 20 * u)} ${n(s.h * 0.93 - 575 * u)}C${n(px - s.side * 130 * u)} ${n(s.h * 0.93 - 420 * u)} ${n(px - s.side * 130 * u)} ${n(s.h * 0.93 - 160 * u)} ${n(px - s.side * 250 * u)} ${n(s.h * 0.95)}H${n(px - s.side * 70 * u)}Q${n(px - s.side * 30 * u)} ${n(s.h * 0.6)} ${n(px - s.side * 20 * u)} ${n(s.h * 0.93 - 575 * u)}Z`,
        s.lit(PAINT.cream, 0.5),
        0.5,
      )
    out += potPlant(s, r, s.w / 2 - s.side * Math.min(470, s.w * 0.4), s.h * 0.95, 400 * u)
    return out
  },
}

export const photographerScenes = {
  'photographer-camera-ledge': cameraLedge,
  'photographer-headland-couple': headland,
  'photographer-prints': prints,
  'photographer-tripod-field': tripodField,
  'photographer-window-light': windowLight,
} as const
