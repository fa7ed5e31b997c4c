import { n, polygon } from '../geometry.ts'
import { BRIGHTS, mix, PAINT } from '../palette.ts'
import { skyline } from '../parts/buildings.ts'
import { cup, dapple, roundShadow, sheet, surface } from '../parts/flatlay.ts'
import { sprig } from '../parts/flowers.ts'
import { castShadow, ground, hill, lightPool, ranges, water } from '../parts/land.ts'
import { festoon, post } from '../parts/lights.ts'
import { couple, guests } from '../parts/people.ts'
import { sky } from '../parts/sky.ts'
import { discJockey, sleeveArt, slowCircles, slowCirclesLine, speaker } from '../parts/sound.ts'
import { foreGrass, gumBranch, gumTree, norfolkPine } from '../parts/trees.ts'
import type { Composition } from '../stage.ts'
import { circle, ellipse, group, line, path, rect, ring, stroke } from '../svg.ts'
import { danceFloor, duo } from './sounds-crowd.ts'

const booth: Composition = {
  moods: ['night', 'dusk', 'ember', 'rose', 'wattle', 'golden'],
  draw: (s) => {
    const r = s.random('booth')
    const u = s.u
    const floor = s.h * 0.72
    const x = s.cx
    s.sun.x = x
    s.sun.y = s.h * 0.36
    let out = sky(s, { horizon: floor, sun: false, clouds: false, birds: false })
    out += slowCircles(
      s,
      x,
      s.h * 0.4,
      s.h * r.range(0.62, 0.74),
      r.int(8, 11),
      r.pick([PAINT.waratah, PAINT.wattle, PAINT.coral, PAINT.leaf]),
    )
    out += circle(x, s.h * 0.4, s.h * 0.13, s.mood.sun)
    const back = r.int(0, 2)
    if (back === 0) out += skyline(s, r, floor, s.h * 0.26, false)
    else if (back === 1) out += ranges(s, floor, 120)
    else
      out += hill(s, {
        name: 'b',
        base: floor - 10,
        rise: 60,
        colour: s.mood.land[2],
        bottom: floor + 20,
        trees: 40,
      })
    out += ground(s, floor, mix(s.mood.ground, s.mood.ink, 0.12), false)
    out += lightPool(s, x, s.h * 0.9, 620 * u, 120, 1)
    out += discJockey(s, r, x, s.h * 0.9, 590 * u)
    // the booth
    const w = 620 * u
    const top = s.h * 0.655
    const foot = s.h * 0.93
    const front = r.pick([PAINT.eucalypt, PAINT.waratah, PAINT.ink, PAINT.timber, PAINT.teal])
    out += castShadow(s, x, foot, w, 120, 0.4) + rect(x - w / 2, top, w, foot - top, s.tone(front), 6)
    const style = r.int(0, 2)
    let deco = ''
    if (style === 0)
      for (let i = 0; i < 24; i++)
        deco += rect(x - w / 2 + (i * w) / 24, top, w / 48, foot - top, s.mood.ink, 0, 0.2)
    else if (style === 1)
      for (let i = 0; i < 4; i++)
        deco += ring(x, foot + 20, (90 + i * 70) * u, s.lit(PAINT.wattle, 0.1), 13, 0.8)
    else
      for (let i = -6; i <= 6; i++)
        for (let j = 0; j < 4; j++)
          deco += path(
            polygon([
              [x + i * 54 * u, top + 30 + j * 62 * u],
              [x + i * 54 * u + 20 * u, top + 56 * u + j * 62 * u],
              [x + i * 54 * u, top + 82 * u + j * 62 * u],
              [x + i * 54 * u - 20 * u, top + 56 * u + j * 62 * u],
            ]),
            s.lit(front, 0.4),
            0.35,
          )
    out += s.clip(
      `M${n(x - w / 2)} ${n(top)}h${n(w)}v${n(foot - top)}h${n(-w)}Z`,
      deco + rect(s.side > 0 ? x - w / 2 : x, top, w / 2, 400, s.mood.ink, 0, 0.14),
    )
    out += rect(x - w * 0.54, top - 16 * u, w * 1.08, 26 * u, s.lit(PAINT.oak, 0.1), 5)
    for (const k of [-0.29, 0.29]) {
      const dx = x + k * w
      out +=
        rect(dx - 120 * u, top - 36 * u, 240 * u, 22 * u, s.dim(PAINT.ink, 0.05), 5) +
        ellipse(dx, top - 38 * u, 100 * u, 15 * u, '#12191C') +
        ellipse(dx, top - 39 * u, 66 * u, 9 * u, s.dim('#39474A', 0.1)) +
        ellipse(dx, top - 40 * u, 30 * u, 5 * u, s.tone(PAINT.waratah))
    }
    out += rect(x - 56 * u, top - 46 * u, 112 * u, 32 * u, s.dim(PAINT.ink, 0.2), 5)
    for (let i = 0; i < 6; i++)
      out += circle(
        x - 42 * u + i * 17 * u,
        top - 32 * u,
        4.6 * u,
        i % 2 ? s.tone(PAINT.wattle) : s.tone(PAINT.coral),
      )
    for (const k of [-1, 1]) out += speaker(s, x + k * 470 * u, s.h * 0.95, 400 * u, PAINT.ink)
    const sideways = Math.min(s.w * 0.55, 900)
    out +=
      festoon(s, [x - sideways, s.h * 0.1], [x, s.h * 0.05], 60, 54, 10) +
      festoon(s, [x, s.h * 0.05], [x + sideways, s.h * 0.12], 60, 54, 10)
    return out
  },
}

const lawnSpeakers: Composition = {
  moods: ['golden', 'dusk', 'sage', 'rose', 'ember', 'coastal'],
  draw: (s) => {
    const r = s.random('lawn')
    const u = s.u
    const horizon = s.h * 0.54
    const x = s.cx - s.side * 230 * u
    let out = sky(s, { horizon })
    const sea = r.chance(0.5)
    out += sea
      ? hill(s, {
          name: 'h',
          base: horizon,
          rise: 70,
          colour: s.mood.land[0],
          bottom: horizon + 20,
          length: 1100,
        }) +
        water(s, horizon, horizon + 100) +
        hill(s, {
          name: 'shore',
          base: horizon + 92,
          rise: 14,
          colour: s.mood.land[2],
          bottom: horizon + 140,
          trees: 22,
        })
      : ranges(s, horizon, 160)
    const g = sea ? horizon + 96 : horizon
    out += ground(s, g)
    out += sea
      ? norfolkPine(s, r, s.cx + s.side * 480 * u, g + 70, 560 * u, 0.1)
      : gumTree(s, r, s.cx + s.side * 470 * u, g + 90, 560 * u, 0.1)
    out += slowCirclesLine(s, x, s.h * 0.5, 700 * u)
    out += lightPool(s, s.cx + s.side * 170 * u, s.h * 0.86, 330 * u, 70)
    out +=
      couple(s, r, s.cx + s.side * 130 * u, s.h * 0.85, 270 * u) +
      guests(s, r, [
        [s.cx + s.side * 330 * u, s.h * 0.8, 230 * u],
        [s.cx + s.side * 400 * u, s.h * 0.81, 236 * u],
        [s.cx - s.side * 20 * u, s.h * 0.77, 200 * u],
      ])
    const px = s.w / 2 + s.side * Math.min(s.w * 0.47, 660)
    out +=
      post(s, px, s.h * 0.93, s.h * 0.74, 12) +
      festoon(s, [x - s.side * 300 * u, s.h * 0.06], [px, s.h * 0.2], 90, 50, 10) +
      festoon(s, [px, s.h * 0.2], [s.cx, -20], 70, 50, 9)
    for (const k of [0, 1]) {
      const sx = x - s.side * k * 250 * u
      const foot = s.h * (0.94 - 0.05 * k)
      const h = (330 - 60 * k) * u
      out +=
        castShadow(s, sx, foot, 60, 420) +
        line(
          [
            [sx, foot - 200 * u],
            [sx - 80 * u, foot],
          ],
          s.dim(PAINT.ink, 0.2),
          9,
        ) +
        line(
          [
            [sx, foot - 200 * u],
            [sx + 80 * u, foot],
          ],
          s.dim(PAINT.ink, 0.2),
          9,
        ) +
        line(
          [
            [sx, foot - 240 * u],
            [sx, foot + 8],
          ],
          s.dim(PAINT.ink, 0.2),
          11,
        ) +
        speaker(s, sx, foot - 230 * u, h)
    }
    return out + foreGrass(s, r, 130) + gumBranch(s, r, -s.side as -1 | 1, 0.8)
  },
}

const turntable: Composition = {
  moods: ['golden', 'rose', 'wattle', 'sage', 'dusk', 'ember', 'morning'],
  draw: (s) => {
    const r = s.random('turn')
    const u = s.u
    const base = r.pick([PAINT.terracotta, PAINT.eucalypt, PAINT.wattle, PAINT.blush, PAINT.oak, PAINT.teal])
    let out = surface(s, r.pick(['planks', 'linen', 'plaster']), base)
    const x = s.cx + s.side * 40 * u
    const y = s.h * 0.53
    const w = 760 * u
    const h = 590 * u
    // sleeves tucked under
    for (let i = 0; i < 3; i++) {
      const c = r.pick(BRIGHTS)
      const k = 370 * u
      out += sheet(
        s,
        x - s.side * (w * 0.52 + i * 60 * u),
        s.h * (0.3 + 0.2 * i),
        k,
        k,
        r.range(-22, 22),
        c,
        sleeveArt(s, r, k),
        14,
      )
    }
    const [dx, dy] = [-s.side * 40, 24]
    out +=
      rect(x - w / 2 + dx, y - h / 2 + dy, w, h, s.mood.shadow, 22, 0.3) +
      rect(
        x - w / 2,
        y - h / 2,
        w,
        h,
        s.tone(r.pick([PAINT.walnut, PAINT.cream, PAINT.timber, PAINT.ink])),
        20,
      ) +
      rect(x - w / 2 + 16, y - h / 2 + 16, w - 32, h - 32, s.mood.sun, 14, 0.1)
    const rx = x - 90 * u
    const R = 258 * u
    out += circle(rx, y, R * 1.04, s.dim(PAINT.iron, 0.15)) + circle(rx, y, R, '#171F22')
    for (let i = 0; i < 11; i++) out += ring(rx, y, R * (0.42 + i * 0.052), i % 3 ? '#2B363A' : '#39464A', 3)
    for (const a of [0.35, 0.35 + Math.PI])
      out += path(
        polygon([
          [rx, y],
          [rx + Math.cos(a - 0.17) * R * 0.99, y + Math.sin(a - 0.17) * R * 0.99],
          [rx + Math.cos(a + 0.1) * R * 0.99, y + Math.sin(a + 0.1) * R * 0.99],
        ]),
        s.mood.sun,
        0.16,
      )
    const label = r.pick(BRIGHTS)
    out +=
      circle(rx, y, R * 0.34, s.tone(label)) +
      path(
        `M${n(rx - R * 0.34)} ${n(y)}a${n(R * 0.34)} ${n(R * 0.34)} 0 0 1 ${n(R * 0.68)} 0Z`,
        s.lit(label, 0.45),
      ) +
      circle(rx, y, R * 0.1, s.tone(PAINT.cream)) +
      circle(rx, y, R * 0.025, s.mood.ink)
    const ax = x + w * 0.39
    const ay = y - h * 0.34
    const arm = `M${n(ax)} ${n(ay)}L${n(ax - 14 * u)} ${n(y + 130 * u)}L${n(rx + R * 0.62)} ${n(y + R * 0.6)}`
    out +=
      group('translate(-10 12)', stroke(arm, s.mood.shadow, 15), 0.35) +
      circle(ax, ay, 60 * u, s.dim(PAINT.iron, 0.2)) +
      circle(ax, ay, 44 * u, s.tone(PAINT.iron)) +
      stroke(arm, s.lit(PAINT.iron, 0.5), 14 * u) +
      group(
        `translate(${n(rx + R * 0.62)} ${n(y + R * 0.6)}) rotate(58)`,
        rect(-20 * u, -14 * u, 56 * u, 28 * u, s.tone(PAINT.waratah), 5),
      ) +
      circle(ax, ay, 20 * u, s.tone(PAINT.wattle))
    for (let i = 0; i < 2; i++)
      out +=
        circle(x + w * (0.3 + 0.12 * i), y + h * 0.4, 21 * u, s.dim(PAINT.iron, 0.1)) +
        circle(x + w * (0.3 + 0.12 * i), y + h * 0.4, 13 * u, s.tone(PAINT.cream))
    const gx = x + s.side * (w * 0.5 + 130 * u)
    out += r.chance(0.5)
      ? cup(s, gx, s.h * 0.24, 66 * u, PAINT.cream)
      : roundShadow(s, gx, s.h * 0.24, 70, 30) +
        circle(gx, s.h * 0.24, 76 * u, s.lit(PAINT.cream, 0.2), 0.7) +
        circle(gx, s.h * 0.24, 62 * u, s.tone(PAINT.coral)) +
        circle(gx - 14, s.h * 0.24 + 10, 26 * u, s.tone(PAINT.wattle))
    return out + sprig(s, r, gx, s.h * 1.02, 380 * u, -Math.PI / 2 - s.side * 0.3) + dapple(s)
  },
}

export const soundScenes = {
  'sound-booth-circles': booth,
  'sound-dance-floor': danceFloor,
  'sound-lawn-speakers': lawnSpeakers,
  'sound-turntable': turntable,
  'sound-duo': duo,
} as const
