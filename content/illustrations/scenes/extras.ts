import { n, type Point, polygon } from '../geometry.ts'
import { BRIGHTS, type Hex, mix, PAINT } from '../palette.ts'
import { litPane } from '../parts/buildings.ts'
import {
  balloon,
  balloonBunch,
  flowerArch,
  luggage,
  setting,
  sideTrees,
  vintageCar,
} from '../parts/celebration.ts'
import { garland, posy, posyColours } from '../parts/flowers.ts'
import { castShadow, lightPool } from '../parts/land.ts'
import { bunting, candle, festoon, glow, paperLantern } from '../parts/lights.ts'
import { couple, guests, person } from '../parts/people.ts'
import { chair } from '../parts/table.ts'
import { foreGrass, gumBranch, gumTree, roundTree } from '../parts/trees.ts'
import type { Composition } from '../stage.ts'
import { circle, ellipse, line, path, place, rect, stroke } from '../svg.ts'

const archScene: Composition = {
  moods: ['golden', 'rose', 'sage', 'morning', 'coastal', 'dusk', 'ember'],
  draw: (s) => {
    const r = s.random('arch')
    const u = s.u
    const horizon = s.h * 0.5
    const at = setting(s, r, horizon)
    const x = s.cx
    let out = at.body + sideTrees(s, r, at.coast, at.foot + 90, 560 * u)
    const foot = s.h * 0.8
    const colours = posyColours(r)
    out += path(
      polygon([
        [x - 90 * u, foot],
        [x + 90 * u, foot],
        [x + 330 * u, s.h + 20],
        [x - 330 * u, s.h + 20],
      ]),
      s.lit(PAINT.cream, 0.25),
      0.75,
    )
    for (let i = 0; i < 60; i++) {
      const t = r.next()
      const side = r.chance(0.5) ? 1 : -1
      out += ellipse(
        x + side * (90 + 240 * t) * u + r.range(-30, 30),
        foot + (s.h - foot) * t,
        4 + 5 * t,
        3 + 3 * t,
        s.tone(colours[i % colours.length] ?? PAINT.blush),
      )
    }
    out += flowerArch(s, r, x, foot, 500 * u, colours)
    if (r.chance(0.55)) out += couple(s, r, x, foot + 14, 250 * u)
    for (const z of [0.15, 0.6])
      for (const k of [-1, 1])
        for (let i = 0; i < 2; i++)
          out += chair(
            s,
            x + k * (250 + 210 * z + i * (120 + 30 * z)) * u,
            foot + 30 + (s.h * 0.98 - foot - 30) * z,
            (190 + 110 * z) * u,
            PAINT.cream,
          )
    return out + (at.coast ? '' : foreGrass(s, r, 80)) + (r.chance(0.5) ? gumBranch(s, r, s.side, 0.8) : '')
  },
}

const car: Composition = {
  moods: ['golden', 'coastal', 'sage', 'rose', 'wattle', 'dusk', 'ember', 'morning'],
  draw: (s) => {
    const r = s.random('car')
    const u = s.u
    const horizon = s.h * 0.55
    const at = setting(s, r, horizon)
    let out = at.body + sideTrees(s, r, at.coast, at.foot + 60, 600 * u, 520)
    const foot = s.h * 0.84
    out +=
      rect(0, foot - 54, s.w, 120, mix(s.tone(PAINT.stone), s.mood.ground, 0.4)) +
      rect(0, foot - 54, s.w, 7, s.mood.halo, 0, 0.5)
    let gravel = ''
    for (let i = 0; i < 120; i++) gravel += `M${n(r.next() * s.w)} ${n(foot - 44 + r.next() * 104)}h.01`
    out += stroke(gravel, s.mood.shadow, 4, 0.35)
    const x = s.cx
    const k = 1.12 * u
    out += castShadow(s, x, foot + 4, 590 * k, 260, 0.42)
    out += place(x, foot + 12, k, vintageCar(s, r), 0, r.chance(0.5))
    const colours = posyColours(r)
    out += garland(
      s,
      r,
      Array.from(
        { length: 15 },
        (_, i): Point => [x + (i - 7) * 40 * k, foot - 190 * k + 26 * Math.sin((i / 14) * Math.PI)],
      ),
      36 * k,
      0.8,
      colours,
    )
    if (r.chance(0.5)) out += couple(s, r, x + s.side * 430 * u, foot + 50, 300 * u)
    else out += luggage(s, r, x + s.side * 410 * u, foot + 46, 150 * u)
    if (r.chance(0.5)) out += bunting(s, r, [-20, s.h * 0.08], [s.w + 20, s.h * 0.12], 90, 40)
    return out + foreGrass(s, r, 120) + gumBranch(s, r, -s.side as -1 | 1, 0.85)
  },
}

const photoBooth: Composition = {
  moods: ['dusk', 'golden', 'night', 'rose', 'ember', 'sage', 'wattle'],
  draw: (s) => {
    const r = s.random('booth')
    const u = s.u
    const horizon = s.h * 0.55
    const at = setting(s, r, horizon, r.int(1, 2))
    let out = at.body + sideTrees(s, r, false, at.foot + 80, 600 * u, 530)
    const foot = s.h * 0.9
    const x = s.cx - s.side * 60 * u
    const w = 430 * u
    const h = 560 * u
    const paint = r.pick([PAINT.waratah, PAINT.teal, PAINT.eucalypt, PAINT.cream, PAINT.terracotta])
    const drape: Hex =
      paint === PAINT.waratah
        ? r.pick([PAINT.wattle, PAINT.leaf])
        : r.pick([PAINT.wattle, PAINT.blush, PAINT.waratah])
    out += lightPool(s, x, foot + 10, w, 60, 1) + castShadow(s, x, foot, w, 440, 0.4)
    out +=
      rect(x - w / 2, foot - h, w, h, s.tone(paint), 10) +
      rect(s.side > 0 ? x - w / 2 : x + w * 0.38, foot - h, w * 0.12, h, s.mood.ink, 8, 0.2)
    out += rect(x - w * 0.56, foot - h - 46 * u, w * 1.12, 84 * u, s.dim(paint, 0.2), 12)
    for (let i = 0; i < 11; i++)
      out +=
        glow(s, x - w * 0.5 + i * w * 0.1, foot - h - 4 * u, 26 * u) +
        circle(x - w * 0.5 + i * w * 0.1, foot - h - 4 * u, 9 * u, '#FFE9B4')
    const dx = x - s.side * w * 0.06
    const dw = w * 0.56
    const top = foot - h * 0.86
    out += rect(dx - dw / 2, top, dw, foot - top - 26 * u, litPane(s))
    const d = `M${n(dx - dw / 2)} ${n(top)}h${n(dw)}v${n(h * 0.52)}q${n(-dw * 0.12)} ${n(18 * u)} ${n(-dw * 0.25)} 0t${n(-dw * 0.25)} 0t${n(-dw * 0.25)} 0t${n(-dw * 0.25)} 0Z`
    let folds = ''
    for (let i = 1; i < 8; i++)
      folds += `M${n(dx - dw / 2 + (i * dw) / 8)} ${n(top)}q${n(r.range(-10, 10))} ${n(h * 0.25)} 0 ${n(h * 0.52)}`
    // the joke: two pairs of legs below the curtain
    for (const [k, c] of [
      [-0.26, PAINT.ink],
      [-0.12, PAINT.ink],
      [0.1, PAINT.timber],
      [0.22, PAINT.timber],
    ] as const)
      out +=
        line(
          [
            [dx + k * dw, top + h * 0.5],
            [dx + k * dw, foot - 34 * u],
          ],
          s.tone(c),
          17 * u,
        ) +
        line(
          [
            [dx + k * dw, foot - 32 * u],
            [dx + k * dw + 16 * u, foot - 32 * u],
          ],
          s.dim(PAINT.walnut, 0.3),
          13 * u,
        )
    out += path(d, s.tone(drape)) + s.clip(d, stroke(folds, s.dim(drape, 0.35), 9 * u, 0.4))
    const fx = x + s.side * w * 0.36
    out += rect(fx - 42 * u, foot - h * 0.78, 84 * u, 250 * u, s.dim(PAINT.ink, 0.1), 6)
    for (let i = 0; i < 4; i++)
      out +=
        rect(
          fx - 32 * u,
          foot - h * 0.76 + i * 60 * u,
          64 * u,
          52 * u,
          s.tone(BRIGHTS[i % BRIGHTS.length] ?? PAINT.wattle),
          3,
        ) +
        circle(fx - 11 * u, foot - h * 0.76 + i * 60 * u + 26 * u, 12 * u, s.tone(PAINT.oak)) +
        circle(fx + 12 * u, foot - h * 0.76 + i * 60 * u + 28 * u, 12 * u, s.tone(PAINT.walnut))
    out += guests(s, r, [
      [x + s.side * 400 * u, foot + 14, 340 * u],
      [x + s.side * 480 * u, foot + 8, 348 * u],
      [x - s.side * 410 * u, foot, 330 * u],
    ])
    out +=
      festoon(s, [-20, s.h * 0.12], [x - w * 0.5, foot - h - 46 * u], 40, 46, 9) +
      festoon(s, [x + w * 0.5, foot - h - 46 * u], [s.w + 20, s.h * 0.12], 40, 46, 9)
    return out + balloonBunch(s, r, x - s.side * w * 0.56, foot - h * 0.9, 54 * u, 5, foot)
  },
}

const balloons: Composition = {
  moods: ['sage', 'morning', 'rose', 'golden', 'coastal', 'wattle', 'dusk'],
  draw: (s) => {
    const r = s.random('balloons')
    const u = s.u
    const horizon = s.h * 0.6
    const at = setting(s, r, horizon)
    let out = at.body + sideTrees(s, r, at.coast, at.foot + 60, 480 * u, 500)
    const foot = s.h * 0.9
    const style = r.int(0, 1)
    if (style === 0) {
      const x = s.cx - s.side * 60 * u
      out +=
        person(s, r, x, foot, 330 * u, { outfit: r.pick(['dress', 'shirt']), pose: 'up', facing: s.side }) +
        balloonBunch(s, r, x + s.side * 150 * u, s.h * 0.3, 70 * u, 13, foot - 330 * u, x + s.side * 62 * u)
      out += guests(s, r, [
        [x + s.side * 330 * u, foot - 40, 290 * u],
        [x + s.side * 400 * u, foot - 30, 298 * u],
        [x - s.side * 300 * u, foot - 30, 300 * u],
      ])
    } else {
      // an arch of balloons over a cloth
      const x = s.cx
      const colours = r.shuffle<Hex>([
        PAINT.waratah,
        PAINT.wattle,
        PAINT.coral,
        PAINT.cream,
        PAINT.teal,
        PAINT.blush,
      ])
      const w = 560 * u
      out += castShadow(s, x, foot, w, 260)
      for (let i = 0; i < 46; i++) {
        const a = Math.PI * (1 + i / 45)
        const R = w / 2 + r.range(-30, 36) * u
        const size = r.range(24, 58) * u
        const by = foot - 250 * u + Math.sin(a) * R * 1.02
        out += balloon(s, x + Math.cos(a) * R, by, size, colours[i % 5] ?? PAINT.coral)
      }
      for (const k of [-1, 1])
        for (let i = 0; i < 8; i++)
          out += balloon(
            s,
            x + k * (w / 2 + r.range(-34, 34) * u),
            foot - 240 * u + i * 33 * u,
            r.range(26, 54) * u,
            colours[(i + 2) % 5] ?? PAINT.wattle,
          )
      out += couple(s, r, x, foot + 6, 300 * u)
    }
    for (let i = 0; i < 4; i++) {
      const bx = s.cx + r.range(-0.5, 0.5) * Math.min(s.w, 1400)
      const by = s.h * r.range(0.08, 0.3)
      out +=
        stroke(`M${n(bx)} ${n(by + 34)}q10 40 -4 80`, s.dim(PAINT.paper, 0.2), 2, 0.7) +
        balloon(s, bx, by, r.range(18, 30) * u, r.pick(BRIGHTS))
    }
    return out + foreGrass(s, r, 120)
  },
}

const lanterns: Composition = {
  moods: ['dusk', 'night', 'night', 'ember', 'rose'],
  draw: (s) => {
    const r = s.random('lanterns')
    const u = s.u
    const horizon = s.h * 0.58
    const at = setting(s, r, horizon)
    let out = at.body
    const x = s.cx + s.side * 220 * u
    out += r.chance(0.6)
      ? roundTree(s, r, x, s.h * 0.82, 820 * u, r.pick([PAINT.gum, PAINT.mauve, PAINT.olive]))
      : gumTree(s, r, x, s.h * 0.82, 860 * u)
    out += lightPool(s, s.cx, s.h * 0.84, 520 * u, 110, 1)
    const paints = r.pick<readonly Hex[]>([
      [PAINT.cream, PAINT.wattle, PAINT.cream],
      [PAINT.coral, PAINT.cream, PAINT.wattle],
      [PAINT.blush, PAINT.cream, PAINT.waratah],
    ])
    for (let i = 0; i < 13; i++) {
      const lx = s.cx + (i - 6) * 110 * u + r.range(-24, 24)
      const ly = s.h * r.range(0.2, 0.54)
      out += paperLantern(
        s,
        lx,
        ly,
        r.range(28, 58) * u,
        paints[i % 3] ?? PAINT.cream,
        Math.max(-10, ly - r.range(140, 300)),
      )
    }
    out += guests(
      s,
      r,
      [
        [s.cx - s.side * 250 * u, s.h * 0.85, 270 * u],
        [s.cx - s.side * 180 * u, s.h * 0.86, 276 * u],
        [s.cx + s.side * 60 * u, s.h * 0.88, 290 * u],
      ],
      0.15,
    )
    for (let i = 0; i < 7; i++) {
      const lx = s.cx + (i - 3) * 170 * u + r.range(-20, 20)
      const ly = s.h * (0.93 + 0.03 * (i % 2))
      const k = 44 * u
      out +=
        glow(s, lx, ly - k, k * 3) +
        rect(lx - k * 0.6, ly - k * 1.7, k * 1.2, k * 1.7, litPane(s), 5) +
        stroke(
          `M${n(lx - k * 0.6)} ${n(ly)}v${n(-k * 1.7)}h${n(k * 1.2)}v${n(k * 1.7)}ZM${n(lx)} ${n(ly - k * 1.7)}V${n(ly)}M${n(lx - k * 0.34)} ${n(ly - k * 1.7)}q${n(k * 0.34)} ${n(-k)} ${n(k * 0.68)} 0`,
          s.dim(PAINT.ink, 0.3),
          k * 0.11,
        ) +
        candle(s, lx, ly - 3, k * 0.7)
    }
    return out + foreGrass(s, r, 100)
  },
}

const lectern: Composition = {
  moods: ['golden', 'coastal', 'morning', 'sage', 'rose', 'dusk'],
  draw: (s) => {
    const r = s.random('lectern')
    const u = s.u
    const horizon = s.h * 0.53
    const at = setting(s, r, horizon)
    let out = at.body + sideTrees(s, r, at.coast, at.foot + 70, 600 * u, 500)
    const foot = s.h * 0.86
    const x = s.cx - s.side * 40 * u
    const colours = posyColours(r)
    if (r.chance(0.6)) out += flowerArch(s, r, x, foot - 40, 560 * u, colours, r.int(0, 1))
    out += person(s, r, x + s.side * 14 * u, foot - 12, 420 * u, {
      outfit: r.pick(['suit', 'dress', 'gown']),
      pose: 'reach',
      facing: -s.side as -1 | 1,
    })
    const w = 170 * u
    const h = 250 * u
    const lx = x - s.side * 70 * u
    const wood = r.pick([PAINT.timber, PAINT.oak, PAINT.walnut, PAINT.cream])
    const d = polygon([
      [lx - w * 0.4, foot],
      [lx - w * 0.5, foot - h],
      [lx + w * 0.5, foot - h],
      [lx + w * 0.4, foot],
    ])
    out +=
      castShadow(s, lx, foot, w, 360) +
      path(d, s.tone(wood)) +
      s.clip(
        d,
        rect(s.side > 0 ? lx - w : lx, foot - h, w, h, s.mood.ink, 0, 0.16) +
          stroke(
            `M${n(lx - w * 0.16)} ${n(foot - h)}V${n(foot)}M${n(lx + w * 0.16)} ${n(foot - h)}V${n(foot)}`,
            s.dim(wood, 0.4),
            3,
            0.6,
          ),
      ) +
      path(
        polygon([
          [lx - w * 0.62, foot - h + 8],
          [lx - w * 0.52, foot - h - 34 * u],
          [lx + w * 0.52, foot - h - 34 * u],
          [lx + w * 0.62, foot - h + 8],
        ]),
        s.lit(wood, 0.3),
      ) +
      path(
        polygon([
          [lx - w * 0.36, foot - h - 6],
          [lx - w * 0.3, foot - h - 40 * u],
          [lx + w * 0.3, foot - h - 40 * u],
          [lx + w * 0.36, foot - h - 6],
        ]),
        s.lit(PAINT.cream, 0.4),
      )
    out +=
      posy(s, r, lx, foot - h * 0.72, 74 * u, colours) +
      garland(
        s,
        r,
        Array.from({ length: 6 }, (_, i): Point => [lx + s.side * 10 * u, foot - h * 0.6 + i * 26 * u]),
        40 * u,
        0.5,
        colours,
      )
    out += couple(s, r, x - s.side * 300 * u, foot + 40, 400 * u)
    const mx = lx - s.side * 8
    out +=
      stroke(
        `M${n(mx)} ${n(foot - h - 30 * u)}q${n(-s.side * 10)} ${n(-50 * u)} ${n(s.side * 24 * u)} ${n(-70 * u)}`,
        s.dim(PAINT.ink, 0.1),
        5,
      ) + circle(mx + s.side * 26 * u, foot - h - 104 * u, 9 * u, s.tone(PAINT.ink))
    for (let i = 0; i < 4; i++)
      out += chair(
        s,
        x + s.side * (260 + i * 120) * u,
        s.h * (0.92 + 0.02 * i),
        (230 + 20 * i) * u,
        PAINT.cream,
      )
    return out + foreGrass(s, r, 90) + (r.chance(0.5) ? gumBranch(s, r, s.side, 0.8) : '')
  },
}

export const extraScenes = {
  'extra-flower-arch': archScene,
  'extra-vintage-car': car,
  'extra-photo-booth': photoBooth,
  'extra-balloons': balloons,
  'extra-lanterns': lanterns,
  'extra-lectern': lectern,
} as const
