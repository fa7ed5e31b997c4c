import { blob, n, type Point, perspective, polygon } from '../geometry.ts'
import { mix, PAINT } from '../palette.ts'
import { archBridge, litPane, skyline } from '../parts/buildings.ts'
import { vase } from '../parts/flowers.ts'
import { castShadow, hill, lightPool, water } from '../parts/land.ts'
import { festoon, glow, post } from '../parts/lights.ts'
import { guests } from '../parts/people.ts'
import { sky } from '../parts/sky.ts'
import { glass } from '../parts/table.ts'
import { foreGrass, norfolkPine, shrubs } from '../parts/trees.ts'
import type { Composition, Stage } from '../stage.ts'
import { ellipse, group, line, path, rect, stroke } from '../svg.ts'

export const bayPavilion: Composition = {
  moods: ['dusk', 'golden', 'rose', 'coastal', 'morning', 'ember'],
  draw: (s) => {
    const r = s.random('bay')
    const horizon = s.h * r.range(0.42, 0.5)
    const line0 = s.h * r.range(0.64, 0.7)
    const u = s.u
    const x = s.cx - s.side * r.range(20, 130) * u
    let out = sky(s, { horizon })
    out += hill(s, {
      name: 'far',
      base: horizon - 6,
      rise: 70,
      colour: mix(s.mood.land[0], s.mood.haze, 0.3),
      bottom: horizon + 20,
      length: 1000,
    })
    out += hill(s, {
      name: 'head',
      base: horizon + 4,
      rise: 120,
      colour: s.mood.land[1],
      bottom: horizon + 26,
      length: 1300,
      trees: 20,
    })
    out += water(s, horizon + 6, s.h)
    for (let i = 0; i < r.int(1, 3); i++)
      out += sail(s, r.range(0.06, 0.94) * s.w, horizon + r.range(30, 90), r.range(60, 110))
    if (r.chance(0.45)) out += lighthouse(s, s.cx - s.side * r.range(360, 520) * u, horizon - 40, 170 * u)
    const wide = r.range(500, 610) * u
    const deck = line0 - 40 * u
    const build =
      pavilion(s, x, deck, wide, r.int(0, 2)) +
      guests(
        s,
        r,
        [-0.34, -0.2, -0.06, 0.12, 0.3].map((k) => [x + k * wide, deck, r.range(100, 112) * u] as const),
      )
    const jetty =
      rect(x - wide * 0.62, deck, wide * 1.24, 16 * u, s.tone(PAINT.oak)) +
      rect(x - wide * 0.62, deck + 12 * u, wide * 1.24, 12 * u, s.dim(PAINT.walnut, 0.3))
    let piles = ''
    for (let i = 0; i <= 8; i++)
      piles += rect(
        x - wide * 0.6 + (i * wide * 1.2) / 8 - 6,
        deck + 18 * u,
        12,
        line0 - deck + 26 * u,
        s.dim(PAINT.walnut, 0.4),
      )
    out += group(`translate(0 ${n(line0 * 2 + 14)}) scale(1 -1)`, piles + jetty + build, 0.3)
    let breaks = ''
    for (let i = 0; i < 22; i++) {
      const y = line0 + 20 + r.next() * 230 * u
      const bx = x + r.range(-0.65, 0.65) * wide
      breaks += `M${n(bx)} ${n(y)}q30 -5 60 0t60 0`
    }
    out += stroke(breaks, s.mood.glint, 3.4, 0.4)
    out += piles + build + jetty
    // the boardwalk to it
    const w0 = 150 * u
    const endX = x + s.side * 60
    const foot: Point[] = [
      [endX - 44 * u, deck + 26 * u],
      [endX + 44 * u, deck + 26 * u],
      [s.cx + s.side * 190 + w0, s.h + 20],
      [s.cx + s.side * 190 - w0 * 1.3, s.h + 20],
    ]
    out += path(
      polygon(foot),
      s.linear([
        [0, s.tone(PAINT.oak)],
        [1, s.dim(PAINT.timber, 0.25)],
      ]),
    )
    let slats = ''
    for (let i = 1; i < 26; i++) {
      const t = (i / 26) ** 1.7
      const y = deck + 26 * u + (s.h + 20 - deck - 26 * u) * t
      const cx = endX + (s.cx + s.side * 190 - w0 * 0.15 - endX) * t
      const half = 44 * u + (w0 * 1.15 - 44 * u) * t
      slats += `M${n(cx - half)} ${n(y)}H${n(cx + half)}`
    }
    out += stroke(slats, s.dim(PAINT.walnut, 0.4), 3.2, 0.55)
    // beside the pavilion at any width, never in front of it
    const edge = Math.max(
      Math.min(s.w * 0.42, 620),
      Math.min(s.w / 2 - 90, (s.cx - s.w / 2) * s.side + 500 * u),
    )
    if (r.chance(0.65)) out += norfolkPine(s, r, s.w / 2 + s.side * edge, s.h * 0.97, s.h * 0.74)
    const rocks = mix(s.mood.land[4], s.mood.ink, 0.15)
    for (let i = 0; i < 5; i++)
      out += path(
        blob(
          r,
          s.w / 2 + s.side * (Math.min(s.w * 0.5, 700) - i * 62) + 20,
          s.h - r.range(0, 18),
          r.range(80, 130),
          r.range(36, 74),
          0.16,
          7,
        ),
        i % 2 ? rocks : mix(rocks, s.mood.halo, 0.14),
      )
    return (
      out + foreGrass(s, r, 130, undefined, s.side > 0 ? s.w * 0.62 : -40, s.side > 0 ? s.w + 40 : s.w * 0.38)
    )
  },
}

function lighthouse(s: Stage, x: number, y: number, h: number): string {
  const w = h * 0.1
  const wall = s.tone(PAINT.cream, 0.1)
  const tower = polygon([
    [x - w * 1.2, y],
    [x - w * 0.75, y - h * 0.86],
    [x + w * 0.75, y - h * 0.86],
    [x + w * 1.2, y],
  ])
  return (
    glow(s, x, y - h, h * 0.7, 0.8) +
    path(tower, wall) +
    s.clip(
      tower,
      rect(s.side > 0 ? x - w * 2 : x, y - h, w * 2, h, s.mood.shadow, 0, 0.2) +
        rect(x - w * 2, y - h * 0.5, w * 4, h * 0.14, s.tone(PAINT.waratah, 0.1)),
    ) +
    rect(x - w, y - h * 0.89, w * 2, h * 0.04, s.tone(PAINT.ink)) +
    rect(x - w * 0.55, y - h, w * 1.1, h * 0.11, '#FFE7AE') +
    path(
      polygon([
        [x - w * 0.8, y - h],
        [x, y - h * 1.13],
        [x + w * 0.8, y - h],
      ]),
      s.tone(PAINT.waratah, 0.1),
    ) +
    path(
      `M${n(x - w * 9)} ${n(y + 46)}Q${n(x - w * 4)} ${n(y - 12)} ${n(x)} ${n(y - 8)}Q${n(x + w * 5)} ${n(y - 10)} ${n(x + w * 11)} ${n(y + 46)}Z`,
      s.mood.land[1],
    )
  )
}

function sail(s: Stage, x: number, y: number, h: number): string {
  return (
    path(
      `M${n(x)} ${n(y - h)}Q${n(x + h * 0.34)} ${n(y - h * 0.4)} ${n(x + h * 0.4)} ${n(y - h * 0.1)}H${n(x)}Z`,
      s.lit(PAINT.cream, 0.2),
    ) +
    path(
      `M${n(x - 4)} ${n(y - h * 0.85)}Q${n(x - h * 0.22)} ${n(y - h * 0.35)} ${n(x - h * 0.26)} ${n(y - h * 0.1)}H${n(x - 4)}Z`,
      s.dim(PAINT.cream, 0.18),
    ) +
    path(
      `M${n(x - h * 0.32)} ${n(y - h * 0.06)}H${n(x + h * 0.46)}Q${n(x + h * 0.3)} ${n(y + h * 0.06)} ${n(x + h * 0.1)} ${n(y + h * 0.06)}H${n(x - h * 0.2)}Z`,
      s.dim(PAINT.ink, 0.1),
    ) +
    stroke(`M${n(x - h * 0.2)} ${n(y + h * 0.12)}h${n(h * 0.5)}`, s.mood.glint, 3, 0.5)
  )
}

/** An open timber pavilion with one of three roofs. */
export function pavilion(s: Stage, x: number, y: number, w: number, roof: number): string {
  const eave = y - w * 0.27
  const top = eave - w * (roof === 1 ? 0.26 : 0.19)
  let out =
    rect(x - w / 2, eave, w, y - eave, litPane(s), 0, 0.45 + 0.4 * s.mood.lamps) +
    glow(s, x, y - w * 0.14, w * 0.5, 0.6)
  for (let i = 0; i <= 6; i++)
    out += rect(x - w / 2 + (i * w) / 6 - 5, eave, 10, y - eave, s.dim(PAINT.walnut, 0.15))
  out += line(
    [
      [x - w / 2, y - w * 0.08],
      [x + w / 2, y - w * 0.08],
    ],
    s.dim(PAINT.walnut, 0.2),
    5,
  )
  const shape: Point[] =
    roof === 0
      ? [
          [x - w * 0.57, eave + 6],
          [x - w * 0.3, top],
          [x + w * 0.3, top],
          [x + w * 0.57, eave + 6],
        ]
      : roof === 1
        ? [
            [x - w * 0.57, eave + 6],
            [x - w * 0.08, top],
            [x + w * 0.08, top],
            [x + w * 0.57, eave + 6],
          ]
        : [
            [x - w * 0.57, eave - w * 0.02],
            [x - w * 0.55, eave - w * 0.13],
            [x + w * 0.57, eave - w * 0.05],
            [x + w * 0.57, eave + 8],
          ]
  const d = polygon(shape)
  out += path(d, s.tone(roof === 2 ? PAINT.iron : PAINT.terracotta))
  let lines = ''
  for (let i = -14; i <= 14; i++)
    lines += `M${n(x + i * w * 0.02)} ${n(top - 4)}L${n(x + i * w * 0.042)} ${n(eave + 8)}`
  out += s.clip(
    d,
    rect(s.side > 0 ? x - w : x, top, w, w * 0.4, s.mood.ink, 0, 0.24) + stroke(lines, s.mood.ink, 3, 0.22),
  )
  out += rect(x - w * 0.575, eave + 2, w * 1.15, 9, s.dim(PAINT.walnut, 0.2))
  out +=
    festoon(s, [x - w * 0.5, eave + 14], [x, eave + 14], 22, 34, 6) +
    festoon(s, [x, eave + 14], [x + w * 0.5, eave + 14], 22, 34, 6)
  return out
}

export const rooftop: Composition = {
  moods: ['dusk', 'night', 'ember', 'rose', 'golden', 'wattle'],
  draw: (s) => {
    const r = s.random('roof')
    const horizon = s.h * 0.6
    const u = s.u
    const edge = s.h * 0.7
    let out = sky(s, { horizon: edge })
    out += skyline(s, r, horizon + 20, s.h * 0.34, false)
    const harbour = r.chance(0.5)
    if (harbour)
      out += archBridge(s, s.cx - s.side * 300 * u, horizon + 18, 560 * u) + water(s, horizon + 14, edge)
    else out += skyline(s, r, edge, s.h * 0.36, true)
    // parapet and planters
    out +=
      rect(0, edge - 12, s.w, s.h * 0.1, s.dim(PAINT.stone, 0.3)) +
      rect(0, edge - 20, s.w, 14, s.tone(PAINT.stone))
    const p = perspective([s.cx, s.h * 0.4], s.h * 0.62)
    out += rect(
      0,
      edge + s.h * 0.05,
      s.w,
      s.h,
      s.linear([
        [0, s.tone(PAINT.oak)],
        [1, s.dim(PAINT.timber, 0.45)],
      ]),
    )
    let boards = ''
    for (let i = -24; i <= 24; i++)
      boards += `M${p
        .at(i * 120, 0, 3)
        .map(n)
        .join(' ')}L${p
        .at(i * 120, 0, 0.9)
        .map(n)
        .join(' ')}`
    out += s.clip(
      `M0 ${n(edge + s.h * 0.05)}H${n(s.w)}V${n(s.h)}H0Z`,
      stroke(boards, s.dim(PAINT.walnut, 0.4), 3, 0.5),
    )
    out += lightPool(s, s.cx, s.h * 0.88, 520 * u, 100, 0.8)
    for (const k of [-1, 1]) {
      const x0 = s.w / 2 + k * Math.min(s.w * 0.5, 760)
      out += shrubs(s, r, Math.min(x0, x0 - k * 260 * u), Math.max(x0, x0 - k * 260 * u), edge + 8, 80 * u)
      out +=
        rect(Math.min(x0, x0 - k * 280 * u) - 20, edge + 2, 300 * u, 60, s.dim(PAINT.terracotta, 0.12), 4) +
        rect(Math.min(x0, x0 - k * 280 * u) - 20, edge + 2, 300 * u, 8, s.lit(PAINT.terracotta, 0.3), 4)
    }
    const lx = s.w / 2 - Math.min(s.w * 0.46, 660)
    const rx = s.w / 2 + Math.min(s.w * 0.46, 660)
    const top = s.h * 0.2
    out += post(s, lx, edge + 30, edge + 30 - top, 10) + post(s, rx, edge + 30, edge + 30 - top - 30, 10)
    out +=
      festoon(s, [lx, top], [rx, top + 30], 100, 52, 9) +
      festoon(s, [lx, top + 4], [s.cx + 160, -20], 70, 50, 9) +
      festoon(s, [rx, top + 30], [s.cx - 200, -20], 90, 50, 9)
    const spots = [-0.36, -0.24, -0.02, 0.1, 0.27].map(
      (k) =>
        [
          s.cx + k * Math.min(s.w, 1200) + r.range(-20, 20),
          s.h * r.range(0.86, 0.93),
          r.range(236, 256) * u,
        ] as const,
    )
    out += guests(s, r, spots)
    for (const k of [-0.13, 0.19]) {
      const tx = s.cx + k * Math.min(s.w, 1200)
      out +=
        castShadow(s, tx, s.h * 0.955, 40, 160, 0.3) +
        line(
          [
            [tx, s.h * 0.955],
            [tx, s.h * 0.82],
          ],
          s.dim(PAINT.ink, 0.1),
          9,
        ) +
        ellipse(tx, s.h * 0.955, 44 * u, 9, s.dim(PAINT.ink, 0.1)) +
        ellipse(tx, s.h * 0.82, 76 * u, 15, s.lit(PAINT.cream, 0.1)) +
        vase(s, r, tx - 14, s.h * 0.82, 70 * u) +
        glass(s, tx + 26 * u, s.h * 0.823, 52 * u) +
        glass(s, tx + 44 * u, s.h * 0.818, 52 * u, PAINT.waratah)
    }
    return out
  },
}
