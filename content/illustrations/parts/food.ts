import { blob, n, polygon } from '../geometry.ts'
import { type Hex, PAINT } from '../palette.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { circle, ellipse, group, line, path, rect, stroke } from '../svg.ts'
import { roundShadow } from './flatlay.ts'
import { leaf } from './trees.ts'

/** A small dish on a plate, one of several kinds, from above. */
export function dish(s: Stage, r: Random, x: number, y: number, radius: number, kind = r.int(0, 6)): string {
  const t = s.tone
  const k = radius
  let out = ''
  const herbs = (count: number, spread: number) => {
    let d = ''
    for (let i = 0; i < count; i++)
      d += leaf(
        x + r.range(-spread, spread) * k,
        y + r.range(-spread, spread) * k,
        k * 0.2,
        r.range(0, 6.3),
        k * 0.055,
        0.2,
      )
    return path(d, s.tone(PAINT.gum))
  }
  if (kind === 0) {
    // prawns curled around a sauce
    out +=
      circle(x, y, k * 0.2, t(PAINT.wattle)) +
      circle(x + s.side * k * 0.05, y - k * 0.05, k * 0.1, s.lit(PAINT.wattle, 0.5))
    for (let i = 0; i < 6; i++) {
      const a = (i / 6) * 6.28 + 0.3
      const px = x + Math.cos(a) * k * 0.44
      const py = y + Math.sin(a) * k * 0.44
      const d = `M${n(px - k * 0.14)} ${n(py + k * 0.06)}A${n(k * 0.14)} ${n(k * 0.14)} 0 1 1 ${n(px + k * 0.1)} ${n(py + k * 0.11)}`
      out += stroke(d, t(PAINT.coral), k * 0.12) + stroke(d, s.lit(PAINT.blush, 0.3), k * 0.035, 0.9)
    }
    out += herbs(6, 0.4)
  } else if (kind === 1) {
    // tomato tarts
    for (const [a, b] of [
      [-0.28, -0.2],
      [0.28, -0.24],
      [0, 0.3],
    ] as const) {
      out +=
        roundShadow(s, x + a * k, y + b * k, k * 0.24, 5) +
        circle(x + a * k, y + b * k, k * 0.26, t(PAINT.oak)) +
        circle(x + a * k, y + b * k, k * 0.2, t(PAINT.sand))
      for (let i = 0; i < 4; i++)
        out += circle(
          x + a * k + Math.cos(i * 1.57 + a) * k * 0.1,
          y + b * k + Math.sin(i * 1.57 + a) * k * 0.1,
          k * 0.075,
          t(i % 2 ? PAINT.waratah : PAINT.coral),
        )
    }
    out += herbs(7, 0.35)
  } else if (kind === 2) {
    // greens with radish and seeds
    for (let i = 0; i < 16; i++)
      out += path(
        leaf(x, y, k * r.range(0.34, 0.58), r.range(0, 6.3), k * 0.12, r.range(-0.2, 0.2)),
        r.pick([t(PAINT.gum), t(PAINT.leaf), s.dim(PAINT.eucalypt, 0.05), t(PAINT.olive)]),
      )
    for (let i = 0; i < 6; i++) {
      const [a, b] = [x + r.range(-0.34, 0.34) * k, y + r.range(-0.34, 0.34) * k]
      out += circle(a, b, k * 0.1, t(PAINT.waratah)) + circle(a, b, k * 0.08, s.lit(PAINT.cream, 0.3))
    }
  } else if (kind === 3) {
    // oysters on the half shell with lemon
    for (let i = 0; i < 5; i++) {
      const a = (i / 5) * 6.28 - 0.6
      const px = x + Math.cos(a) * k * 0.4
      const py = y + Math.sin(a) * k * 0.4
      out +=
        path(blob(r, px, py, k * 0.22, k * 0.17, 0.14, 8), s.dim(PAINT.stone, 0.25)) +
        path(blob(r, px, py, k * 0.17, k * 0.13, 0.1, 8), s.lit(PAINT.cream, 0.4)) +
        path(blob(r, px, py, k * 0.1, k * 0.07, 0.12, 7), t(PAINT.iron))
    }
    out +=
      circle(x, y, k * 0.17, t(PAINT.wattle)) +
      circle(x, y, k * 0.13, s.lit(PAINT.wattle, 0.6)) +
      stroke(
        `M${n(x - k * 0.13)} ${n(y)}h${n(k * 0.26)}M${n(x)} ${n(y - k * 0.13)}v${n(k * 0.26)}`,
        t(PAINT.wattle),
        k * 0.03,
      )
  } else if (kind === 4) {
    // skewers
    for (let i = -1; i <= 1; i++) {
      const py = y + i * k * 0.27
      out += line(
        [
          [x - k * 0.6, py + k * 0.1],
          [x + k * 0.6, py - k * 0.1],
        ],
        t(PAINT.oak),
        k * 0.035,
      )
      for (let j = -2; j <= 2; j++)
        out += path(
          blob(r, x + j * k * 0.17, py - j * k * 0.028, k * 0.11, k * 0.1, 0.16, 6),
          t(j % 2 ? PAINT.terracotta : r.pick([PAINT.waratah, PAINT.olive, PAINT.timber])),
        )
    }
    out += herbs(4, 0.4)
  } else if (kind === 5) {
    // fig, cheese and honey
    for (let i = 0; i < 5; i++) {
      const a = (i / 5) * 6.28
      const px = x + Math.cos(a) * k * 0.36
      const py = y + Math.sin(a) * k * 0.36
      out +=
        path(leaf(px - k * 0.18, py, k * 0.36, 0.2 + a, k * 0.17, 0), s.dim(PAINT.walnut, 0.1)) +
        path(leaf(px - k * 0.13, py, k * 0.27, 0.2 + a, k * 0.11, 0), t(PAINT.coral))
    }
    out +=
      path(blob(r, x, y, k * 0.2, k * 0.17, 0.18, 7), s.lit(PAINT.cream, 0.3)) +
      stroke(
        `M${n(x - k * 0.4)} ${n(y - k * 0.1)}q${n(k * 0.2)} ${n(k * 0.2)} ${n(k * 0.4)} 0t${n(k * 0.4)} ${n(k * 0.1)}`,
        t(PAINT.wattle),
        k * 0.04,
        0.9,
      ) +
      herbs(5, 0.36)
  } else {
    // a pool of dip, oil and flat bread
    out +=
      path(blob(r, x, y, k * 0.5, k * 0.46, 0.07, 9), t(PAINT.sand)) +
      stroke(
        `M${n(x - k * 0.3)} ${n(y)}A${n(k * 0.3)} ${n(k * 0.28)} 0 1 1 ${n(x + k * 0.14)} ${n(y + k * 0.24)}`,
        s.lit(PAINT.cream, 0.2),
        k * 0.08,
        0.8,
      ) +
      path(blob(r, x, y, k * 0.17, k * 0.14, 0.1, 7), t(PAINT.wattle)) +
      circle(x + k * 0.06, y, k * 0.045, t(PAINT.waratah))
    out +=
      path(
        polygon([
          [x + k * 0.2, y + k * 0.3],
          [x + k * 0.7, y + k * 0.24],
          [x + k * 0.44, y + k * 0.66],
        ]),
        t(PAINT.oak),
      ) + herbs(4, 0.3)
  }
  return out
}

export function heap(
  s: Stage,
  r: Random,
  x: number,
  y: number,
  w: number,
  what: 'fruit' | 'bread' | 'pastry',
): string {
  let out = ''
  if (what === 'fruit') {
    const paints = r.pick<readonly Hex[]>([
      [PAINT.waratah, PAINT.coral, PAINT.wattle],
      [PAINT.wattle, PAINT.olive, PAINT.terracotta],
      [PAINT.mauve, PAINT.waratah, PAINT.leaf],
    ])
    for (let row = 0; row < 3; row++)
      for (let i = 0; i < 5 - row; i++) {
        const px = x + (i - (4 - row) / 2) * w * 0.2
        const py = y - w * 0.1 - row * w * 0.15
        const c = paints[(i + row) % 3] ?? PAINT.coral
        out +=
          circle(px, py, w * 0.115, s.tone(c)) +
          circle(px + s.side * w * 0.03, py - w * 0.035, w * 0.055, s.lit(c, 0.5), 0.8)
      }
    return (
      out +
      path(
        leaf(x, y - w * 0.5, w * 0.3, -1, w * 0.07) + leaf(x, y - w * 0.5, w * 0.28, -2.3, w * 0.07),
        s.tone(PAINT.gum),
      )
    )
  }
  if (what === 'pastry') {
    for (let row = 0; row < 3; row++)
      for (let i = 0; i < 4 - row; i++) {
        const px = x + (i - (3 - row) / 2) * w * 0.25
        const py = y - w * 0.06 - row * w * 0.15
        out +=
          ellipse(px, py, w * 0.14, w * 0.1, s.tone(PAINT.oak)) +
          ellipse(px + s.side * w * 0.02, py - w * 0.03, w * 0.1, w * 0.055, s.lit(PAINT.oak, 0.5)) +
          circle(px, py - w * 0.08, w * 0.035, s.tone(PAINT.waratah))
      }
    return out
  }
  for (const [dx, dy, a] of [
    [-0.26, 0.12, -8],
    [0.22, 0.13, 10],
    [0, 0.32, -3],
  ] as const) {
    const d = `M${n(-w * 0.34)} 0Q${n(-w * 0.3)} ${n(-w * 0.19)} 0 ${n(-w * 0.19)}T${n(w * 0.34)} 0Q0 ${n(w * 0.12)} ${n(-w * 0.34)} 0Z`
    out += group(
      `translate(${n(x + dx * w)} ${n(y - dy * w + w * 0.06)}) rotate(${a})`,
      path(d, s.tone(PAINT.timber)) +
        path(
          `M${n(-w * 0.26)} ${n(-w * 0.06)}Q0 ${n(-w * 0.22)} ${n(w * 0.26)} ${n(-w * 0.07)}Q0 ${n(-w * 0.12)} ${n(-w * 0.26)} ${n(-w * 0.06)}Z`,
          s.lit(PAINT.oak, 0.3),
        ) +
        stroke(
          [-0.15, 0, 0.15].map((k) => `M${n(k * w - 5)} ${n(-w * 0.16)}l14 ${n(w * 0.08)}`).join(''),
          s.lit(PAINT.sand, 0.4),
          w * 0.025,
        ),
    )
  }
  return out
}

export function cheese(s: Stage, x: number, y: number, w: number): string {
  return (
    ellipse(x, y - 2, w * 0.8, w * 0.08, s.dim(PAINT.walnut, 0.1)) +
    path(
      `M${n(x - w * 0.6)} ${n(y - 6)}V${n(y - w * 0.5)}H${n(x + w * 0.25)}V${n(y - 6)}Z`,
      s.tone(PAINT.straw),
    ) +
    path(
      `M${n(x - w * 0.6)} ${n(y - w * 0.5)}Q${n(x - w * 0.2)} ${n(y - w * 0.62)} ${n(x + w * 0.25)} ${n(y - w * 0.5)}Z`,
      s.lit(PAINT.straw, 0.5),
    ) +
    path(
      `M${n(x + w * 0.32)} ${n(y - 6)}L${n(x + w * 0.34)} ${n(y - w * 0.4)}L${n(x + w * 0.8)} ${n(y - 6)}Z`,
      s.lit(PAINT.cream, 0.2),
    ) +
    circle(x - w * 0.3, y - w * 0.2, w * 0.05, s.dim(PAINT.straw, 0.2)) +
    circle(x - w * 0.02, y - w * 0.32, w * 0.04, s.dim(PAINT.straw, 0.2)) +
    [0, 1, 2, 3, 4]
      .map((i) =>
        circle(x - w * 0.55 + i * w * 0.09, y - w * 0.56 - (i % 2) * w * 0.07, w * 0.06, s.tone(PAINT.mauve)),
      )
      .join('')
  )
}

export function board(s: Stage, r: Random, x: number, y: number, w: number): string {
  let out =
    rect(x - w / 2, y - w * 0.07, w, w * 0.07, s.tone(PAINT.timber), 5) +
    line(
      [
        [x - w / 2 + 6, y - w * 0.066],
        [x + w / 2 - 6, y - w * 0.066],
      ],
      s.lit(PAINT.oak, 0.4),
      3,
    )
  for (let i = 0; i < 7; i++) {
    const px = x - w * 0.42 + i * w * 0.14
    const c = r.pick([PAINT.waratah, PAINT.coral, PAINT.olive, PAINT.straw])
    out +=
      path(
        `M${n(px - w * 0.055)} ${n(y - w * 0.07)}Q${n(px)} ${n(y - w * 0.24)} ${n(px + w * 0.055)} ${n(y - w * 0.07)}Z`,
        s.tone(PAINT.sand),
      ) +
      path(blob(r, px, y - w * 0.155, w * 0.05, w * 0.035, 0.15, 7), s.tone(c)) +
      path(leaf(px, y - w * 0.18, w * 0.06, -1.2, w * 0.016), s.tone(PAINT.gum))
  }
  return out
}
