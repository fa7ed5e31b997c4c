import { n, smooth } from '../geometry.ts'
import { type Hex, mix, PAINT } from '../palette.ts'
import { dapple, fall, flatShadow, ribbon, surface } from '../parts/flatlay.ts'
import { flower, posy, posyColours, sprig, vase } from '../parts/flowers.ts'
import { castShadow } from '../parts/land.ts'
import {
  arch,
  ledge,
  ledgeShadow,
  lightPatch,
  opening,
  pendant,
  potPlant,
  room,
  view,
} from '../parts/room.ts'
import type { Random } from '../random.ts'
import type { Composition, Stage } from '../stage.ts'
import { circle, ellipse, group, line, path, rect, stroke } from '../svg.ts'
import { braid } from './braids.ts'

const mirror: Composition = {
  moods: ['golden', 'morning', 'rose', 'sage', 'dusk', 'wattle'],
  draw: (s) => {
    const r = s.random('mirror')
    const u = s.u
    const y = s.h * 0.75
    const wall = r.pick([PAINT.blush, PAINT.eucalypt, PAINT.sand, PAINT.terracotta, PAINT.teal, PAINT.leaf])
    let out = room(s, y + 10, wall, PAINT.oak, false)
    out += lightPatch(s, s.cx - s.side * 120, s.h * 0.06, 380, s.h * 0.5, 0.28)
    const mx = s.cx + s.side * 70 * u
    const round = r.chance(0.5)
    const mw = (round ? 420 : 340) * u
    const mh = (round ? 420 : 520) * u
    const my = y - 34 * u
    const shape = round
      ? smooth(
          Array.from(
            { length: 16 },
            (_, i) =>
              [
                mx + (Math.cos((i / 16) * 6.2832) * mw) / 2,
                my - mh / 2 + (Math.sin((i / 16) * 6.2832) * mh) / 2,
              ] as const,
          ),
          true,
        )
      : arch(mx, my, mw, mh)
    s.sun.x = mx + s.side * 80
    s.sun.y = my - mh * 0.62
    const frame = r.pick([PAINT.straw, PAINT.walnut, PAINT.cream])
    out += `<path d="${shape}" fill="${s.mood.shadow}" opacity="0.26" transform="translate(${n(-s.side * 46)} 26)"/>`
    out += opening(s, shape, { x: mx, y: my, w: mw, h: mh }, view(s, my - mh * 0.34), frame, [1, 1])
    out += s.clip(
      shape,
      path(
        `M${n(mx - mw * 0.6)} ${n(my)}L${n(mx + mw * 0.1)} ${n(my - mh * 1.1)}h${n(mw * 0.2)}L${n(mx - mw * 0.4)} ${n(my)}Z`,
        s.mood.sun,
        0.2,
      ) + posy(s, r, mx - s.side * mw * 0.34, my - 10, 120 * u, undefined, true),
    )
    out += ledge(s, y - 20, 70, r.pick([PAINT.walnut, PAINT.oak, PAINT.cream, PAINT.stone]))
    const jx = s.cx - s.side * 300 * u
    out += ledgeShadow(s, jx, y + 18, 100 * u, 180) + brushJar(s, r, jx, y + 24, 300 * u)
    const px = s.cx - s.side * 130 * u
    out += ledgeShadow(s, px, y + 26, 60 * u, 120) + scentBottle(s, r, px, y + 30, 120 * u)
    const vx = s.cx + s.side * 390 * u
    out += ledgeShadow(s, vx, y + 20, 80 * u, 160) + vase(s, r, vx, y + 26, 340 * u)
    out += comb(s, s.cx + s.side * 150 * u, y + 34, 210 * u, -s.side * 4)
    return out
  },
}

function brushJar(s: Stage, r: Random, x: number, y: number, h: number): string {
  let out = ''
  for (let i = 0; i < 5; i++) {
    const a = -1.57 + (i - 2) * 0.17
    const len = h * r.range(0.78, 1)
    const tx = x + Math.cos(a) * len
    const ty = y - h * 0.1 + Math.sin(a) * len
    const c = r.pick([PAINT.timber, PAINT.waratah, PAINT.walnut, PAINT.straw])
    out += line(
      [
        [x, y - h * 0.2],
        [tx, ty],
      ],
      s.tone(c),
      h * 0.035,
    )
    out += group(
      `translate(${n(tx)} ${n(ty)}) rotate(${n((a * 180) / Math.PI + 90)})`,
      i % 2
        ? path(
            `M${n(-h * 0.05)} ${n(h * 0.02)}Q${n(-h * 0.08)} ${n(-h * 0.14)} 0 ${n(-h * 0.2)}Q${n(h * 0.08)} ${n(-h * 0.14)} ${n(h * 0.05)} ${n(h * 0.02)}Z`,
            s.tone(PAINT.blush),
          ) + rect(-h * 0.04, -h * 0.01, h * 0.08, h * 0.07, s.tone(PAINT.straw), 3)
        : rect(-h * 0.055, -h * 0.2, h * 0.11, h * 0.24, s.dim(c, 0.2), h * 0.05) +
            stroke(
              Array.from(
                { length: 5 },
                (_, k) => `M${n(h * 0.055)} ${n(-h * 0.16 + k * h * 0.04)}h${n(h * 0.035)}`,
              ).join(''),
              s.mood.ink,
              h * 0.014,
            ),
    )
  }
  const w = h * 0.3
  const d = `M${n(x - w / 2)} ${n(y - h * 0.4)}V${n(y)}Q${n(x)} ${n(y + w * 0.1)} ${n(x + w / 2)} ${n(y)}V${n(y - h * 0.4)}Z`
  return (
    out +
    path(d, s.tone(PAINT.cream)) +
    s.clip(
      d,
      rect(x - w / 2, y - h * 0.24, w, h * 0.07, s.tone(PAINT.terracotta)) +
        rect(s.side > 0 ? x - w / 2 : x + w * 0.06, y - h, w * 0.44, h * 2, s.mood.ink, 0, 0.2),
    )
  )
}

function scentBottle(s: Stage, r: Random, x: number, y: number, h: number): string {
  const c = r.pick([PAINT.coral, PAINT.wattle, PAINT.leaf, PAINT.mauve])
  return (
    rect(x - h * 0.34, y - h * 0.62, h * 0.68, h * 0.62, s.lit(PAINT.cream, 0.3), h * 0.1, 0.8) +
    rect(x - h * 0.28, y - h * 0.42, h * 0.56, h * 0.37, s.tone(c), h * 0.06) +
    rect(x - h * 0.12, y - h * 0.74, h * 0.24, h * 0.13, s.tone(PAINT.straw)) +
    circle(x, y - h * 0.88, h * 0.15, s.tone(c)) +
    line(
      [
        [x + s.side * h * 0.24, y - h * 0.54],
        [x + s.side * h * 0.24, y - h * 0.12],
      ],
      s.mood.sun,
      h * 0.05,
      0.8,
    )
  )
}

function comb(s: Stage, x: number, y: number, w: number, turn: number, colour: Hex = PAINT.timber): string {
  let teeth = ''
  for (let i = 0; i < 20; i++) teeth += `M${n(-w / 2 + 8 + (i * (w - 16)) / 19)} 0v${n(w * 0.16)}`
  return group(
    `translate(${n(x)} ${n(y)}) rotate(${n(turn)})`,
    stroke(teeth, s.tone(colour), w * 0.022) +
      rect(-w / 2, -w * 0.1, w, w * 0.13, s.tone(colour), w * 0.05) +
      line(
        [
          [-w * 0.45, -w * 0.07],
          [w * 0.45, -w * 0.07],
        ],
        s.lit(colour, 0.5),
        3,
        0.8,
      ),
  )
}

const salon: Composition = {
  moods: ['morning', 'golden', 'rose', 'sage', 'dusk', 'coastal'],
  draw: (s) => {
    const r = s.random('salon')
    const u = s.u
    const floor = s.h * 0.74
    const wall = r.pick([PAINT.sand, PAINT.blush, PAINT.eucalypt, PAINT.terracotta, PAINT.cream, PAINT.teal])
    const x = s.cx - s.side * 110 * u
    let out = room(s, floor, wall, r.pick([PAINT.oak, PAINT.walnut, PAINT.stone]))
    const wx = s.cx + s.side * 330 * u
    s.sun.x = wx + 30
    s.sun.y = s.h * 0.3
    out += opening(
      s,
      arch(wx, floor - 60, 330 * u, 500 * u),
      { x: wx, y: floor - 60, w: 330 * u, h: 500 * u },
      view(s, floor - 210 * u),
      PAINT.cream,
      [2, 3],
    )
    out += lightPatch(s, wx, floor, 320 * u, s.h - floor, 0.4)
    const my = floor - 350 * u
    const R = 168 * u
    const glassy = s.linear(
      [
        [0, mix(s.mood.sky[0], s.mood.sun, 0.4)],
        [1, mix(s.mood.sky[2], s.mood.sun, 0.3)],
      ],
      [0, 0],
      [1, 1],
    )
    out +=
      circle(x - s.side * 24, my + 18, R, s.mood.shadow, 0.26) +
      circle(x, my, R, s.tone(PAINT.straw)) +
      circle(x, my, R * 0.92, glassy) +
      path(
        `M${n(x - R * 0.7)} ${n(my + R * 0.5)}L${n(x + R * 0.2)} ${n(my - R * 0.88)}l${n(R * 0.3)} ${n(R * 0.12)}L${n(x - R * 0.42)} ${n(my + R * 0.78)}Z`,
        s.mood.sun,
        0.4,
      )
    out +=
      rect(x - 190 * u, floor - 150 * u, 380 * u, 18 * u, s.tone(PAINT.timber), 4) +
      rect(x - 190 * u, floor - 134 * u, 380 * u, 10 * u, s.dim(PAINT.timber, 0.4))
    out +=
      vase(s, r, x + s.side * 140 * u, floor - 150 * u, 170 * u) +
      brushJar(s, r, x - s.side * 140 * u, floor - 150 * u, 150 * u) +
      scentBottle(s, r, x - s.side * 84 * u, floor - 150 * u, 62 * u)
    out += salonChair(
      s,
      x + s.side * 20 * u,
      s.h * 0.93,
      400 * u,
      r.pick([PAINT.waratah, PAINT.eucalypt, PAINT.walnut, PAINT.teal, PAINT.terracotta]),
    )
    out += pendant(s, x + s.side * 70, s.h * 0.17, 130 * u, r.pick([PAINT.straw, PAINT.cream, PAINT.ink]))
    return (
      out +
      potPlant(s, r, s.w / 2 - s.side * Math.min(500, s.w * 0.42), s.h * 0.95, 420 * u) +
      potPlant(s, r, s.w / 2 + s.side * Math.min(570, s.w * 0.46), s.h * 0.88, 300 * u, PAINT.cream)
    )
  },
}

function salonChair(s: Stage, x: number, y: number, h: number, leather: Hex): string {
  const c = s.tone(leather)
  const d = s.dim(leather, 0.34)
  const metal = s.tone(PAINT.iron)
  const w = h * 0.52
  const backrest = `M${n(x - w * 0.42)} ${n(y - h * 0.5)}Q${n(x - w * 0.5)} ${n(y - h * 0.98)} ${n(x - w * 0.3)} ${n(y - h)}H${n(x + w * 0.3)}Q${n(x + w * 0.5)} ${n(y - h * 0.98)} ${n(x + w * 0.42)} ${n(y - h * 0.5)}Z`
  return (
    castShadow(s, x, y, w, h * 0.9, 0.34) +
    ellipse(x, y, w * 0.46, h * 0.05, s.dim(PAINT.iron, 0.4)) +
    ellipse(x, y - h * 0.015, w * 0.44, h * 0.045, metal) +
    rect(x - w * 0.06, y - h * 0.32, w * 0.12, h * 0.31, s.dim(PAINT.iron, 0.2)) +
    path(backrest, c) +
    s.clip(
      backrest,
      rect(s.side > 0 ? x - w : x + w * 0.06, y - h, w, h, d, 0, 0.6) +
        stroke(
          `M${n(x - w * 0.14)} ${n(y - h)}V${n(y - h * 0.5)}M${n(x + w * 0.14)} ${n(y - h)}V${n(y - h * 0.5)}`,
          d,
          5,
          0.7,
        ),
    ) +
    rect(x - w * 0.5, y - h * 0.46, w, h * 0.15, c, h * 0.06) +
    rect(x - w * 0.5, y - h * 0.38, w, h * 0.07, d, h * 0.035, 0.7) +
    [-1, 1]
      .map(
        (k) =>
          rect(x + k * w * 0.5 - w * 0.09, y - h * 0.66, w * 0.18, h * 0.06, s.tone(PAINT.walnut), h * 0.03) +
          line(
            [
              [x + k * w * 0.5, y - h * 0.61],
              [x + k * w * 0.46, y - h * 0.4],
            ],
            metal,
            h * 0.025,
          ),
      )
      .join('')
  )
}

const pins: Composition = {
  moods: ['rose', 'golden', 'morning', 'sage', 'wattle', 'coastal'],
  draw: (s) => {
    const r = s.random('pins')
    const u = s.u
    const ground = r.pick([
      PAINT.blush,
      PAINT.eucalypt,
      PAINT.paper,
      PAINT.terracotta,
      PAINT.teal,
      PAINT.sand,
    ])
    let out = surface(s, r.pick(['linen', 'stone', 'linen']), ground)
    const [dx, dy] = fall(s)
    const colours = posyColours(r)
    // veil or silk across a corner
    const cloth = `M${n(s.cx - s.side * 700)} -40C${n(s.cx - s.side * 400)} ${n(s.h * 0.1)} ${n(s.cx - s.side * 330)} ${n(s.h * 0.3)} ${n(s.cx - s.side * 420)} ${n(s.h * 0.52)}S${n(s.cx - s.side * 300)} ${n(s.h * 0.8)} ${n(s.cx - s.side * 480)} ${n(s.h + 60)}H${n(s.cx - s.side * 1400)}V-40Z`
    out +=
      flatShadow(s, cloth, 14) +
      path(cloth, s.lit(PAINT.cream, 0.2), 0.92) +
      s.clip(
        cloth,
        stroke(
          [0, 1, 2, 3]
            .map(
              (i) =>
                `M${n(s.cx - s.side * (760 - i * 60))} -20C${n(s.cx - s.side * (520 - i * 40))} ${n(s.h * 0.3)} ${n(s.cx - s.side * (600 - i * 40))} ${n(s.h * 0.6)} ${n(s.cx - s.side * (640 - i * 40))} ${n(s.h + 40)}`,
            )
            .join(''),
          s.dim(PAINT.cream, 0.2),
          9,
          0.5,
        ),
      )
    out += posy(s, r, s.cx - s.side * 300 * u, s.h * 0.3, 165 * u, colours)
    // paddle brush
    const bx = s.cx + s.side * 60 * u
    const by = s.h * 0.47
    const wood = r.pick([PAINT.timber, PAINT.oak, PAINT.walnut])
    const brush = (fill: (c: Hex) => string, flat = false) =>
      rect(-24 * u, 90 * u, 48 * u, 270 * u, fill(wood), 24 * u) +
      rect(-104 * u, -210 * u, 208 * u, 320 * u, fill(wood), 92 * u) +
      (flat ? '' : rect(-84 * u, -188 * u, 168 * u, 270 * u, fill(PAINT.coral), 76 * u) + bristles(s, u))
    const turn = s.side * r.range(24, 42)
    out +=
      group(
        `translate(${n(bx + dx * 20)} ${n(by + dy * 20)}) rotate(${n(turn)})`,
        brush(() => s.mood.shadow, true),
        0.28,
      ) +
      group(
        `translate(${n(bx)} ${n(by)}) rotate(${n(turn)})`,
        brush((c) => s.tone(c)),
      )
    const combX = s.cx + s.side * 390 * u
    out +=
      group(`translate(${n(dx * 8)} ${n(dy * 8)})`, comb(s, combX, s.h * 0.26, 270 * u, s.side * 62), 0.001) +
      comb(s, combX, s.h * 0.26, 270 * u, s.side * 62, r.pick([PAINT.walnut, PAINT.wattle, PAINT.ink]))
    for (let i = 0; i < 7; i++) {
      const px = s.cx + s.side * r.range(230, 470) * u
      const py = s.h * r.range(0.56, 0.9)
      const d = 'M-5 -44V30Q0 46 5 30V-44'
      const t = r.range(-70, 70)
      out +=
        group(
          `translate(${n(px + dx * 5)} ${n(py + dy * 5)}) rotate(${n(t)})`,
          stroke(d, s.mood.shadow, 5),
          0.28,
        ) +
        group(
          `translate(${n(px)} ${n(py)}) rotate(${n(t)})`,
          stroke(d, s.tone(PAINT.straw), 4.6) + (i % 2 ? circle(0, -46, 12, s.lit(PAINT.cream, 0.4)) : ''),
        )
    }
    out += ribbon(s, r, s.cx - 470 * u, s.h * 0.84, 420 * u, colours[0] ?? PAINT.waratah, 20)
    out +=
      sprig(s, r, s.cx + s.side * 500 * u, s.h * 0.98, 330 * u, -Math.PI / 2 - s.side * 0.6) +
      flower(s, r, s.cx + s.side * 300 * u, s.h * 0.13, 44 * u, colours[1] ?? PAINT.blush) +
      flower(s, r, s.cx - s.side * 60 * u, s.h * 0.86, 36 * u, colours[2] ?? PAINT.cream, 'daisy')
    return out + dapple(s, r.pick(['leaves', 'window']))
  },
}

function bristles(s: Stage, u: number): string {
  let d = ''
  for (let i = -3; i <= 3; i++)
    for (let j = -5; j <= 2; j++)
      if (Math.hypot(i / 3.4, (j + 1.5) / 4) < 1) d += `M${n(i * 21 * u)} ${n((j * 31 + 10) * u)}h.01`
  return stroke(d, s.tone(PAINT.walnut), 9 * u)
}

export const hairdresserScenes = {
  'hair-braid-flowers': braid,
  'hair-mirror-brushes': mirror,
  'hair-salon-chair': salon,
  'hair-pins-ribbon': pins,
} as const
