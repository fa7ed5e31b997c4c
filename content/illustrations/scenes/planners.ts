import { n, type Point, polygon } from '../geometry.ts'
import { BRIGHTS, type Hex, mix, PAINT } from '../palette.ts'
import { smallPicture } from '../parts/cameras.ts'
import { welcomeBoard } from '../parts/celebration.ts'
import { cup, dapple, flatShadow, pen, ribbon, sheet, surface, writing } from '../parts/flatlay.ts'
import { flower, garland, posy, posyColours, sprig, vase } from '../parts/flowers.ts'
import { ground, hill, lightPool, ranges, water } from '../parts/land.ts'
import { festoon } from '../parts/lights.ts'
import { guests } from '../parts/people.ts'
import { ledge, ledgeShadow, lightPatch, potPlant, room } from '../parts/room.ts'
import { sky } from '../parts/sky.ts'
import { chair } from '../parts/table.ts'
import { foreGrass, gumBranch, gumTree, norfolkPine, roundTree } from '../parts/trees.ts'
import type { Composition } from '../stage.ts'
import { circle, line, path, rect, ring, stroke } from '../svg.ts'

type Surface = readonly ['linen' | 'planks' | 'stone' | 'plaster', Hex]

const SURFACES: readonly [Surface, ...Surface[]] = [
  ['linen', PAINT.eucalypt],
  ['planks', PAINT.oak],
  ['stone', PAINT.paper],
  ['linen', PAINT.terracotta],
  ['plaster', PAINT.teal],
  ['linen', PAINT.blush],
  ['planks', PAINT.walnut],
  ['plaster', PAINT.wattle],
]

const runSheet: Composition = {
  moods: ['morning', 'golden', 'sage', 'rose', 'wattle', 'coastal'],
  draw: (s) => {
    const r = s.random('sheet')
    const u = s.u
    const [kind, colour] = r.pick(SURFACES)
    let out = surface(s, kind, colour)
    const ink = s.tone(PAINT.ink)
    const x = s.cx - s.side * 60 * u
    const y = s.h * 0.52
    out += sheet(s, x + s.side * 250 * u, y - 60 * u, 420 * u, 560 * u, s.side * 14, PAINT.sand, '', 8)
    const w = 500 * u
    const h = 680 * u
    let body =
      rect(-w * 0.4, -h * 0.43, w * 0.5, 16 * u, s.tone(PAINT.waratah), 4) +
      rect(-w * 0.4, -h * 0.38, w * 0.3, 8 * u, ink, 4, 0.5)
    for (let i = 0; i < 8; i++) {
      const ly = -h * 0.27 + i * h * 0.085
      const c = s.tone(BRIGHTS[(i + r.int(0, 1)) % BRIGHTS.length] ?? PAINT.wattle)
      body +=
        circle(-w * 0.36, ly, 12 * u, i < 4 ? c : 'none') +
        ring(-w * 0.36, ly, 12 * u, c, 4) +
        writing(r, -w * 0.28, ly - 5, w * 0.2, 1, 0, ink, 6 * u) +
        writing(r, -w * 0.02, ly - 5, w * 0.4, 2, 15 * u, ink, 4 * u)
      if (i < 7)
        body += line(
          [
            [-w * 0.36, ly + 14 * u],
            [-w * 0.36, ly + h * 0.085 - 14 * u],
          ],
          c,
          3,
        )
      if (i < 4)
        body += stroke(
          `M${n(-w * 0.36 - 6 * u)} ${n(ly)}l${n(5 * u)} ${n(5 * u)}l${n(9 * u)} ${n(-10 * u)}`,
          s.lit(PAINT.cream, 0.3),
          3.4,
        )
    }
    out += sheet(
      s,
      x,
      y,
      w,
      h,
      -s.side * r.range(3, 9),
      PAINT.cream,
      body +
        rect(-60 * u, -h / 2 - 16 * u, 120 * u, 38 * u, s.tone(PAINT.straw), 8) +
        rect(-60 * u, -h / 2 + 4 * u, 120 * u, 10 * u, s.dim(PAINT.straw, 0.3), 4),
      12,
    )
    out += pen(
      s,
      x + s.side * 210 * u,
      y + 130 * u,
      340 * u,
      -s.side * 62,
      r.pick([PAINT.waratah, PAINT.ink, PAINT.teal]),
    )
    out += cup(
      s,
      x + s.side * 430 * u,
      s.h * 0.26,
      92 * u,
      r.pick([PAINT.cream, PAINT.terracotta, PAINT.teal, PAINT.blush]),
    )
    out +=
      posy(s, r, x - s.side * 410 * u, s.h * 0.2, 130 * u) +
      sprig(s, r, x - s.side * 470 * u, s.h * 0.98, 380 * u, -1.57 + s.side * 0.4)
    const bx = x + s.side * 440 * u
    out += sheet(
      s,
      bx,
      s.h * 0.78,
      230 * u,
      160 * u,
      s.side * 8,
      r.pick(BRIGHTS),
      path(`M${n(-115 * u)} ${n(-80 * u)}L0 ${n(14 * u)}L${n(115 * u)} ${n(-80 * u)}Z`, s.mood.ink, 0.18) +
        circle(0, 10 * u, 18 * u, s.tone(PAINT.wattle)),
      8,
    )
    return out + dapple(s, r.pick(['leaves', 'leaves', 'window']))
  },
}

const moodBoard: Composition = {
  moods: ['morning', 'golden', 'rose', 'sage', 'dusk', 'coastal'],
  draw: (s) => {
    const r = s.random('board')
    const u = s.u
    const y = s.h * 0.83
    const wall = r.pick([PAINT.sand, PAINT.blush, PAINT.eucalypt, PAINT.teal, PAINT.terracotta, PAINT.leaf])
    let out =
      room(s, y + 6, wall, PAINT.oak, false) + lightPatch(s, s.cx - s.side * 60, 20, 640, s.h * 0.7, 0.22)
    const w = Math.min(s.w * 0.84, 920 * u)
    const h = s.h * 0.7
    const x = s.cx
    const by = s.h * 0.42
    out +=
      rect(x - w / 2 - s.side * 22, by - h / 2 + 20, w, h, s.mood.shadow, 6, 0.28) +
      rect(x - w / 2, by - h / 2, w, h, s.tone(PAINT.walnut), 6) +
      rect(x - w / 2 + 14, by - h / 2 + 14, w - 28, h - 28, s.tone('#DDB98A'), 3)
    let cork = ''
    for (let i = 0; i < 260; i++)
      cork += `M${n(x + r.range(-0.48, 0.48) * w)} ${n(by + r.range(-0.47, 0.47) * h)}h.01`
    out += stroke(cork, s.dim('#B98A58', 0.2), 4, 0.4)
    const scheme = r.pick<readonly Hex[]>([
      [PAINT.waratah, PAINT.blush, PAINT.cream, PAINT.eucalypt],
      [PAINT.teal, PAINT.sand, PAINT.coral, PAINT.cream],
      [PAINT.wattle, PAINT.terracotta, PAINT.cream, PAINT.olive],
      [PAINT.mauve, PAINT.cream, PAINT.gum, PAINT.wattle],
    ])
    const cols = 4
    const rows = 3
    const cw = (w - 70) / cols
    const ch = (h - 60) / rows
    const kinds = r.shuffle([0, 1, 2, 0, 3, 0, 1, 4, 5, 0, 2, 3])
    const pinsAt: Point[] = []
    for (let i = 0; i < cols * rows; i++) {
      const px = x - w / 2 + 35 + ((i % cols) + 0.5) * cw + r.range(-10, 10)
      const py = by - h / 2 + 30 + (Math.floor(i / cols) + 0.5) * ch + r.range(-8, 8)
      const turn = r.range(-7, 7)
      const k = kinds[i]
      const c = scheme[i % 4] ?? PAINT.cream
      if (k === 0)
        out += sheet(
          s,
          px,
          py,
          cw * 0.86,
          ch * 0.9,
          turn,
          PAINT.cream,
          smallPicture(s, r, cw * 0.76, ch * 0.78),
          6,
        )
      else if (k === 1)
        out += sheet(
          s,
          px,
          py,
          cw * 0.74,
          ch * 0.9,
          turn,
          PAINT.cream,
          scheme
            .map((p, j) => rect(-cw * 0.32, -ch * 0.4 + j * ch * 0.2, cw * 0.64, ch * 0.18, s.tone(p), 3))
            .join(''),
          6,
        )
      else if (k === 2) {
        const d = polygon([
          [px - cw * 0.36, py - ch * 0.38],
          [px + cw * 0.34, py - ch * 0.42],
          [px + cw * 0.38, py + ch * 0.36],
          [px, py + ch * 0.42],
          [px - cw * 0.34, py + ch * 0.36],
        ])
        let weave = ''
        for (let j = -8; j < 9; j++)
          weave += `M${n(px - cw * 0.4)} ${n(py + j * 16)}l${n(cw * 0.8)} ${n(r.range(-4, 4))}`
        out += flatShadow(s, d, 7) + path(d, s.tone(c)) + s.clip(d, stroke(weave, s.dim(c, 0.25), 3, 0.4))
      } else if (k === 3) out += posy(s, r, px, py, Math.min(cw, ch) * 0.36, scheme)
      else if (k === 4)
        out += sheet(
          s,
          px,
          py,
          cw * 0.66,
          ch * 0.84,
          turn,
          c,
          rect(-cw * 0.27, -ch * 0.36, cw * 0.54, ch * 0.72, s.lit(PAINT.cream, 0.2), 3) +
            flower(s, r, 0, -ch * 0.14, ch * 0.12, scheme[0] ?? PAINT.coral) +
            writing(r, -cw * 0.16, ch * 0.06, cw * 0.32, 4, 15 * u, s.tone(PAINT.ink), 4 * u),
          6,
        )
      else out += sprig(s, r, px - cw * 0.1, py + ch * 0.4, ch * 0.8, -1.4)
      pinsAt.push([px, py - ch * 0.4])
    }
    out += stroke(
      `M${n(pinsAt[0]?.[0] ?? 0)} ${n(pinsAt[0]?.[1] ?? 0)}L${n(pinsAt[5]?.[0] ?? 0)} ${n(pinsAt[5]?.[1] ?? 0)}L${n(pinsAt[3]?.[0] ?? 0)} ${n(pinsAt[3]?.[1] ?? 0)}L${n(pinsAt[10]?.[0] ?? 0)} ${n(pinsAt[10]?.[1] ?? 0)}`,
      s.tone(PAINT.waratah),
      3.4,
      0.9,
    )
    for (const [px, py] of pinsAt)
      out +=
        circle(px - s.side * 5, py + 5, 9 * u, s.mood.shadow, 0.3) +
        circle(px, py, 9 * u, s.tone(r.pick([PAINT.waratah, PAINT.wattle, PAINT.teal]))) +
        circle(px + s.side * 3, py - 3, 3 * u, s.mood.sun, 0.8)
    out += ledge(s, y, 50, PAINT.oak)
    const vx = s.cx - s.side * Math.min(450, s.w * 0.38)
    out += ledgeShadow(s, vx, y + 34, 70, 160) + vase(s, r, vx, y + 38, 270 * u)
    const px = s.cx + s.side * Math.min(480, s.w * 0.4)
    return out + potPlant(s, r, px, y + 36, 300 * u)
  },
}

const seatingChart: Composition = {
  moods: ['golden', 'sage', 'rose', 'morning', 'wattle', 'coastal'],
  draw: (s) => {
    const r = s.random('seats')
    const u = s.u
    const [kind, colour] = r.pick(SURFACES)
    let out = surface(s, kind, colour)
    const w = 800 * u
    const h = 560 * u
    const scheme = posyColours(r)
    const inkLine = s.tone(PAINT.eucalypt)
    let plan =
      rect(-w * 0.46, -h * 0.44, w * 0.92, h * 0.88, 'none') +
      stroke(
        `M${n(-w * 0.46)} ${n(-h * 0.43)}H${n(w * 0.46)}V${n(h * 0.43)}H${n(w * 0.1)}M${n(-w * 0.1)} ${n(h * 0.43)}H${n(-w * 0.46)}Z`,
        inkLine,
        4,
        0.7,
      ) +
      rect(-w * 0.2, -h * 0.4, w * 0.4, h * 0.1, s.tone(scheme[0] ?? PAINT.coral), 5, 0.85)
    const layout = r.pick<readonly (readonly [number, number])[]>([
      [
        [-0.32, -0.1],
        [0, -0.12],
        [0.32, -0.1],
        [-0.32, 0.24],
        [0, 0.24],
        [0.32, 0.24],
      ],
      [
        [-0.34, -0.16],
        [0.34, -0.16],
        [-0.17, 0.08],
        [0.17, 0.08],
        [-0.34, 0.3],
        [0.34, 0.3],
      ],
    ])
    layout.forEach(([a, b], i) => {
      const R = h * 0.092
      const paint = scheme[i % scheme.length] ?? PAINT.blush
      const c = s.tone(paint === PAINT.cream ? PAINT.leaf : paint)
      for (let k = 0; k < 8; k++)
        plan +=
          circle(
            a * w + Math.cos(k * 0.785) * R * 1.36,
            b * h + Math.sin(k * 0.785) * R * 1.36,
            R * 0.24,
            k < 5 + (i % 4) ? inkLine : 'none',
          ) +
          ring(
            a * w + Math.cos(k * 0.785) * R * 1.36,
            b * h + Math.sin(k * 0.785) * R * 1.36,
            R * 0.24,
            inkLine,
            2.4,
          )
      plan +=
        circle(a * w, b * h, R, c) +
        writing(r, a * w - R * 0.4, b * h - 4, R * 0.8, 2, 11 * u, s.tone(PAINT.ink), 4 * u)
    })
    const x = s.cx
    const y = s.h * 0.5
    out += sheet(s, x, y, w, h, -s.side * r.range(2, 7), PAINT.cream, plan, 12)
    // name cards that still need a place
    for (let i = 0; i < 7; i++) {
      const cx = x + (i - 3) * 150 * u + r.range(-20, 20)
      const cy = i % 2 ? s.h * 0.93 : s.h * 0.075
      const c = scheme[i % scheme.length] ?? PAINT.blush
      out += sheet(
        s,
        cx,
        cy,
        128 * u,
        76 * u,
        r.range(-16, 16),
        PAINT.paper,
        rect(-64 * u, -38 * u, 128 * u, 13 * u, s.tone(c), 3) +
          writing(r, -38 * u, 4 * u, 76 * u, 2, 14 * u, s.tone(PAINT.ink), 5 * u),
        8,
      )
    }
    out += pen(
      s,
      x + s.side * 300 * u,
      y + 150 * u,
      330 * u,
      -s.side * 48,
      r.pick([PAINT.waratah, PAINT.teal, PAINT.ink]),
    )
    const far = Math.min(520 * u + (s.w - 1200) * 0.2, s.w * 0.47)
    out +=
      cup(s, x - s.side * far, s.h * 0.26, 76 * u, r.pick([PAINT.cream, PAINT.terracotta, PAINT.teal])) +
      posy(s, r, x + s.side * far, s.h * 0.2, 140 * u, scheme) +
      ribbon(s, r, x - s.side * far - 120, s.h * 0.8, 300 * u, scheme[0] ?? PAINT.waratah, 16)
    return out + dapple(s, r.pick(['leaves', 'leaves', 'window']))
  },
}

const welcomeSign: Composition = {
  moods: ['golden', 'sage', 'rose', 'morning', 'coastal', 'dusk'],
  draw: (s) => {
    const r = s.random('sign')
    const u = s.u
    const horizon = s.h * 0.54
    let out = sky(s, { horizon })
    const coast = r.chance(0.4)
    out += coast
      ? hill(s, {
          name: 'f',
          base: horizon,
          rise: 80,
          colour: s.mood.land[0],
          bottom: horizon + 20,
          length: 1200,
        }) +
        water(s, horizon, horizon + 100) +
        ground(s, horizon + 90, mix(s.tone(PAINT.sand), s.mood.ground, 0.4), false)
      : ranges(s, horizon, 150) + ground(s, horizon)
    const g = coast ? horizon + 90 : horizon
    const ax = s.cx + s.side * 250 * u
    out += coast
      ? norfolkPine(s, r, ax + s.side * 270 * u, g + 60, 540 * u, 0.1)
      : r.chance(0.5)
        ? gumTree(s, r, ax + s.side * 250 * u, g + 70, 580 * u, 0.1)
        : roundTree(s, r, ax + s.side * 250 * u, g + 80, 560 * u, r.pick([PAINT.mauve, PAINT.gum]), 0.05)
    const colours = posyColours(r)
    const aisle = polygon([
      [ax - 26 * u, g + 46],
      [ax + 26 * u, g + 46],
      [s.cx + 300 * u, s.h + 20],
      [s.cx - 250 * u, s.h + 20],
    ])
    out += path(aisle, s.lit(PAINT.cream, 0.3), 0.7)
    const hoop: Point[] = Array.from({ length: 25 }, (_, i) => {
      const a = Math.PI * (0.86 + (i / 24) * 1.28)
      return [ax + Math.cos(a) * 118 * u, g - 52 * u + Math.sin(a) * 118 * u]
    })
    out += garland(s, r, hoop, 40 * u, 0.8, colours)
    out += guests(s, r, [
      [ax - 15 * u, g + 52, 128 * u],
      [ax + 24 * u, g + 54, 132 * u],
    ])
    for (const z of [0.3, 0.52, 0.86])
      for (const k of [-1, 1])
        for (let i = 0; i < 2; i++) {
          const cx = ax + (s.cx - ax + 25) * z + k * (70 + 250 * z + i * (70 + 90 * z)) * u
          out += chair(s, cx, g + 46 + (s.h - g - 40) * z * 0.84, (110 + 230 * z) * u, PAINT.cream)
        }
    const x = s.cx - s.side * 240 * u
    out += welcomeBoard(s, r, x, s.h * 0.95, 660 * u, colours)
    if (r.chance(0.6)) out += festoon(s, [-20, s.h * 0.1], [s.w + 20, s.h * 0.06], 110, 56, 10)
    out += lightPool(s, x, s.h * 0.95, 200 * u, 40, 0.6)
    return out + foreGrass(s, r, 110) + (coast ? '' : gumBranch(s, r, -s.side as -1 | 1, 0.8))
  },
}

export const plannerScenes = {
  'planner-run-sheet': runSheet,
  'planner-mood-board': moodBoard,
  'planner-seating-chart': seatingChart,
  'planner-welcome-sign': welcomeSign,
} as const
