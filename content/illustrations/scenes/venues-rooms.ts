import { n, perspective, polygon } from '../geometry.ts'
import { PAINT } from '../palette.ts'
import { garland, posyColours, vase } from '../parts/flowers.ts'
import { ground, lightPool, ranges } from '../parts/land.ts'
import { candle, festoon, paperLantern } from '../parts/lights.ts'
import { guests } from '../parts/people.ts'
import { arch, opening, pendant, potPlant, room, view } from '../parts/room.ts'
import { sky } from '../parts/sky.ts'
import { chair, clothTable, glass, roundTable } from '../parts/table.ts'
import { cypress, leaf, roundTree } from '../parts/trees.ts'
import type { Composition } from '../stage.ts'
import { path, rect, stroke } from '../svg.ts'

const courtyard: Composition = {
  moods: ['golden', 'rose', 'morning', 'dusk', 'wattle', 'sage', 'ember'],
  draw: (s) => {
    const r = s.random('court')
    const u = s.u
    const floor = s.h * 0.72
    const wall = r.pick([PAINT.cream, PAINT.blush, PAINT.terracotta, PAINT.sand, '#E9C7A0'] as const)
    const horizon = floor - 70
    let out = room(s, floor, wall, PAINT.stone, false)
    const p = perspective([s.cx, s.h * 0.45], s.h * 0.56)
    let tiles = ''
    for (let row = 0; row < 9; row++)
      for (let i = -16; i < 16; i++)
        if ((row + i) % 2) {
          const z0 = 2.1 / (1 + row * 0.16)
          const z1 = 2.1 / (1 + (row + 1) * 0.16)
          tiles += polygon([
            p.at(i * 150, 0, z0),
            p.at((i + 1) * 150, 0, z0),
            p.at((i + 1) * 150, 0, z1),
            p.at(i * 150, 0, z1),
          ])
        }
    out += s.clip(
      `M0 ${n(floor)}H${n(s.w)}V${n(s.h)}H0Z`,
      path(tiles, s.tone(r.pick([PAINT.terracotta, PAINT.eucalypt, PAINT.walnut])), 0.32),
    )
    // arches open to the country beyond
    const aw = 236 * u
    const ah = 430 * u
    const gap = aw * 1.3
    const seen =
      view(s, horizon, r.int(0, 1)) +
      cypress(s, r, s.cx - 90, horizon + 40, 240, 0.2) +
      cypress(s, r, s.cx + gap + 60, horizon + 34, 200, 0.25) +
      roundTree(s, r, s.cx - gap, horizon + 50, 250, PAINT.gum, 0.2)
    const count = Math.ceil(s.w / gap / 2)
    for (let i = -count; i <= count; i++) {
      const x = s.cx + i * gap
      out +=
        path(arch(x - s.side * 26, floor, aw, ah), s.dim(wall, 0.34)) +
        opening(s, arch(x, floor, aw - 26, ah - 22), { x, y: floor, w: aw, h: ah }, seen, wall, [1, 1])
      const lean = -s.side * 230
      out += s.clip(
        `M0 ${n(floor)}H${n(s.w)}V${n(s.h)}H0Z`,
        path(
          `M${n(x - aw / 2)} ${n(floor)}H${n(x + aw / 2)}L${n(x + aw / 2 + lean)} ${n(floor + 210)}Q${n(x + lean)} ${n(floor + 270)} ${n(x - aw / 2 + lean)} ${n(floor + 210)}Z`,
          s.mood.sun,
          s.mood.lamps > 0.9 ? 0.16 : 0.36,
        ),
      )
    }
    // the shade of a tree on the wall
    let shade = ''
    for (let i = 0; i < 70; i++)
      shade += leaf(
        s.w / 2 - s.side * s.w * 0.42 + r.range(-260, 260),
        r.range(20, 330),
        r.range(36, 70),
        r.range(0, 6.3),
        r.range(9, 16),
        0.2,
      )
    out += path(shade, s.mood.shadow, 0.17)
    const beams = s.h * 0.09
    out +=
      festoon(s, [-20, beams], [s.cx, beams + 10], 64, 50, 9) +
      festoon(s, [s.cx, beams + 10], [s.w + 20, beams], 64, 50, 9)
    const half = 330 * u
    const ty = s.h * 0.8
    const seats = [-0.8, -0.4, 0, 0.4, 0.8]
    out += lightPool(s, s.cx, s.h * 0.93, half * 1.4, 70)
    for (const k of seats)
      out += chair(s, s.cx + k * half, ty + 62 * u, 220 * u, r.pick([PAINT.walnut, PAINT.walnut, PAINT.oak]))
    out += clothTable(s, r, s.cx - half, s.cx + half, ty, s.h * 0.935, PAINT.cream)
    const pts = Array.from(
      { length: 17 },
      (_, i) => [s.cx - half * 0.9 + (i * half * 1.8) / 16, ty - 6] as const,
    )
    out += garland(s, r, pts, 40 * u, 0.5, posyColours(r))
    for (const k of [-0.72, -0.25, 0.22, 0.7]) out += candle(s, s.cx + k * half, ty - 4, 92 * u)
    for (const k of [-0.9, -0.5, -0.06, 0.42, 0.86])
      out += glass(s, s.cx + k * half, ty, 72 * u, r.pick([PAINT.straw, PAINT.waratah]))
    out +=
      potPlant(s, r, s.w / 2 + s.side * Math.min(s.w * 0.43, 640), s.h * 0.95, 390 * u) +
      potPlant(s, r, s.w / 2 - s.side * Math.min(s.w * 0.46, 690), s.h * 0.9, 300 * u, PAINT.sand)
    return out
  },
}

const glasshouse: Composition = {
  moods: ['golden', 'morning', 'dusk', 'night', 'sage', 'rose'],
  draw: (s) => {
    const r = s.random('glass')
    const u = s.u
    const floor = s.h * 0.66
    const horizon = floor - 60
    const frame = r.pick([PAINT.cream, PAINT.ink, PAINT.eucalypt])
    let out = sky(s, { horizon }) + ranges(s, horizon, 120) + ground(s, horizon)
    for (const k of [-0.42, -0.2, 0.24, 0.44])
      out += roundTree(
        s,
        r,
        s.cx + k * s.w,
        horizon + r.range(20, 46),
        r.range(240, 380),
        r.pick([PAINT.gum, PAINT.mauve, PAINT.olive]),
        0.25,
      )
    // ribs and panes of the glasshouse
    const steel = s.dim(frame, 0.1)
    const bay = 250 * u
    const spring = s.h * 0.3
    const bays = Math.ceil(s.w / bay / 2) + 1
    out += rect(0, 0, s.w, floor, s.mood.halo, 0, 0.08)
    let thin = ''
    let thick = ''
    for (let i = -bays; i <= bays; i++) {
      const x = s.cx + i * bay + bay / 2
      thick += `M${n(x)} ${n(floor)}V${n(spring)}L${n(s.cx + (x - s.cx) * 0.45)} ${n(-40)}`
      thin += `M${n(x - bay / 2)} ${n(floor)}V${n(spring - 20)}L${n(s.cx + (x - bay / 2 - s.cx) * 0.45)} ${n(-40)}`
      thin += `M${n(x - bay)} ${n(spring + 60)}Q${n(x - bay / 2)} ${n(spring - 90)} ${n(x)} ${n(spring + 60)}`
    }
    for (const y of [spring, spring + (floor - spring) * 0.36, spring * 0.52]) thin += `M0 ${n(y)}H${n(s.w)}`
    out += stroke(thin, steel, 5, 0.9) + stroke(thick, steel, 11)
    const p = perspective([s.cx, s.h * 0.42], s.h * 0.6)
    out += rect(
      0,
      floor,
      s.w,
      s.h - floor,
      s.linear([
        [0, s.tone(PAINT.paper)],
        [1, s.dim(PAINT.sand, 0.25)],
      ]),
    )
    let tiles = ''
    for (let row = 0; row < 9; row++)
      for (let i = -18; i < 18; i++)
        if ((row + i) % 2) {
          const z0 = 2.5 / (1 + row * 0.2)
          const z1 = 2.5 / (1 + (row + 1) * 0.2)
          tiles += polygon([
            p.at(i * 130, 0, z0),
            p.at((i + 1) * 130, 0, z0),
            p.at((i + 1) * 130, 0, z1),
            p.at(i * 130, 0, z1),
          ])
        }
    out += s.clip(
      `M0 ${n(floor)}H${n(s.w)}V${n(s.h)}H0Z`,
      path(tiles, s.tone(r.pick([PAINT.eucalypt, PAINT.terracotta, PAINT.ink])), 0.5),
    )
    out +=
      rect(0, floor - 34, s.w, 36, s.dim(PAINT.stone, 0.2)) + rect(0, floor - 38, s.w, 8, s.tone(PAINT.stone))
    for (let i = 0; i < s.w / 120; i++)
      out += potPlant(
        s,
        r,
        i * 122 + r.range(0, 60),
        floor + r.range(4, 22),
        r.range(130, 250),
        r.pick([PAINT.terracotta, PAINT.sand, PAINT.teal]),
      )
    const lamps = r.chance(0.5)
    for (const [k, y] of [
      [-0.3, 0.16],
      [-0.08, 0.25],
      [0.13, 0.13],
      [0.33, 0.22],
    ] as const)
      out += lamps
        ? paperLantern(
            s,
            s.cx + k * 1200 * u,
            s.h * y,
            52 * u,
            r.pick([PAINT.cream, PAINT.blush, PAINT.wattle]),
            -10,
          )
        : pendant(s, s.cx + k * 1200 * u, s.h * y, 96 * u)
    const tables = [
      [-0.31, 0.79, 0.7],
      [0.31, 0.8, 0.72],
      [-0.02, 0.92, 1],
    ] as const
    for (const [k, y, z] of tables) {
      const x = s.cx + k * Math.min(s.w, 1300)
      const wide = 330 * u * z
      const foot = s.h * y
      out += lightPool(s, x, foot, wide, 50)
      for (const c of [-0.78, 0.78]) out += chair(s, x + c * wide, foot, 215 * u * z, PAINT.walnut)
      out +=
        roundTable(s, x, foot, wide, 128 * u * z, PAINT.cream) +
        vase(s, r, x, foot - 128 * u * z + 4, 190 * u * z)
      for (const c of [-0.34, -0.22, 0.24, 0.36])
        out += glass(s, x + c * wide, foot - 122 * u * z, 60 * u * z, PAINT.straw)
      for (const c of [-0.12, 0.13]) out += candle(s, x + c * wide, foot - 120 * u * z, 70 * u * z)
    }
    if (r.chance(0.5))
      out += guests(s, r, [
        [s.cx + s.side * 170 * u, s.h * 0.78, 190 * u],
        [s.cx + s.side * 232 * u, s.h * 0.785, 196 * u],
      ])
    return out
  },
}

export const roomVenues = {
  'venue-courtyard': courtyard,
  'venue-glasshouse': glasshouse,
} as const
