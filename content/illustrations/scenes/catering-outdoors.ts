import { n } from '../geometry.ts'
import { mix, PAINT } from '../palette.ts'
import { vase } from '../parts/flowers.ts'
import { castShadow, ground, hill, lightPool, ranges, water } from '../parts/land.ts'
import { bunting, festoon, flame, glow } from '../parts/lights.ts'
import { guests, person } from '../parts/people.ts'
import { sky } from '../parts/sky.ts'
import { bottle, glass } from '../parts/table.ts'
import { foreGrass, gumTree, leaf, roundTree } from '../parts/trees.ts'
import type { Composition } from '../stage.ts'
import { circle, ellipse, line, path, rect, ring, stroke } from '../svg.ts'

export const paella: Composition = {
  moods: ['dusk', 'night', 'ember', 'golden', 'wattle'],
  draw: (s) => {
    const r = s.random('fire')
    const u = s.u
    const horizon = s.h * 0.48
    let out = sky(s, { horizon })
    const coast = r.chance(0.45)
    out += coast
      ? hill(s, {
          name: 'f',
          base: horizon,
          rise: 80,
          colour: s.mood.land[0],
          bottom: horizon + 20,
          length: 1200,
        }) + water(s, horizon, horizon + 110)
      : ranges(s, horizon, 140)
    out += ground(
      s,
      coast ? horizon + 96 : horizon,
      coast ? mix(s.mood.ground, s.tone(PAINT.sand), 0.5) : s.mood.ground,
      !coast,
    )
    out += gumTree(s, r, s.cx + s.side * 470 * u, s.h * 0.7, 640 * u)
    const x = s.cx - s.side * 60 * u
    const y = s.h * 0.7
    out += guests(s, r, [
      [x - s.side * 430 * u, s.h * 0.76, 250 * u],
      [x - s.side * 360 * u, s.h * 0.765, 256 * u],
      [x + s.side * 330 * u, s.h * 0.72, 220 * u],
    ])
    out += person(s, r, x + s.side * 150 * u, y + 56 * u, 400 * u, {
      outfit: 'shirt',
      pose: 'reach',
      facing: -s.side as -1 | 1,
      colour: r.pick([PAINT.cream, PAINT.waratah, PAINT.teal]),
    })
    const w = 640 * u
    const fy = s.h * 0.93
    out += lightPool(s, x, fy, w * 0.8, 90, 1) + glow(s, x, fy - 60, w * 0.5, 1)
    for (let i = 0; i < 9; i++)
      out += line(
        [
          [x + (i - 4) * 46 * u - 40, fy + r.range(-8, 12)],
          [x + (i - 4) * 34 * u + 50, fy - r.range(10, 40)],
        ],
        s.dim(PAINT.walnut, r.range(0.1, 0.5)),
        22 * u,
      )
    for (let i = 0; i < 11; i++) {
      const fx = x + (i - 5) * 44 * u + r.range(-10, 10)
      const k = r.range(38, 74) * u * (1 - Math.abs(i - 5) / 9)
      out +=
        path(flame(fx, fy - 18, k), '#EE7A35', 0.95) +
        path(flame(fx, fy - 14, k * 0.64), '#F8B545') +
        path(flame(fx, fy - 12, k * 0.3), '#FFF0BE')
    }
    for (const k of [-0.36, 0, 0.36])
      out += line(
        [
          [x + k * w, y + 26 * u],
          [x + k * w * 1.14, fy + 12],
        ],
        s.dim(PAINT.ink, 0.4),
        12 * u,
      )
    // the pan
    const ry = w * 0.15
    out += stroke(
      `M${n(x - w / 2)} ${n(y)}q${n(-70 * u)} ${n(-4)} ${n(-66 * u)} ${n(22 * u)}M${n(x + w / 2)} ${n(y)}q${n(70 * u)} ${n(-4)} ${n(66 * u)} ${n(22 * u)}`,
      s.dim(PAINT.ink, 0.2),
      15 * u,
    )
    out +=
      path(
        `M${n(x - w / 2)} ${n(y)}Q${n(x - w * 0.46)} ${n(y + ry * 1.5)} ${n(x)} ${n(y + ry * 1.56)}Q${n(x + w * 0.46)} ${n(y + ry * 1.5)} ${n(x + w / 2)} ${n(y)}Z`,
        s.dim(PAINT.ink, 0.3),
      ) +
      ellipse(x, y, w / 2, ry, s.dim(PAINT.iron, 0.4)) +
      ellipse(x, y + 3, w * 0.47, ry * 0.9, s.tone(PAINT.wattle)) +
      ellipse(x + s.side * w * 0.1, y - 4, w * 0.32, ry * 0.5, s.lit(PAINT.wattle, 0.35), 0.7)
    let rice = ''
    for (let i = 0; i < 160; i++) {
      const a = r.range(0, 6.28)
      const k = Math.sqrt(r.next())
      rice += `M${n(x + Math.cos(a) * k * w * 0.45)} ${n(y + 3 + Math.sin(a) * k * ry * 0.84)}l${n(r.range(-6, 6))} 2`
    }
    out += stroke(rice, s.dim(PAINT.terracotta, 0.05), 3.4, 0.6)
    for (let i = 0; i < 22; i++) {
      const a = i * 2.4
      const k = Math.sqrt((i + 1) / 24)
      const px = x + Math.cos(a) * k * w * 0.42
      const py = y + Math.sin(a) * k * ry * 0.76
      if (i % 3 === 0)
        out +=
          stroke(
            `M${n(px - 16 * u)} ${n(py + 4)}a${n(17 * u)} ${n(12 * u)} 0 1 1 ${n(28 * u)} ${n(8 * u)}`,
            s.tone(PAINT.waratah),
            12 * u,
          ) +
          stroke(
            `M${n(px - 14 * u)} ${n(py)}a${n(16 * u)} ${n(11 * u)} 0 0 1 ${n(20 * u)} ${n(-6 * u)}`,
            s.lit(PAINT.coral, 0.4),
            4 * u,
          )
      else if (i % 3 === 1)
        out +=
          path(leaf(px - 16 * u, py, 40 * u, r.range(-0.3, 0.3), 11 * u, 0), s.dim(PAINT.ink, 0.1)) +
          path(leaf(px - 9 * u, py - 2, 28 * u, 0, 6 * u, 0), s.tone(PAINT.coral))
      else
        out +=
          path(
            `M${n(px - 18 * u)} ${n(py)}a${n(18 * u)} ${n(15 * u)} 0 0 1 ${n(36 * u)} 0Z`,
            s.lit(PAINT.wattle, 0.3),
          ) + path(leaf(px, py + 6, 20 * u, -0.5, 6 * u), s.tone(PAINT.gum))
    }
    let steam = ''
    for (let i = -2; i <= 2; i++)
      steam += `M${n(x + i * 92 * u)} ${n(y - 40 * u)}c${n(-36 * u)} ${n(-54 * u)} ${n(38 * u)} ${n(-88 * u)} 0 ${n(-150 * u)}s${n(26 * u)} ${n(-80 * u)} ${n(4 * u)} ${n(-120 * u)}`
    out += stroke(steam, s.mood.sun, 13 * u, 0.2)
    out +=
      festoon(s, [-20, s.h * 0.1], [s.cx, s.h * 0.04], 70, 52, 9) +
      festoon(s, [s.cx, s.h * 0.04], [s.w + 20, s.h * 0.12], 70, 52, 9)
    return out
  },
}

export const drinksCart: Composition = {
  moods: ['sage', 'golden', 'coastal', 'rose', 'dusk', 'wattle', 'morning'],
  draw: (s) => {
    const r = s.random('cart')
    const u = s.u
    const horizon = s.h * 0.54
    const foot = s.h * 0.9
    const x = s.cx
    let out = sky(s, { horizon })
    const coast = r.chance(0.5)
    out += coast
      ? hill(s, {
          name: 'f',
          base: horizon,
          rise: 80,
          colour: s.mood.land[0],
          bottom: horizon + 20,
          length: 1200,
          trees: 14,
        }) + water(s, horizon, horizon + 90)
      : ranges(s, horizon, 150)
    out +=
      ground(s, coast ? horizon + 80 : horizon) +
      roundTree(
        s,
        r,
        x - s.side * 460 * u,
        s.h * 0.74,
        580 * u,
        r.pick([PAINT.gum, PAINT.mauve, PAINT.olive]),
      ) +
      gumTree(s, r, x + s.side * 520 * u, s.h * 0.68, 520 * u, 0.15)
    const w = 470 * u
    const top = foot - 270 * u
    const paint = r.pick([PAINT.waratah, PAINT.teal, PAINT.eucalypt, PAINT.terracotta, PAINT.cream])
    const roof = top - 300 * u
    out += castShadow(s, x, foot, w, 420, 0.36)
    out += person(s, r, x + s.side * 70 * u, foot - 10, 400 * u, {
      outfit: r.pick(['shirt', 'suit']),
      pose: 'glass',
      facing: -s.side as -1 | 1,
      shadow: false,
    })
    for (const k of [-0.48, 0.48])
      out += rect(x + k * w - 7, roof, 14, foot - roof - 60 * u, s.dim(PAINT.timber, 0.1))
    // striped awning
    const bays = 8
    for (let i = 0; i < bays; i++) {
      const x0 = x - w * 0.6 + (i * w * 1.2) / bays
      const bw = (w * 1.2) / bays
      const t0 = x - w * 0.5 + (i * w) / bays
      const c = i % 2 ? PAINT.cream : paint === PAINT.cream ? PAINT.coral : paint
      out +=
        path(
          `M${n(t0)} ${n(roof - 70 * u)}h${n(w / bays)}L${n(x0 + bw)} ${n(roof + 24 * u)}v${n(18 * u)}a${n(bw / 2)} ${n(bw * 0.36)} 0 0 1 ${n(-bw)} 0v${n(-18 * u)}Z`,
          s.tone(c),
        ) +
        path(
          `M${n(x0)} ${n(roof + 24 * u)}h${n(bw)}v${n(18 * u)}a${n(bw / 2)} ${n(bw * 0.36)} 0 0 1 ${n(-bw)} 0Z`,
          s.mood.ink,
          0.16,
        )
    }
    out += festoon(s, [x - w * 0.5, roof + 60 * u], [x + w * 0.5, roof + 60 * u], 26, 44, 8)
    out +=
      rect(x - w / 2, top, w, 190 * u, s.tone(paint), 6) +
      rect(s.side > 0 ? x - w / 2 : x, top, w / 2, 190 * u, s.mood.ink, 0, 0.14)
    let boards = ''
    for (let i = 1; i < 12; i++) boards += `M${n(x - w / 2 + (i * w) / 12)} ${n(top)}v${n(190 * u)}`
    out +=
      stroke(boards, s.mood.ink, 3, 0.22) +
      rect(x - w * 0.56, top - 18 * u, w * 1.12, 24 * u, s.lit(PAINT.oak, 0.25), 5)
    for (const k of [-0.32, 0.32]) {
      const R = 78 * u
      let spokes = ''
      for (let i = 0; i < 8; i++)
        spokes += `M${n(x + k * w)} ${n(foot - R)}l${n(Math.cos(i * 0.785) * R)} ${n(Math.sin(i * 0.785) * R)}`
      out +=
        stroke(spokes, s.tone(PAINT.oak), 7) +
        ring(x + k * w, foot - R, R, s.dim(PAINT.walnut, 0.1), 13) +
        circle(x + k * w, foot - R, 15, s.tone(PAINT.wattle))
    }
    const ty = top - 16 * u
    out +=
      bottle(s, x - w * 0.44, ty, 130 * u, PAINT.eucalypt) +
      bottle(s, x - w * 0.36, ty, 118 * u, PAINT.straw) +
      bottle(s, x - w * 0.28, ty, 130 * u, PAINT.terracotta)
    for (let i = 0; i < 4; i++)
      out += glass(
        s,
        x - w * 0.06 + i * 34 * u,
        ty,
        76 * u,
        r.pick([PAINT.coral, PAINT.straw, PAINT.waratah]),
        r.pick(['flute', 'coupe', 'wine']),
      )
    out += vase(s, r, x + w * 0.42, ty, 170 * u)
    for (let i = 0; i < 6; i++)
      out += circle(
        x + w * 0.2 + (i % 3) * 22 * u,
        ty - 10 * u - Math.floor(i / 3) * 17 * u,
        12 * u,
        s.tone(i % 2 ? PAINT.wattle : PAINT.olive),
      )
    out += guests(s, r, [
      [x - s.side * 340 * u, s.h * 0.88, 330 * u],
      [x - s.side * 440 * u, s.h * 0.89, 336 * u],
      [x + s.side * 430 * u, s.h * 0.84, 290 * u],
    ])
    if (r.chance(0.5))
      out +=
        bunting(s, r, [-20, s.h * 0.07], [x - w * 0.4, roof - 70 * u], 40, 34) +
        bunting(s, r, [x + w * 0.4, roof - 70 * u], [s.w + 20, s.h * 0.1], 40, 34)
    return out + foreGrass(s, r, 110)
  },
}
