import { n, polygon } from '../geometry.ts'
import { mix, PAINT } from '../palette.ts'
import { ground, lightPool, ranges } from '../parts/land.ts'
import { festoon, glow, paperLantern, post } from '../parts/lights.ts'
import { person } from '../parts/people.ts'
import { sky } from '../parts/sky.ts'
import { dancer, guitar, speaker } from '../parts/sound.ts'
import { gumTree } from '../parts/trees.ts'
import type { Composition } from '../stage.ts'
import { circle, ellipse, line, path, rect, stroke } from '../svg.ts'

export const danceFloor: Composition = {
  moods: ['night', 'ember', 'dusk', 'night', 'rose'],
  draw: (s) => {
    const r = s.random('dance')
    const u = s.u
    const floor = s.h * 0.66
    const x = s.cx
    let out = rect(
      0,
      0,
      s.w,
      s.h,
      s.linear([
        [0, mix(s.mood.sky[0], s.mood.ink, 0.3)],
        [0.7, s.mood.sky[1]],
        [1, s.mood.sky[2]],
      ]),
    )
    const by = s.h * 0.25
    const R = 92 * u
    const beams = [PAINT.wattle, PAINT.coral, PAINT.leaf, PAINT.blush]
    for (let i = 0; i < 11; i++) {
      const a = Math.PI * (0.06 + (i / 10) * 0.88) + r.range(-0.05, 0.05)
      const len = 1700
      const wd = r.range(0.025, 0.06)
      out += path(
        polygon([
          [x, by],
          [x + Math.cos(a - wd) * len, by + Math.sin(a - wd) * len],
          [x + Math.cos(a + wd) * len, by + Math.sin(a + wd) * len],
        ]),
        s.tone(beams[i % 4] ?? PAINT.wattle),
        0.17,
      )
    }
    let spots = ''
    for (let i = 0; i < 90; i++) spots += `M${n(r.next() * s.w)} ${n(r.next() * floor)}h.01`
    out += stroke(spots, s.mood.sun, 8, 0.4)
    out += rect(
      0,
      floor,
      s.w,
      s.h - floor,
      s.linear([
        [0, mix(s.mood.ground, s.mood.halo, 0.25)],
        [1, mix(s.mood.ground, s.mood.ink, 0.6)],
      ]),
    )
    out += lightPool(s, x, floor + 40, s.w * 0.45, 110, 1)
    // the mirror ball
    out +=
      line(
        [
          [x, -10],
          [x, by - R],
        ],
        s.mood.sun,
        4,
        0.6,
      ) + glow(s, x, by, R * 2.6, 1)
    const ball = `M${n(x - R)} ${n(by)}a${n(R)} ${n(R)} 0 1 1 ${n(R * 2)} 0a${n(R)} ${n(R)} 0 1 1 ${n(-R * 2)} 0Z`
    let tiles = ''
    for (let j = 0; j < 11; j++) {
      const t0 = (j / 11) * Math.PI
      const half = Math.sin(t0 + 0.14) * R
      const y0 = by - Math.cos(t0) * R
      const count = Math.max(3, Math.round(13 * Math.sin(t0 + 0.14)))
      for (let i = 0; i < count; i++) {
        const a0 = Math.PI * (i / count)
        const px = x - Math.cos(a0) * half
        const wd = (Math.cos(a0) - Math.cos(a0 + Math.PI / count)) * half
        tiles += rect(
          px + 1.2,
          y0 + 1.4,
          Math.max(1, wd - 2.4),
          (Math.cos(t0) - Math.cos(t0 + Math.PI / 11)) * R - 2.6,
          r.pick([
            s.mood.sun,
            s.tone(PAINT.wattle),
            s.tone(PAINT.coral),
            s.mood.sky[1],
            s.tone(PAINT.leaf),
            mix(s.mood.ink, s.mood.sky[1], 0.4),
          ]),
          1,
        )
      }
    }
    out +=
      path(ball, mix(s.mood.ink, s.mood.sky[1], 0.3)) +
      s.clip(ball, tiles + circle(x - s.side * R * 0.5, by + R * 0.4, R * 1.05, s.mood.ink, 0.3))
    const far = mix(s.mood.land[2], s.mood.sky[2], 0.15)
    for (let i = 0; i < Math.round(s.w / 60); i++)
      out += dancer(r, i * 62 + r.range(-16, 16), floor + 60 * u, r.range(190, 230) * u, far)
    for (let i = 0; i < 5; i++) {
      const px = x + (i - 2) * 190 * u + r.range(-30, 30)
      out += person(s, r, px, s.h * 0.89 + r.range(-16, 16), 330 * u, {
        pose: r.pick(['up', 'up', 'reach', 'hips']),
        facing: i % 2 ? -1 : 1,
      })
    }
    const near = mix(s.mood.land[4], s.mood.ink, 0.5)
    for (let i = -1; i < s.w / 190; i++)
      out += dancer(r, i * 200 + r.range(0, 90), s.h + 330 * u, r.range(480, 560) * u, near)
    if (r.chance(0.5))
      for (const k of [-0.4, -0.24, 0.24, 0.4])
        out += paperLantern(
          s,
          x + k * Math.min(s.w, 1300),
          s.h * r.range(0.1, 0.24),
          46 * u,
          r.pick([PAINT.cream, PAINT.blush, PAINT.wattle]),
          -10,
        )
    else
      out +=
        festoon(s, [-20, s.h * 0.06], [x - 30, s.h * 0.02], 50, 50, 9) +
        festoon(s, [x + 30, s.h * 0.02], [s.w + 20, s.h * 0.06], 50, 50, 9)
    return out
  },
}

export const duo: Composition = {
  moods: ['dusk', 'golden', 'night', 'ember', 'rose', 'wattle'],
  draw: (s) => {
    const r = s.random('duo')
    const u = s.u
    const horizon = s.h * 0.55
    let out = sky(s, { horizon }) + ranges(s, horizon, 150) + ground(s, horizon)
    for (const k of [-1, 1])
      out += gumTree(s, r, s.cx + k * r.range(420, 500) * u, s.h * 0.7, r.range(580, 700) * u, 0.05)
    const stage = s.h * 0.8
    const w = 700 * u
    const bw = 520 * u
    // a striped or plain cloth behind the musicians
    const top = s.h * 0.2
    out += post(s, s.cx - bw / 2, stage, stage - top, 11) + post(s, s.cx + bw / 2, stage, stage - top, 11)
    const cloth = r.pick([PAINT.waratah, PAINT.eucalypt, PAINT.cream, PAINT.terracotta, PAINT.teal])
    const d = `M${n(s.cx - bw / 2)} ${n(top + 26)}Q${n(s.cx)} ${n(top + 52)} ${n(s.cx + bw / 2)} ${n(top + 26)}V${n(stage)}H${n(s.cx - bw / 2)}Z`
    let stripes = ''
    for (let i = 0; i < 10; i += 2)
      stripes += rect(s.cx - bw / 2 + (i * bw) / 10, top, bw / 10, stage, s.lit(PAINT.cream, 0.1), 0, 0.5)
    out +=
      path(d, s.tone(cloth)) +
      s.clip(
        d,
        (r.chance(0.5) ? stripes : '') +
          rect(s.side > 0 ? s.cx - bw / 2 : s.cx, top, bw / 2, stage, s.mood.ink, 0, 0.12),
      )
    out +=
      festoon(s, [s.cx - bw / 2, top], [s.cx + bw / 2, top], 44, 46, 9) +
      festoon(s, [s.cx - bw / 2, top], [-30, s.h * 0.12], 60, 50, 9) +
      festoon(s, [s.cx + bw / 2, top], [s.w + 30, s.h * 0.12], 60, 50, 9)
    out +=
      rect(s.cx - w / 2, stage, w, 30 * u, s.lit(PAINT.oak, 0.2), 3) +
      rect(s.cx - w / 2, stage + 28 * u, w, 60 * u, s.dim(PAINT.walnut, 0.15)) +
      lightPool(s, s.cx, stage + 14, w * 0.4, 40)
    const h = 370 * u
    const a = s.cx - 110 * u
    const b = s.cx + 130 * u
    out +=
      person(s, r, a, stage + 16, h, {
        outfit: r.pick(['shirt', 'suit', 'dress']),
        pose: 'guitar',
        facing: 1,
      }) + guitar(s, r, a + 22 * u, stage + 16 - h * 0.57, h * 0.3)
    out += person(s, r, b, stage + 18, h * 0.98, {
      outfit: r.pick(['gown', 'dress', 'suit']),
      pose: 'glass',
      facing: -1,
    })
    const mx = b - h * 0.2
    out +=
      line(
        [
          [mx, stage + 18],
          [mx, stage - h * 0.74],
        ],
        s.dim(PAINT.ink, 0.1),
        6,
      ) +
      ellipse(mx, stage + 20, 34 * u, 7, s.dim(PAINT.ink, 0.1)) +
      circle(mx + 8 * u, stage - h * 0.77, 12 * u, s.tone(PAINT.iron))
    for (const k of [-1, 1]) out += speaker(s, s.cx + k * w * 0.46, stage + 14, 170 * u)
    for (let i = 0; i < 7; i++)
      out += person(
        s,
        r,
        s.cx + (i - 3) * 165 * u + r.range(-30, 30),
        s.h + 190 * u + r.range(-20, 20),
        330 * u,
        { dark: 0.72, shadow: false },
      )
    return out
  },
}
