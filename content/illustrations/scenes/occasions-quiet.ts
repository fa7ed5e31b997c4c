import { n, polygon } from '../geometry.ts'
import { mix, PAINT, SKIN } from '../palette.ts'
import { posy, vase } from '../parts/flowers.ts'
import { castShadow, ground, hill, lightPool, ranges, water } from '../parts/land.ts'
import { candle, festoon, glow, post } from '../parts/lights.ts'
import { guests, person } from '../parts/people.ts'
import { sky } from '../parts/sky.ts'
import { bottle, clothTable, glass } from '../parts/table.ts'
import { foreGrass, gumBranch, gumTree, shrubs } from '../parts/trees.ts'
import type { Composition } from '../stage.ts'
import { circle, ellipse, path, rect, stroke } from '../svg.ts'

export const christening: Composition = {
  moods: ['morning', 'sage', 'golden', 'coastal', 'rose'],
  draw: (s) => {
    const r = s.random('christening')
    const u = s.u
    const horizon = s.h * 0.54
    const x = s.cx
    let out = sky(s, { horizon }) + ranges(s, horizon, 140) + ground(s, horizon)
    // a small timber church
    const cx = x + s.side * 260 * u
    const cy = horizon + 80
    const w = 270 * u
    const wall = s.tone(PAINT.cream)
    out +=
      castShadow(s, cx, cy, w, 220) +
      path(
        polygon([
          [cx - w / 2, cy],
          [cx - w / 2, cy - w * 0.6],
          [cx, cy - w * 1.1],
          [cx + w / 2, cy - w * 0.6],
          [cx + w / 2, cy],
        ]),
        wall,
      ) +
      path(
        polygon([
          [cx, cy - w * 1.1],
          [cx - s.side * (w / 2), cy - w * 0.6],
          [cx - s.side * (w / 2), cy],
          [cx, cy],
        ]),
        s.mood.shadow,
        0.14,
      )
    out +=
      stroke(
        `M${n(cx - w * 0.56)} ${n(cy - w * 0.56)}L${n(cx)} ${n(cy - w * 1.14)}L${n(cx + w * 0.56)} ${n(cy - w * 0.56)}`,
        s.tone(PAINT.terracotta),
        17 * u,
      ) +
      path(
        polygon([
          [cx - w * 0.1, cy - w * 1.08],
          [cx, cy - w * 1.62],
          [cx + w * 0.1, cy - w * 1.08],
        ]),
        s.tone(PAINT.terracotta),
      ) +
      path(
        `M${n(cx - w * 0.12)} ${n(cy)}v${n(-w * 0.34)}a${n(w * 0.12)} ${n(w * 0.14)} 0 0 1 ${n(w * 0.24)} 0v${n(w * 0.34)}Z`,
        s.tone(PAINT.waratah),
      ) +
      circle(cx, cy - w * 0.74, w * 0.09, s.dim(PAINT.teal, 0.1)) +
      [-1, 1]
        .map((k) =>
          path(
            `M${n(cx + k * w * 0.32 - w * 0.06)} ${n(cy - w * 0.16)}v${n(-w * 0.2)}a${n(w * 0.06)} ${n(w * 0.1)} 0 0 1 ${n(w * 0.12)} 0v${n(w * 0.2)}Z`,
            s.dim(PAINT.teal, 0.1),
          ),
        )
        .join('')
    out += path(
      polygon([
        [cx - 34 * u, cy],
        [cx + 34 * u, cy],
        [x + 120 * u, s.h + 10],
        [x - 240 * u, s.h + 10],
      ]),
      s.tone(PAINT.sand),
      0.7,
    )
    const tx = x - s.side * 400 * u
    out += castShadow(s, tx, s.h * 0.76, 44, 300) + gumTree(s, r, tx, s.h * 0.76, 760 * u)
    const fy = s.h * 0.92
    out += guests(s, r, [
      [x + s.side * 190 * u, fy - 26, 320 * u],
      [x + s.side * 272 * u, fy - 16, 300 * u],
      [x - s.side * 300 * u, fy - 16, 330 * u],
    ])
    out +=
      person(s, r, x - 84 * u, fy, 390 * u, { outfit: 'suit', pose: 'reach', facing: 1 }) +
      person(s, r, x + 60 * u, fy + 6, 370 * u, {
        outfit: 'dress',
        pose: 'reach',
        facing: -1,
        colour: r.pick([PAINT.blush, PAINT.leaf, PAINT.wattle]),
      })
    const bx = x - 8 * u
    const by = fy - 262 * u
    out +=
      path(
        `M${n(bx - 46 * u)} ${n(by)}Q${n(bx)} ${n(by - 26 * u)} ${n(bx + 44 * u)} ${n(by)}Q${n(bx + 30 * u)} ${n(by + 90 * u)} ${n(bx + 22 * u)} ${n(by + 170 * u)}Q${n(bx - 10 * u)} ${n(by + 180 * u)} ${n(bx - 30 * u)} ${n(by + 164 * u)}Q${n(bx - 26 * u)} ${n(by + 80 * u)} ${n(bx - 46 * u)} ${n(by)}Z`,
        s.lit(PAINT.cream, 0.5),
      ) +
      stroke(
        `M${n(bx - 8 * u)} ${n(by + 24 * u)}q4 60 -6 120M${n(bx + 12 * u)} ${n(by + 24 * u)}q4 60 0 130`,
        s.dim(PAINT.cream, 0.2),
        4,
        0.5,
      ) +
      circle(bx + 30 * u, by - 8 * u, 22 * u, s.tone(r.pick(SKIN))) +
      path(
        `M${n(bx + 8 * u)} ${n(by - 8 * u)}a${n(23 * u)} ${n(23 * u)} 0 0 1 ${n(44 * u)} ${n(-6 * u)}q${n(-22 * u)} ${n(-10 * u)} ${n(-44 * u)} ${n(6 * u)}Z`,
        s.lit(PAINT.cream, 0.4),
      )
    return out + shrubs(s, r, -40, s.w + 40, s.h + 30, 90 * u, [PAINT.cream, PAINT.blush, PAINT.wattle])
  },
}

export const anniversary: Composition = {
  moods: ['dusk', 'golden', 'rose', 'night', 'ember'],
  draw: (s) => {
    const r = s.random('anniversary')
    const u = s.u
    const horizon = s.h * 0.52
    const x = s.cx
    let out =
      sky(s, { horizon }) +
      hill(s, {
        name: 'f',
        base: horizon,
        rise: 90,
        colour: s.mood.land[0],
        bottom: horizon + 20,
        length: 1100,
        trees: 12,
      }) +
      water(s, horizon, s.h * 0.78)
    const deck = s.h * 0.72
    out += rect(
      0,
      deck,
      s.w,
      s.h,
      s.linear([
        [0, s.tone(PAINT.stone)],
        [1, s.dim(PAINT.stone, 0.4)],
      ]),
    )
    let tiles = ''
    for (let i = -20; i <= 20; i++) tiles += `M${n(x + i * 90)} ${n(deck)}L${n(x + i * 240)} ${n(s.h)}`
    for (const y of [0.76, 0.82, 0.9]) tiles += `M0 ${n(s.h * y)}H${n(s.w)}`
    out += s.clip(`M0 ${n(deck)}H${n(s.w)}V${n(s.h)}H0Z`, stroke(tiles, s.dim(PAINT.stone, 0.5), 3, 0.4))
    let rail = ''
    for (let i = 0; i < s.w / 44; i++) rail += `M${n(i * 44 + 10)} ${n(deck)}q-12 -34 0 -66`
    out +=
      stroke(rail, s.tone(PAINT.cream), 10) +
      rect(0, deck - 84, s.w, 20, s.tone(PAINT.cream)) +
      rect(0, deck - 6, s.w, 16, s.dim(PAINT.cream, 0.12))
    for (const k of [-1, 1]) {
      const px = x + k * Math.min(480, s.w * 0.4)
      out +=
        post(s, px, s.h * 0.86, s.h * 0.66, 11) +
        rect(px - 60 * u, s.h * 0.86 - 74 * u, 120 * u, 80 * u, s.tone(PAINT.terracotta), 6) +
        posy(s, r, px, s.h * 0.86 - 90 * u, 96 * u)
      out +=
        festoon(s, [px, s.h * 0.2], [x, s.h * 0.1], 54, 46, 9) +
        festoon(s, [px, s.h * 0.2], [px + k * 400, s.h * 0.12], 50, 50, 9)
    }
    out += lightPool(s, x, s.h * 0.93, 360 * u, 64)
    out +=
      person(s, r, x - 62 * u, s.h * 0.93, 440 * u, {
        outfit: 'suit',
        pose: 'reach',
        facing: 1,
        hair: '#C9C3B8',
      }) +
      person(s, r, x + 66 * u, s.h * 0.935, 418 * u, {
        outfit: 'gown',
        pose: 'reach',
        facing: -1,
        hair: '#D8D3C9',
        colour: r.pick([PAINT.waratah, PAINT.teal, PAINT.eucalypt, PAINT.blush]),
      })
    out += guests(s, r, [
      [x - s.side * 330 * u, s.h * 0.86, 300 * u],
      [x - s.side * 262 * u, s.h * 0.865, 306 * u],
    ])
    const t = x + s.side * 320 * u
    out +=
      clothTable(s, r, t - 100 * u, t + 100 * u, s.h * 0.76, s.h * 0.9, PAINT.cream) +
      vase(s, r, t - 30 * u, s.h * 0.76, 150 * u) +
      bottle(s, t + 40 * u, s.h * 0.762, 120 * u) +
      glass(s, t + 72 * u, s.h * 0.764, 70 * u) +
      candle(s, t - 76 * u, s.h * 0.762, 70 * u)
    return out + gumBranch(s, r, -s.side as -1 | 1, 0.9)
  },
}

export const memorial: Composition = {
  moods: ['morning', 'coastal', 'dusk', 'rose'],
  draw: (s) => {
    const r = s.random('memorial')
    const u = s.u
    const horizon = s.h * 0.5
    s.sun.x = s.cx + s.side * 170 * u
    s.sun.y = horizon - 90
    s.sun.r *= 1.3
    let out = sky(s, { horizon }) + ranges(s, horizon, 150, 2) + water(s, horizon + 6, s.h * 0.84)
    const shore = s.h * 0.78
    out += hill(s, {
      name: 'bank',
      base: shore + 16,
      rise: 34,
      colour: mix(s.mood.ground, s.mood.land[2], 0.4),
      foot: s.mood.land[4],
      bottom: s.h + 10,
      length: 900,
    })
    const x = s.cx - s.side * 230 * u
    const y = s.h * 0.84
    out += castShadow(s, x, y, 50, 380) + gumTree(s, r, x, y, 820 * u)
    for (let i = 0; i < 7; i++) {
      const lx = s.cx + s.side * r.range(20, 420) * u
      const ly = s.h * r.range(0.56, 0.74)
      const k = 16 + 40 * (ly / s.h - 0.5)
      out +=
        glow(s, lx, ly - k * 0.6, k * 3.2, 1) +
        rect(lx - k * 0.6, ly - k * 1.3, k * 1.2, k * 1.3, '#FBD58D', 3) +
        ellipse(lx, ly, k * 0.9, k * 0.18, s.dim(PAINT.walnut, 0.2)) +
        stroke(`M${n(lx)} ${n(ly + 6)}v${n(k * 1.6)}`, s.mood.glint, k * 0.5, 0.35)
    }
    const bx = s.cx + s.side * 60 * u
    const by = s.h * 0.88
    const w = 300 * u
    const wood = s.dim(PAINT.timber, 0.15)
    out +=
      castShadow(s, bx, by, w, 260) +
      stroke(
        `M${n(bx - w * 0.42)} ${n(by)}v${n(-w * 0.5)}M${n(bx + w * 0.42)} ${n(by)}v${n(-w * 0.5)}`,
        s.dim(PAINT.walnut, 0.3),
        13 * u,
      ) +
      [0.5, 0.41, 0.32]
        .map((k) =>
          rect(bx - w / 2, by - w * k, w, w * 0.06, k === 0.5 ? s.lit(PAINT.timber, 0.25) : wood, 3),
        )
        .join('') +
      rect(bx - w * 0.53, by - w * 0.22, w * 1.06, w * 0.055, s.lit(PAINT.timber, 0.15), 3)
    out += posy(s, r, bx + s.side * w * 0.26, by - w * 0.27, 44 * u, [PAINT.cream, PAINT.wattle, PAINT.cream])
    return out + foreGrass(s, r, 130) + gumBranch(s, r, s.side, 0.8, false)
  },
}
