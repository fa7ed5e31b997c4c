import { n, type Point, polygon } from '../geometry.ts'
import { BRIGHTS, type Hex, mix, PAINT } from '../palette.ts'
import { skyline } from '../parts/buildings.ts'
import { balloonBunch, basket, flowerArch, setting, sideTrees } from '../parts/celebration.ts'
import { garland, posy, posyColours, vase } from '../parts/flowers.ts'
import { castShadow, ground, lightPool, ranges } from '../parts/land.ts'
import { bunting, candle, festoon, glow } from '../parts/lights.ts'
import { couple, guests, person } from '../parts/people.ts'
import { pendant } from '../parts/room.ts'
import { sky } from '../parts/sky.ts'
import { bottle, cake, clothTable, glass, stand } from '../parts/table.ts'
import { foreGrass, gumBranch, leaf, roundTree, shrubs } from '../parts/trees.ts'
import type { Random } from '../random.ts'
import type { Composition, Stage } from '../stage.ts'
import { circle, ellipse, line, path, rect, stroke } from '../svg.ts'
import { anniversary, christening, memorial } from './occasions-quiet.ts'

function confetti(
  s: Stage,
  r: Random,
  x: number,
  y: number,
  w: number,
  h: number,
  colours: readonly Hex[],
  count = 60,
): string {
  let out = ''
  for (let i = 0; i < count; i++)
    out += path(
      leaf(x + r.range(-0.5, 0.5) * w, y + r.next() * h, r.range(8, 15), r.range(0, 6.3), 4, 0.1),
      s.tone(colours[i % colours.length] ?? PAINT.blush),
    )
  return out
}

const wedding: Composition = {
  moods: ['golden', 'rose', 'sage', 'morning', 'dusk'],
  draw: (s) => {
    const r = s.random('wedding')
    const u = s.u
    const at = setting(s, r, s.h * 0.52)
    const x = s.cx
    const colours = posyColours(r)
    let out =
      at.body +
      sideTrees(s, r, at.coast, at.foot + 90, 600 * u, 500) +
      flowerArch(s, r, x, at.foot + 90 * u, 340 * u, colours)
    out += path(
      polygon([
        [x - 60 * u, at.foot + 92 * u],
        [x + 60 * u, at.foot + 92 * u],
        [x + 290 * u, s.h + 20],
        [x - 290 * u, s.h + 20],
      ]),
      s.lit(PAINT.cream, 0.25),
      0.75,
    )
    const rows: (readonly [number, number, number])[] = []
    for (const z of [0.1, 0.4, 0.75])
      for (const k of [-1, 1])
        for (let i = 0; i < 2; i++)
          rows.push([
            x + k * (170 + 190 * z + i * (66 + 60 * z)) * u + r.range(-8, 8),
            at.foot + 110 * u + (s.h * 0.97 - at.foot - 110 * u) * z,
            (190 + 190 * z) * u,
          ])
    out += guests(s, r, rows)
    out += couple(s, r, x, s.h * 0.91, 360 * u) + posy(s, r, x + 8 * u, s.h * 0.91 - 250 * u, 34 * u, colours)
    return (
      out + confetti(s, r, x, s.h * 0.34, 560 * u, s.h * 0.6, colours, 90) + gumBranch(s, r, s.side, 0.85)
    )
  },
}

const birthday: Composition = {
  moods: ['sage', 'golden', 'wattle', 'rose', 'morning', 'dusk'],
  draw: (s) => {
    const r = s.random('birthday')
    const u = s.u
    const horizon = s.h * 0.5
    const x = s.cx
    let out =
      sky(s, { horizon }) +
      ranges(s, horizon, 110) +
      shrubs(s, r, -40, s.w + 40, horizon + 34, 120, [], 0.25) +
      ground(s, horizon + 20, mix(s.mood.ground, s.tone(PAINT.gum), 0.25))
    out +=
      sideTrees(s, r, false, s.h * 0.7, 640 * u, 520) +
      bunting(s, r, [-20, s.h * 0.1], [x, s.h * 0.06], 60, 44) +
      bunting(s, r, [x, s.h * 0.06], [s.w + 20, s.h * 0.12], 60, 44)
    const top = s.h * 0.72
    out += guests(s, r, [
      [x - 290 * u, top + 60, 340 * u],
      [x - 200 * u, top + 70, 300 * u],
      [x + 210 * u, top + 70, 330 * u],
      [x + 300 * u, top + 60, 350 * u],
      [x + 108 * u, top + 50, 240 * u],
    ])
    out += balloonBunch(s, r, x - s.side * 430 * u, s.h * 0.4, 60 * u, 8, s.h * 0.9)
    out += clothTable(
      s,
      r,
      x - 330 * u,
      x + 330 * u,
      top,
      s.h * 0.95,
      r.pick([PAINT.cream, PAINT.blush, PAINT.wattle]),
      PAINT.waratah,
    )
    const made = cake(s, r, x, top - 40 * u, 210 * u, 2, r.pick([PAINT.cream, PAINT.blush, PAINT.coral]))
    out += stand(s, x, top + 2, 270 * u, 44 * u, PAINT.cream) + made.body
    for (let i = -2; i <= 2; i++)
      out += candle(
        s,
        made.top[0] + i * 26 * u,
        made.top[1] + (i % 2 ? 2 : 6),
        44 * u,
        i % 2 ? PAINT.waratah : PAINT.teal,
      )
    out +=
      vase(s, r, x - 240 * u, top + 2, 150 * u) +
      glass(s, x + 190 * u, top + 2, 84 * u, PAINT.coral) +
      glass(s, x + 230 * u, top + 4, 84 * u, PAINT.straw) +
      glass(s, x - 160 * u, top + 4, 84 * u, PAINT.straw)
    for (const [k, c] of [
      [0.5, PAINT.teal],
      [0.62, PAINT.wattle],
    ] as const) {
      const gx = x + s.side * k * 700 * u
      const w = 100 * u
      out +=
        castShadow(s, gx, s.h * 0.95, w, 120) +
        rect(gx - w / 2, s.h * 0.95 - w * 0.8, w, w * 0.8, s.tone(c), 4) +
        rect(gx - w * 0.08, s.h * 0.95 - w * 0.8, w * 0.16, w * 0.8, s.tone(PAINT.cream)) +
        path(
          leaf(gx, s.h * 0.95 - w * 0.8, w * 0.4, -0.7, w * 0.13) +
            leaf(gx, s.h * 0.95 - w * 0.8, w * 0.4, -2.4, w * 0.13),
          s.tone(PAINT.cream),
        )
    }
    return out + foreGrass(s, r, 90)
  },
}

const corporate: Composition = {
  moods: ['dusk', 'night', 'golden', 'ember', 'rose'],
  draw: (s) => {
    const r = s.random('work')
    const u = s.u
    const floor = s.h * 0.72
    let out =
      sky(s, { horizon: floor }) +
      skyline(s, r, floor, s.h * 0.4, false) +
      skyline(s, r, floor + 10, s.h * 0.24, true)
    const frame = s.dim(PAINT.walnut, 0.4)
    for (let i = -4; i <= 4; i++) out += rect(s.cx + i * 300 * u - 8, 0, 16, floor, frame)
    out +=
      rect(0, floor - 26, s.w, 28, frame) +
      rect(0, s.h * 0.16, s.w, 9, frame) +
      rect(
        0,
        floor,
        s.w,
        s.h - floor,
        s.linear([
          [0, s.tone(PAINT.timber)],
          [1, s.dim(PAINT.walnut, 0.3)],
        ]),
      )
    let boards = ''
    for (let i = -20; i <= 20; i++)
      boards += `M${n(s.cx + i * 90)} ${n(floor)}L${n(s.cx + i * 220)} ${n(s.h)}`
    out +=
      s.clip(`M0 ${n(floor)}H${n(s.w)}V${n(s.h)}H0Z`, stroke(boards, s.dim(PAINT.walnut, 0.5), 3, 0.5)) +
      lightPool(s, s.cx, s.h * 0.9, 600 * u, 90)
    for (const k of [-0.34, -0.12, 0.12, 0.34])
      out += pendant(s, s.cx + k * 1200 * u, s.h * 0.2, 100 * u, r.pick([PAINT.straw, PAINT.cream]))
    const spots: (readonly [number, number, number])[] = [-0.42, -0.33, -0.16, 0.02, 0.1, 0.28, 0.4].map(
      (k, i) => [s.cx + k * Math.min(s.w, 1250), s.h * (0.87 + 0.035 * (i % 3)), (330 + 16 * (i % 3)) * u],
    )
    for (const [px, py, h] of spots)
      out += person(s, r, px, py, h, {
        outfit: r.pick(['suit', 'shirt', 'dress', 'suit']),
        pose: r.pick(['glass', 'down', 'glass', 'reach']),
      })
    for (const k of [-0.25, 0.19]) {
      const tx = s.cx + k * Math.min(s.w, 1250)
      out +=
        castShadow(s, tx, s.h * 0.95, 40, 140) +
        line(
          [
            [tx, s.h * 0.95],
            [tx, s.h * 0.77],
          ],
          s.dim(PAINT.ink, 0.2),
          10,
        ) +
        ellipse(tx, s.h * 0.95, 54 * u, 10, s.dim(PAINT.ink, 0.2)) +
        ellipse(tx, s.h * 0.77, 96 * u, 17, s.lit(PAINT.cream, 0.2)) +
        vase(s, r, tx, s.h * 0.77, 110 * u) +
        glass(s, tx - 54 * u, s.h * 0.772, 66 * u) +
        glass(s, tx + 50 * u, s.h * 0.774, 66 * u, PAINT.waratah)
    }
    return out
  },
}

const engagement: Composition = {
  moods: ['rose', 'golden', 'dusk', 'sage', 'ember'],
  draw: (s) => {
    const r = s.random('picnic')
    const u = s.u
    const at = setting(s, r, s.h * 0.5, r.int(0, 1))
    const x = s.cx
    let out = at.body
    const tx = x - s.side * 330 * u
    out +=
      castShadow(s, tx, s.h * 0.74, 60, 420) +
      roundTree(s, r, tx, s.h * 0.74, 760 * u, r.pick([PAINT.mauve, PAINT.mauve, PAINT.gum, PAINT.waratah]))
    out += festoon(
      s,
      [tx + s.side * 130 * u, s.h * 0.74 - 480 * u],
      [s.w / 2 + s.side * (s.w / 2 + 20), s.h * 0.24],
      80,
      48,
      9,
    )
    out += couple(s, r, x + s.side * 90 * u, s.h * 0.78, 330 * u)
    const fy = s.h * 0.88
    const rug = polygon([
      [x - 330 * u, fy - 60 * u],
      [x + 290 * u, fy - 66 * u],
      [x + 420 * u, fy + 60 * u],
      [x - 430 * u, fy + 66 * u],
    ])
    const paint = r.pick([PAINT.waratah, PAINT.teal, PAINT.wattle, PAINT.terracotta])
    let checks = ''
    for (let i = -9; i < 10; i += 2)
      checks += polygon([
        [x + i * 42 * u, fy - 70 * u],
        [x + (i + 1) * 42 * u, fy - 70 * u],
        [x + (i + 1) * 58 * u, fy + 70 * u],
        [x + i * 58 * u, fy + 70 * u],
      ])
    out +=
      path(rug, s.tone(PAINT.cream)) +
      s.clip(
        rug,
        path(checks, s.tone(paint), 0.5) +
          [-44, 6, 50]
            .map((dy) => rect(x - 500 * u, fy + dy * u, 1000 * u, 24 * u, s.tone(paint), 0, 0.4))
            .join(''),
      )
    const b = x - s.side * 150 * u
    out +=
      ellipse(b, fy + 8, 120 * u, 16 * u, s.mood.shadow, 0.3) +
      basket(s, b, fy + 6, 190 * u) +
      bottle(s, x + s.side * 20 * u, fy + 14, 170 * u, PAINT.eucalypt) +
      glass(s, x + s.side * 90 * u, fy + 18, 100 * u, PAINT.straw, 'flute') +
      glass(s, x + s.side * 126 * u, fy + 24, 100 * u, PAINT.straw, 'flute') +
      posy(s, r, x + s.side * 240 * u, fy + 16, 62 * u)
    return (
      out +
      confetti(s, r, tx, s.h * 0.62, 520 * u, s.h * 0.3, [PAINT.mauve, PAINT.blush, PAINT.coral], 40) +
      foreGrass(s, r, 90)
    )
  },
}

const endOfYear: Composition = {
  moods: ['dusk', 'night', 'ember', 'golden'],
  draw: (s) => {
    const r = s.random('year')
    const u = s.u
    const at = setting(s, r, s.h * 0.54, r.int(0, 1))
    const x = s.cx + s.side * 190 * u
    const foot = s.h * 0.84
    let out = at.body
    // a pine with lights, as in an Australian summer
    const h = 700 * u
    const green = mix(s.tone(PAINT.eucalypt), s.mood.land[4], 0.35)
    out += castShadow(s, x, foot, 90, 360) + rect(x - 15, foot - 60, 30, 60, s.dim(PAINT.walnut, 0.3))
    for (let i = 0; i < 5; i++) {
      const base = foot - 40 * u - i * h * 0.16
      const half = h * (0.32 - 0.052 * i)
      out += path(
        `M${n(x)} ${n(base - h * 0.27)}Q${n(x - half * 0.5)} ${n(base - h * 0.08)} ${n(x - half)} ${n(base)}Q${n(x - half * 0.5)} ${n(base + h * 0.035)} ${n(x)} ${n(base + h * 0.02)}Q${n(x + half * 0.5)} ${n(base + h * 0.035)} ${n(x + half)} ${n(base)}Q${n(x + half * 0.5)} ${n(base - h * 0.08)} ${n(x)} ${n(base - h * 0.27)}Z`,
        i % 2 ? green : mix(green, s.mood.halo, 0.1),
      )
      for (let k = -2; k <= 2; k++) {
        const bx = x + (k / 2.6) * half
        const by = base - h * 0.02 - Math.abs(k) * 3 + (k === 0 ? 6 : 0)
        out += r.chance(0.3)
          ? circle(bx, by, 15 * u, s.tone(r.pick(BRIGHTS))) +
            circle(bx + s.side * 4, by - 4, 5 * u, s.mood.sun, 0.7)
          : glow(s, bx, by, 34 * u) + circle(bx, by, 7 * u, '#FFEDBE')
      }
    }
    const sy = foot - 40 * u - 4 * h * 0.16 - h * 0.28
    let star = ''
    for (let i = 0; i < 10; i++)
      star += `${i ? 'L' : 'M'}${n(x + Math.cos(-1.571 + i * 0.628) * (i % 2 ? 17 : 42) * u)} ${n(sy + Math.sin(-1.571 + i * 0.628) * (i % 2 ? 17 : 42) * u)}`
    out += glow(s, x, sy, 110 * u) + path(`${star}Z`, s.lit(PAINT.wattle, 0.3))
    out += lightPool(s, s.cx, s.h * 0.9, 600 * u, 100)
    const y = s.h * 0.8
    const x0 = s.cx - s.side * 330 * u
    out += guests(s, r, [
      [x0 - 150 * u, y + 34, 320 * u],
      [x0 - 30 * u, y + 30, 326 * u],
      [x0 + 120 * u, y + 34, 310 * u],
      [s.cx + s.side * 40 * u, s.h * 0.9, 340 * u],
      [s.cx + s.side * 400 * u, s.h * 0.9, 346 * u],
    ])
    out += clothTable(s, r, x0 - 220 * u, x0 + 200 * u, y, s.h * 0.95, PAINT.cream, PAINT.waratah)
    out +=
      garland(
        s,
        r,
        Array.from({ length: 13 }, (_, i): Point => [x0 - 200 * u + i * 32 * u, y - 2]),
        36 * u,
        0.5,
        [PAINT.waratah, PAINT.wattle, PAINT.cream],
      ) +
      bottle(s, x0 - 110 * u, y, 130 * u) +
      candle(s, x0 + 20 * u, y, 90 * u) +
      glass(s, x0 + 90 * u, y, 80 * u) +
      glass(s, x0 + 130 * u, y + 2, 80 * u, PAINT.waratah)
    out +=
      festoon(s, [-20, s.h * 0.12], [x, sy + 10], 90, 52, 9) +
      festoon(s, [x, sy + 10], [s.w + 20, s.h * 0.14], 90, 52, 9)
    return out + foreGrass(s, r, 90)
  },
}

export const occasionScenes = {
  'occasion-wedding': wedding,
  'occasion-birthday': birthday,
  'occasion-corporate': corporate,
  'occasion-engagement': engagement,
  'occasion-christening': christening,
  'occasion-anniversary': anniversary,
  'occasion-end-of-year': endOfYear,
  'occasion-memorial': memorial,
} as const
