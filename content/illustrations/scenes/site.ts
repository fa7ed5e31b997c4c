import { n, type Point, polygon, smooth } from '../geometry.ts'
import { type MoodName, mix, PAINT } from '../palette.ts'
import { balloon, basket } from '../parts/celebration.ts'
import { cup, dapple, pen, ribbon, sheet, surface } from '../parts/flatlay.ts'
import { posy, sprig, vase } from '../parts/flowers.ts'
import { castShadow, ground, ranges } from '../parts/land.ts'
import { bunting, festoon, post } from '../parts/lights.ts'
import { sky } from '../parts/sky.ts'
import { foreGrass, gumBranch, gumTree, roundTree } from '../parts/trees.ts'
import type { Composition } from '../stage.ts'
import { circle, path, rect, ring, stroke } from '../svg.ts'
import { extraScenes } from './extras.ts'
import { outdoorVenues } from './venues-outdoors.ts'

/** A picture with its subject on the right, so that text fits on its calm left. */
function hero(
  of: Composition,
  moods: readonly [MoodName, ...MoodName[]],
  side: -1 | 1,
  at: number,
): Composition {
  return {
    moods,
    fixed: true,
    draw: (s) => {
      const wide = s.w / s.h > 1.25
      s.cx = wide ? s.w * at : s.w / 2
      s.side = side
      s.calmLeft = wide
      s.sun.x = wide ? s.w * (side > 0 ? 0.86 : 0.34) : s.w * 0.7
      return of.draw(s)
    },
  }
}

const emptyCart: Composition = {
  moods: ['sage', 'golden', 'morning', 'rose'],
  draw: (s) => {
    const r = s.random('cart')
    const u = s.u
    const horizon = s.h * 0.55
    const x = s.cx
    let out = sky(s, { horizon }) + ranges(s, horizon, 150) + ground(s, horizon)
    out +=
      castShadow(s, x - s.side * 340 * u, s.h * 0.72, 44, 300) +
      roundTree(s, r, x - s.side * 340 * u, s.h * 0.72, 620 * u, r.pick([PAINT.mauve, PAINT.gum]))
    const y = s.h * 0.88
    out += castShadow(s, x, y, 380 * u, 380, 0.38) + basket(s, x, y, 440 * u)
    out += ribbon(s, r, x + s.side * 20, y - 190 * u, 170 * u, PAINT.waratah, 15)
    return out + posy(s, r, x + s.side * 310 * u, y + 10, 70 * u) + foreGrass(s, r, 110)
  },
}

const emptyBookings: Composition = {
  moods: ['morning', 'golden', 'sage', 'rose'],
  draw: (s) => {
    const r = s.random('diary')
    const u = s.u
    let out = surface(s, 'planks', r.pick([PAINT.oak, PAINT.eucalypt, PAINT.terracotta]))
    const x = s.cx
    const y = s.h * 0.52
    const w = 400 * u
    const h = 540 * u
    const days = (mark: number): string => {
      let d = rect(-w * 0.4, -h * 0.41, w * 0.4, 15 * u, s.tone(PAINT.waratah), 5)
      for (let i = 0; i < 5; i++)
        for (let j = 0; j < 5; j++)
          d += `<rect x="${n(-w * 0.41 + i * w * 0.166)}" y="${n(-h * 0.32 + j * h * 0.145)}" width="${n(w * 0.145)}" height="${n(h * 0.12)}" rx="5" fill="${i * 5 + j === mark ? s.tone(PAINT.wattle) : 'none'}" stroke="${s.tone(PAINT.eucalypt)}" stroke-width="3" opacity="0.75"/>`
      return d
    }
    out +=
      sheet(s, x, y + 6, w * 2 + 44, h + 44, 0, PAINT.walnut, '', 16) +
      sheet(s, x - w / 2, y, w, h, 0, PAINT.cream, days(-1), 2) +
      sheet(s, x + w / 2, y, w, h, 0, PAINT.cream, days(r.int(6, 18)), 2) +
      rect(x - 16, y - h / 2, 32, h, s.mood.shadow, 0, 0.14)
    for (let i = 0; i < 7; i++)
      out += ring(x, y - h * 0.42 + (i * h * 0.84) / 6, 13 * u, s.tone(PAINT.straw), 6)
    out += path(
      polygon([
        [x + w * 0.6, y + h / 2 - 10],
        [x + w * 0.68, y + h / 2 - 10],
        [x + w * 0.68, y + h / 2 + 70 * u],
        [x + w * 0.64, y + h / 2 + 50 * u],
        [x + w * 0.6, y + h / 2 + 70 * u],
      ]),
      s.tone(PAINT.waratah),
    )
    out += pen(s, x + s.side * 120 * u, y + 190 * u, 340 * u, -s.side * 34, PAINT.teal)
    const far = Math.min(520 * u, s.w * 0.44)
    return (
      out +
      cup(s, x + s.side * far, s.h * 0.22, 74 * u, PAINT.cream) +
      sprig(s, r, x - s.side * far, s.h * 0.99, 360 * u, -1.57 + s.side * 0.3) +
      posy(s, r, x - s.side * far, s.h * 0.17, 96 * u) +
      dapple(s)
    )
  },
}

const emptyListings: Composition = {
  moods: ['golden', 'sage', 'morning', 'rose'],
  draw: (s) => {
    const r = s.random('frame')
    const u = s.u
    const horizon = s.h * 0.56
    const x = s.cx
    let out = sky(s, { horizon }) + ranges(s, horizon, 160) + ground(s, horizon)
    out += gumTree(s, r, x - s.side * 380 * u, s.h * 0.76, 680 * u)
    const foot = s.h * 0.92
    const h = 620 * u
    const w = 400 * u
    out +=
      castShadow(s, x, foot, w * 0.8, 400, 0.32) +
      stroke(
        `M${n(x)} ${n(foot - h)}L${n(x - w * 0.5)} ${n(foot)}M${n(x)} ${n(foot - h)}L${n(x + w * 0.5)} ${n(foot)}M${n(x)} ${n(foot - h)}V${n(foot - 70 * u)}`,
        s.tone(PAINT.timber),
        15 * u,
      )
    out +=
      rect(x - w / 2, foot - h * 0.9, w, h * 0.5, s.tone(PAINT.straw), 5) +
      rect(
        x - w / 2 + 20 * u,
        foot - h * 0.9 + 20 * u,
        w - 40 * u,
        h * 0.5 - 40 * u,
        s.lit(PAINT.cream, 0.4),
        2,
      ) +
      rect(s.side > 0 ? x - w / 2 : x, foot - h * 0.9, w / 2, h * 0.5, s.mood.ink, 0, 0.08)
    let sketch = `M${n(x - w * 0.36)} ${n(foot - h * 0.54)}Q${n(x - w * 0.16)} ${n(foot - h * 0.7)} ${n(x + w * 0.02)} ${n(foot - h * 0.58)}Q${n(x + w * 0.18)} ${n(foot - h * 0.66)} ${n(x + w * 0.36)} ${n(foot - h * 0.54)}`
    sketch += `M${n(x + w * 0.14)} ${n(foot - h * 0.74)}a${n(w * 0.07)} ${n(w * 0.07)} 0 1 1 0.1 0`
    out += `<path d="${sketch}" fill="none" stroke="${s.tone(PAINT.eucalypt)}" stroke-width="${n(6 * u)}" stroke-linecap="round" stroke-dasharray="2 ${n(15 * u)}"/>${rect(x - w * 0.58, foot - h * 0.4, w * 1.16, 20 * u, s.lit(PAINT.timber, 0.2), 4)}`
    const px = x + s.side * 330 * u
    out +=
      post(s, px, foot - 40, 480 * u, 11) +
      festoon(s, [px, foot - 515 * u], [x - s.side * 330 * u, s.h * 0.2], 70, 48, 9) +
      vase(s, r, x - s.side * 250 * u, foot + 10, 190 * u)
    return out + foreGrass(s, r, 110)
  },
}

const notFound: Composition = {
  moods: ['golden', 'rose', 'dusk', 'sage'],
  draw: (s) => {
    const r = s.random('lost')
    const u = s.u
    const horizon = s.h * 0.58
    let out =
      sky(s, { horizon }) +
      ranges(s, horizon, 190) +
      ground(s, horizon, mix(s.mood.ground, s.tone(PAINT.straw), 0.25))
    // a track that winds over the rise
    const left: Point[] = []
    const right: Point[] = []
    for (let i = 0; i <= 9; i++) {
      const t = i / 9
      const y = horizon + 4 + (s.h + 20 - horizon) * t * t
      const x = s.cx + s.side * 120 + Math.sin(t * 4.6) * 150 * (0.2 + t) * -s.side
      const half = 6 + 170 * t * t
      left.push([x - half, y])
      right.unshift([x + half, y])
    }
    out += path(`${smooth(left)}L${smooth(right).slice(1)}Z`, s.tone(PAINT.sand), 0.85)
    out += gumTree(s, r, s.cx + s.side * 400 * u, s.h * 0.74, 560 * u, 0.1)
    const x = s.cx - s.side * 150 * u
    const foot = s.h * 0.9
    const h = 520 * u
    out += castShadow(s, x, foot, 40, 460, 0.4) + post(s, x, foot, h, 22 * u)
    const arms = [
      [0.9, 1, PAINT.waratah, -4],
      [0.74, -1, PAINT.cream, 5],
      [0.58, 1, PAINT.wattle, 3],
    ] as const
    for (const [k, dir, c, turn] of arms) {
      const y = foot - h * k
      const d = `M-40 -32H190L226 0L190 32H-40Z`
      out += `<g transform="translate(${n(x)} ${n(y)}) rotate(${n(turn * dir)}) scale(${n(dir * u)} ${n(u)})">${path(d, s.tone(c))}${path('M-40 0H226L190 32H-40Z', s.mood.ink, 0.13)}${stroke('M20 0H150', c === PAINT.cream ? s.tone(PAINT.eucalypt) : s.tone(PAINT.cream), 9, 0.75)}</g>`
      out += circle(x, y, 5 * u, s.mood.ink, 0.6)
    }
    const bx = s.cx + s.side * 110 * u
    out +=
      stroke(`M${n(bx)} ${n(s.h * 0.2 + 70)}q18 60 -8 120t6 70`, s.dim(PAINT.paper, 0.3), 2.6, 0.9) +
      balloon(s, bx, s.h * 0.18, 60 * u, PAINT.waratah)
    return out + foreGrass(s, r, 140)
  },
}

const placeholder: Composition = {
  moods: ['morning', 'coastal', 'sage', 'golden'],
  draw: (s) => {
    const r = s.random('quiet')
    const u = s.u
    const horizon = s.h * 0.62
    let out = sky(s, { horizon, birds: false }) + ranges(s, horizon, 220) + ground(s, horizon)
    const x = s.cx - s.side * 170 * u
    const y = s.h * 0.82
    out +=
      castShadow(s, x, y, 50, 460) +
      gumTree(s, r, x, y, 640 * u) +
      gumTree(s, r, x + s.side * 380 * u, s.h * 0.7, 300 * u, 0.3)
    out += bunting(
      s,
      r,
      [x + s.side * 60 * u, y - 370 * u],
      [x + s.side * 380 * u, s.h * 0.7 - 170 * u],
      60,
      30,
    )
    return out + foreGrass(s, r, 130) + gumBranch(s, r, s.side, 0.8)
  },
}

export const siteScenes = {
  'hero-1': hero(outdoorVenues['venue-long-table'], ['golden'], 1, 0.67),
  'hero-2': hero(outdoorVenues['venue-bay-pavilion'], ['dusk'], 1, 0.68),
  'hero-3': hero(extraScenes['extra-flower-arch'], ['sage'], 1, 0.7),
  'hero-4': hero(outdoorVenues['venue-woolshed'], ['ember'], -1, 0.66),
  'empty-cart': emptyCart,
  'empty-bookings': emptyBookings,
  'empty-listings': emptyListings,
  'not-found': notFound,
  placeholder,
} as const
