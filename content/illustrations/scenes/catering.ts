import type { Point } from '../geometry.ts'
import { type Hex, PAINT } from '../palette.ts'
import { dapple, fork, glassAbove, plate, surface } from '../parts/flatlay.ts'
import { flower, garland, posyColours, sprig, vase } from '../parts/flowers.ts'
import { board, cheese, dish, heap } from '../parts/food.ts'
import { candle, festoon } from '../parts/lights.ts'
import { arch, ledge, ledgeShadow, opening, room, view } from '../parts/room.ts'
import { bottle, cake, clothTable, glass, stand } from '../parts/table.ts'
import { gumTree, roundTree } from '../parts/trees.ts'
import type { Composition } from '../stage.ts'
import { drinksCart, paella } from './catering-outdoors.ts'

const smallPlates: Composition = {
  moods: ['golden', 'sage', 'rose', 'wattle', 'morning', 'coastal', 'dusk'],
  draw: (s) => {
    const r = s.random('plates')
    const u = s.u
    const [kind, colour] = r.pick<readonly ['linen' | 'planks' | 'gingham' | 'stone' | 'plaster', Hex]>([
      ['linen', PAINT.eucalypt],
      ['planks', PAINT.oak],
      ['gingham', PAINT.cream],
      ['stone', PAINT.paper],
      ['linen', PAINT.terracotta],
      ['plaster', PAINT.teal],
      ['planks', PAINT.walnut],
    ])
    let out = surface(s, kind, colour)
    const spots: [number, number, number][] = []
    const size = r.range(142, 168) * u
    for (let tries = 0; tries < 900 && spots.length < 34; tries++) {
      const k = size * (spots.length < 4 ? 1.12 : r.range(0.62, 1))
      const x = r.range(-0.02, 1.02) * s.w
      const y = r.range(-0.02, 1.02) * s.h
      if (spots.every(([a, b, c]) => Math.hypot(a - x, b - y) > (k + c) * 1.03)) spots.push([x, y, k])
    }
    const glazes = r
      .shuffle<Hex>([
        PAINT.cream,
        PAINT.teal,
        PAINT.cream,
        PAINT.terracotta,
        PAINT.sand,
        PAINT.eucalypt,
        PAINT.blush,
      ])
      .filter((c) => c !== colour)
    const kinds = r.shuffle([0, 1, 2, 3, 4, 5, 6])
    out +=
      sprig(s, r, s.w * 0.1, s.h * 0.9, 340, -0.6) + sprig(s, r, s.w * 0.94, s.h * 0.1, 320, 2.4, PAINT.olive)
    spots.forEach(([x, y, k], i) => {
      if (i > 4 && i % 4 === 0)
        out += glassAbove(s, x, y, k * 0.5, r.pick([PAINT.coral, PAINT.straw, PAINT.waratah]))
      else {
        out +=
          plate(s, x, y, k, glazes[i % glazes.length] ?? PAINT.cream) +
          dish(s, r, x, y, k * 1.22, kinds[i % 7])
        if (i < 4) out += fork(s, x + s.side * k * 1.12, y + k * 0.1, k * 1.25, r.range(-16, 16), i % 2 === 0)
      }
    })
    return out + dapple(s, r.pick(['leaves', 'leaves', 'window']))
  },
}

const grazing: Composition = {
  moods: ['golden', 'rose', 'sage', 'morning', 'dusk', 'wattle'],
  draw: (s) => {
    const r = s.random('graze')
    const u = s.u
    const horizon = s.h * 0.5
    const y = s.h * 0.76
    s.sun.x = s.cx + s.side * 340
    let out = view(s, horizon, r.int(0, 1))
    out += roundTree(
      s,
      r,
      s.cx - s.side * 430 * u,
      horizon + 110,
      600 * u,
      r.pick([PAINT.gum, PAINT.mauve, PAINT.olive]),
      0.1,
    )
    out +=
      festoon(s, [-20, s.h * 0.1], [s.w * 0.5, s.h * 0.05], 70, 54, 10) +
      festoon(s, [s.w * 0.5, s.h * 0.05], [s.w + 20, s.h * 0.13], 70, 54, 10)
    const half = Math.min(s.w * 0.52, 900)
    out += clothTable(
      s,
      r,
      s.cx - half,
      s.cx + half,
      y,
      s.h + 30,
      r.pick([PAINT.cream, PAINT.paper, PAINT.blush]),
    )
    const K = 1.2 * u
    const items: ((x: number) => string)[] = [
      (x) =>
        stand(s, x, y, 200 * K, 110 * K, PAINT.cream) +
        heap(s, r, x, y - 112 * K, 170 * K, r.pick(['fruit', 'pastry'])),
      (x) => vase(s, r, x, y + 4, 330 * K),
      (x) => cheese(s, x, y, 130 * K),
      (x) => board(s, r, x, y, 250 * K),
      (x) =>
        stand(s, x, y, 170 * K, 190 * K, PAINT.terracotta) + heap(s, r, x, y - 192 * K, 140 * K, 'fruit'),
      (x) =>
        bottle(s, x - 20 * K, y + 2, 230 * K, r.pick([PAINT.eucalypt, PAINT.straw])) +
        glass(s, x + 36 * K, y + 4, 120 * K, PAINT.straw) +
        glass(s, x + 74 * K, y + 2, 120 * K, PAINT.waratah),
      (x) => heap(s, r, x, y + 2, 190 * K, 'bread'),
    ]
    const order = r.shuffle(items)
    const gap = 200 * K
    const count = Math.ceil((half * 2) / gap)
    for (let i = 0; i < count; i++) {
      const x = s.cx + (i - (count - 1) / 2) * gap + r.range(-10, 10)
      out += order[i % order.length]?.(x) ?? ''
    }
    for (let i = 0; i < 6; i++)
      out += candle(s, s.cx + r.range(-0.9, 0.9) * half, y + 3, r.range(70, 110) * u)
    const pts = Array.from(
      { length: 34 },
      (_, i): Point => [
        s.cx - half + (i * half * 2) / 33,
        y + 16 + 34 * Math.abs(Math.sin((i / 33) * Math.PI * 3)),
      ],
    )
    return out + garland(s, r, pts, 46 * u, 0.4, posyColours(r))
  },
}

const cakeScene: Composition = {
  moods: ['rose', 'golden', 'morning', 'sage', 'dusk', 'wattle', 'coastal'],
  draw: (s) => {
    const r = s.random('cake')
    const u = s.u
    const y = s.h * 0.78
    const x = s.cx
    let out: string
    if (r.chance(0.5)) {
      const wall = r.pick([PAINT.eucalypt, PAINT.blush, PAINT.terracotta, PAINT.teal, PAINT.sand])
      s.sun.x = x + s.side * 90
      s.sun.y = s.h * 0.3
      out =
        room(s, y, wall, PAINT.oak, false) +
        opening(
          s,
          arch(x, y - 20, 520 * u, s.h * 0.66),
          { x, y, w: 520 * u, h: s.h * 0.66 },
          view(s, s.h * 0.58),
          wall,
          [1, 1],
        )
    } else {
      s.sun.x = x + s.side * 200
      out =
        view(s, s.h * 0.56) +
        gumTree(s, r, x - s.side * 470 * u, s.h * 0.7, 620 * u, 0.08) +
        festoon(s, [-20, s.h * 0.08], [s.w + 20, s.h * 0.1], 100, 54, 10)
    }
    out += ledge(s, y, 66, r.pick([PAINT.cream, PAINT.oak, PAINT.stone, PAINT.blush]))
    const tiers = r.int(2, 4)
    const width = (tiers === 4 ? 270 : tiers === 3 ? 310 : 370) * u
    const icing = r.pick([PAINT.cream, PAINT.cream, PAINT.blush, PAINT.leaf, PAINT.wattle])
    const base = y + 40
    out +=
      ledgeShadow(s, x, base, width * 0.9, 330) +
      stand(
        s,
        x,
        base,
        width * 1.24,
        84 * u,
        r.pick([PAINT.timber, PAINT.terracotta, PAINT.cream, PAINT.teal]),
      )
    const made = cake(s, r, x, base - 84 * u, width, tiers, icing)
    out += made.body
    const colours = posyColours(r)
    const spray = Array.from({ length: 13 }, (_, i): Point => {
      const t = i / 12
      return [
        x + s.side * width * (0.5 - 0.5 * t),
        base - 84 * u - (base - 84 * u - made.top[1]) * t + r.range(-8, 8),
      ]
    })
    out += garland(s, r, spray, 54 * u, 0.9, colours)
    out +=
      flower(s, r, made.top[0], made.top[1] - 26 * u, 46 * u, colours[0] ?? PAINT.blush) +
      flower(s, r, made.top[0] - 46 * u, made.top[1] - 14 * u, 28 * u, colours[1] ?? PAINT.cream, 'daisy') +
      flower(s, r, made.top[0] + 44 * u, made.top[1] - 10 * u, 26 * u, colours[2] ?? PAINT.wattle, 'wattle')
    for (const k of [-1, 1]) {
      const px = x + k * 330 * u
      if (k === s.side) out += ledgeShadow(s, px, y + 40, 60, 160) + vase(s, r, px, y + 44, 250 * u)
      else
        out +=
          ledgeShadow(s, px, y + 46, 30, 150) +
          glass(s, px - 34, y + 46, 190 * u, PAINT.straw, 'coupe') +
          glass(s, px + 60 * u, y + 54, 190 * u, PAINT.straw, 'coupe') +
          candle(s, px - 120 * u, y + 40, 120 * u)
    }
    return out
  },
}

export const cateringScenes = {
  'catering-small-plates': smallPlates,
  'catering-grazing-table': grazing,
  'catering-paella-fire': paella,
  'catering-cake': cakeScene,
  'catering-drinks-cart': drinksCart,
} as const
