import { n, type Point, polygon } from '../geometry.ts'
import { type Hex, mix, PAINT } from '../palette.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { circle, line, path, rect, stroke } from '../svg.ts'
import { castShadow } from './land.ts'
import { glow } from './lights.ts'

/** Warm light behind glass or a door. */
export function litPane(s: Stage): string {
  return s.linear([
    [0, mix('#FFE2A0', s.mood.sky[1], 0.3 * (1 - s.mood.lamps))],
    [1, mix('#F4A94A', s.mood.ink, 0.25 * (1 - s.mood.lamps))],
  ])
}

/** A weatherboard or iron shed with a wide gable and open doors. Foot centre at (x, y). */
export function woolshed(s: Stage, x: number, y: number, w: number, wall: Hex): string {
  const h = w * 0.36
  const peak = w * 0.22
  const base = s.tone(wall)
  const dark = s.dim(wall, 0.35)
  const gable = polygon([
    [x - w / 2, y],
    [x - w / 2, y - h],
    [x, y - h - peak],
    [x + w / 2, y - h],
    [x + w / 2, y],
  ])
  let boards = ''
  for (let i = 1; i < 26; i++) boards += `M${n(x - w / 2 + (i * w) / 26)} ${n(y)}v${n(-h - peak)}`
  const roof = s.tone(PAINT.iron)
  const ln = w * 0.34 * -s.side
  const side = polygon([
    [x + Math.sign(ln) * (w / 2), y],
    [x + Math.sign(ln) * (w / 2), y - h],
    [x + Math.sign(ln) * (w / 2) + ln, y - h * 0.93],
    [x + Math.sign(ln) * (w / 2) + ln, y - w * 0.02],
  ])
  const roofSide = polygon([
    [x, y - h - peak - 8],
    [x + Math.sign(ln) * (w / 2 + 10), y - h + 6],
    [x + Math.sign(ln) * (w / 2 + 10) + ln, y - h * 0.93 + 4],
    [x + ln * 0.95, y - h - peak * 0.9],
  ])
  const dw = w * 0.3
  const dh = h * 0.84
  let roofLines = ''
  for (let i = 1; i < 12; i++) {
    const t = i / 12
    roofLines += `M${n(x + ln * 0.95 * t)} ${n(y - h - peak - 8 + peak * 0.1 * t)}L${n(x + Math.sign(ln) * (w / 2 + 10) + ln * t)} ${n(y - h + 6 - h * -0.07 * t)}`
  }
  return (
    castShadow(s, x, y - 2, w * 1.05, w * 0.55, 0.36) +
    path(side, dark) +
    path(roofSide, s.dim(PAINT.iron, 0.3)) +
    stroke(roofLines, s.dim(PAINT.iron, 0.5), 2.5, 0.6) +
    path(gable, base) +
    s.clip(
      gable,
      stroke(boards, dark, 2.6, 0.55) + rect(x - w / 2, y - h * 0.12, w, h * 0.12, s.mood.ink, 0, 0.16),
    ) +
    rect(x - dw / 2, y - dh, dw, dh, litPane(s)) +
    glow(s, x, y - dh * 0.5, dw * 1.15, 0.8) +
    rect(x - dw * 0.98, y - dh, dw * 0.5, dh, s.dim(PAINT.walnut, 0.15)) +
    rect(x + dw * 0.48, y - dh, dw * 0.5, dh, s.dim(PAINT.walnut, 0.05)) +
    stroke(
      `M${n(x - dw * 0.96)} ${n(y - dh)}L${n(x - dw * 0.5)} ${n(y)}M${n(x + dw * 0.96)} ${n(y - dh)}L${n(x + dw * 0.5)} ${n(y)}`,
      s.tone(PAINT.oak),
      4,
      0.7,
    ) +
    rect(x - w * 0.05, y - h - peak * 0.5, w * 0.1, peak * 0.28, litPane(s)) +
    stroke(
      `M${n(x - w / 2 - 14)} ${n(y - h + 8)}L${n(x)} ${n(y - h - peak - 6)}L${n(x + w / 2 + 14)} ${n(y - h + 8)}`,
      roof,
      13,
    ) +
    stroke(
      `M${n(x)} ${n(y - h - peak - 10)}L${n(x + s.side * (w / 2 + 14))} ${n(y - h + 4)}`,
      s.lit(PAINT.iron, 0.6),
      4,
    )
  )
}

/** A corrugated rain tank on its stand. */
export function rainTank(s: Stage, x: number, y: number, w: number): string {
  const h = w * 0.95
  const d = `M${n(x - w / 2)} ${n(y - h)}V${n(y)}Q${n(x)} ${n(y + w * 0.1)} ${n(x + w / 2)} ${n(y)}V${n(y - h)}L${n(x)} ${n(y - h * 1.2)}Z`
  let ribs = ''
  for (let i = 1; i < 8; i++)
    ribs += `M${n(x - w / 2)} ${n(y - (h * i) / 8)}q${n(w / 2)} ${n(w * 0.1)} ${n(w)} 0`
  return (
    castShadow(s, x, y, w, w * 1.4) +
    path(d, s.tone(PAINT.iron)) +
    s.clip(
      d,
      rect(s.side > 0 ? x - w / 2 : x, y - h * 1.3, w / 2, h * 1.5, s.mood.ink, 0, 0.22) +
        stroke(ribs, s.dim(PAINT.iron, 0.4), 3, 0.6),
    )
  )
}

/** A windmill for bore water, typical of the inland. */
export function windmill(s: Stage, x: number, y: number, h: number): string {
  const c = mix(s.mood.land[3], s.mood.ink, 0.2)
  let vanes = ''
  const cy = y - h
  for (let i = 0; i < 12; i++) {
    const a = (i / 12) * Math.PI * 2
    vanes += `M${n(x + Math.cos(a) * h * 0.06)} ${n(cy + Math.sin(a) * h * 0.06)}L${n(x + Math.cos(a - 0.1) * h * 0.19)} ${n(cy + Math.sin(a - 0.1) * h * 0.19)}L${n(x + Math.cos(a + 0.13) * h * 0.19)} ${n(cy + Math.sin(a + 0.13) * h * 0.19)}Z`
  }
  return (
    stroke(
      `M${n(x - h * 0.12)} ${n(y)}L${n(x)} ${n(cy)}L${n(x + h * 0.12)} ${n(y)}M${n(x - h * 0.09)} ${n(y - h * 0.25)}L${n(x + h * 0.06)} ${n(y - h * 0.5)}M${n(x + h * 0.09)} ${n(y - h * 0.25)}L${n(x - h * 0.06)} ${n(y - h * 0.5)}`,
      c,
      h * 0.016,
    ) +
    path(vanes, c) +
    path(`M${n(x)} ${n(cy)}l${n(h * 0.24)} ${n(-h * 0.04)}v${n(h * 0.09)}Z`, c) +
    circle(x, cy, h * 0.02, c)
  )
}

/** City towers, far or near, with lit windows. */
export function skyline(s: Stage, r: Random, base: number, height: number, near: boolean): string {
  const colour = near ? mix(s.mood.land[2], s.mood.land[3], 0.4) : mix(s.mood.land[0], s.mood.haze, 0.3)
  let out = ''
  let panes = ''
  for (let x = -30; x < s.w + 30; ) {
    const w = r.range(46, 104) * (near ? 1.15 : 0.9)
    const centre = 1 - Math.min(1, Math.abs(x + w / 2 - s.w * 0.5) / (s.w * 0.55))
    const h = height * (0.25 + 0.75 * centre * r.range(0.35, 1) + 0.1 * r.next())
    const top = base - h
    const kind = r.int(0, 5)
    const roof: Point[] =
      kind === 0
        ? [
            [x, top + w * 0.35],
            [x + w, top],
          ]
        : kind === 1
          ? [
              [x, top],
              [x + w * 0.5, top - w * 0.45],
              [x + w, top],
            ]
          : kind === 2
            ? [
                [x, top + 22],
                [x + w * 0.2, top + 22],
                [x + w * 0.2, top],
                [x + w * 0.8, top],
                [x + w * 0.8, top + 22],
                [x + w, top + 22],
              ]
            : [
                [x, top],
                [x + w, top],
              ]
    out += path(
      polygon([[x, base + 10], ...roof, [x + w, base + 10]]),
      r.chance(0.4) ? mix(colour, s.mood.ink, 0.1) : colour,
    )
    out += rect(
      s.sun.x > x ? x + w * 0.86 : x,
      top + w * 0.36,
      w * 0.14,
      h,
      s.mood.halo,
      0,
      near ? 0.35 : 0.25,
    )
    if (kind === 3)
      out += line(
        [
          [x + w * 0.5, top],
          [x + w * 0.5, top - h * 0.22],
        ],
        colour,
        4,
      )
    const step = near ? 17 : 14
    for (let wy = top + 30; wy < base - 12; wy += step * 1.25)
      for (let wx = x + 9; wx < x + w - 12; wx += step)
        if (r.chance(near ? 0.42 : 0.3))
          panes += `M${n(wx)} ${n(wy)}h${n(step * 0.42)}v${n(step * 0.55)}h${n(-step * 0.42)}Z`
    x += w * r.range(0.86, 1.12)
  }
  return (
    out +
    path(
      panes,
      s.mood.lamps > 0.7 ? '#FFD98A' : mix(colour, s.mood.sun, 0.55),
      s.mood.lamps > 0.7 ? (near ? 0.85 : 0.5) : 0.4,
    )
  )
}

/** A steel arch bridge across the water. */
export function archBridge(s: Stage, x: number, y: number, w: number): string {
  const c = mix(s.mood.land[1], s.mood.land[2], 0.5)
  const h = w * 0.26
  let hangers = ''
  for (let i = 1; i < 18; i++) {
    const t = i / 18
    hangers += `M${n(x - w / 2 + w * t)} ${n(y - 4 * h * t * (1 - t) * 0.98)}V${n(y - h * 0.24)}`
  }
  return (
    stroke(hangers, c, 2.6, 0.8) +
    stroke(`M${n(x - w / 2)} ${n(y)}Q${n(x)} ${n(y - h * 2)} ${n(x + w / 2)} ${n(y)}`, c, 9) +
    stroke(
      `M${n(x - w / 2)} ${n(y - h * 0.18)}Q${n(x)} ${n(y - h * 2.3)} ${n(x + w / 2)} ${n(y - h * 0.18)}`,
      c,
      5,
    ) +
    line(
      [
        [x - w * 0.8, y - h * 0.24],
        [x + w * 0.8, y - h * 0.24],
      ],
      c,
      9,
    ) +
    [-1, 1]
      .map((k) => rect(x + (k * w) / 2 - 15, y - h * 0.72, 30, h * 0.85, mix(c, s.mood.halo, 0.2)))
      .join('')
  )
}

/** A peg marquee with swooping peaks. Foot centre at (x, y). */
export function marquee(
  s: Stage,
  x: number,
  y: number,
  w: number,
  peaks: number,
  canvas: Hex = PAINT.cream,
): string {
  const eave = y - w * 0.2
  const top = eave - w * 0.22
  const base = s.tone(canvas)
  const bay = w / peaks
  let d = `M${n(x - w / 2)} ${n(eave)}`
  let ridges = ''
  let shade = ''
  let pennants = ''
  for (let i = 0; i < peaks; i++) {
    const x0 = x - w / 2 + i * bay
    const px = x0 + bay / 2
    const x1 = x0 + bay
    d += `Q${n(x0 + bay * 0.36)} ${n(eave - w * 0.045)} ${n(px)} ${n(top)}Q${n(x1 - bay * 0.36)} ${n(eave - w * 0.045)} ${n(x1)} ${n(eave)}`
    const sx = s.side > 0 ? x0 : x1
    shade += `M${n(px)} ${n(top)}Q${n(sx + (px - sx) * 0.72)} ${n(eave - w * 0.045)} ${n(sx)} ${n(eave)}Q${n((sx + px) / 2)} ${n(eave + w * 0.012)} ${n(px)} ${n(eave)}Z`
    ridges += `M${n(px)} ${n(top)}Q${n(px)} ${n((top + eave) / 2)} ${n(px - bay * 0.2)} ${n(eave + 2)}M${n(px)} ${n(top)}Q${n(px)} ${n((top + eave) / 2)} ${n(px + bay * 0.2)} ${n(eave + 2)}`
    pennants +=
      line(
        [
          [px, top],
          [px, top - w * 0.06],
        ],
        s.dim(PAINT.walnut, 0.3),
        4,
      ) +
      path(
        `M${n(px)} ${n(top - w * 0.06)}q${n(w * 0.03)} ${n(-w * 0.008)} ${n(w * 0.055)} ${n(w * 0.012)}q${n(-w * 0.03)} ${n(w * 0.006)} ${n(-w * 0.055)} ${n(w * 0.016)}Z`,
        s.tone(PAINT.waratah),
      )
  }
  d += 'Z'
  let scallops = `M${n(x - w / 2)} ${n(eave - 3)}`
  const count = peaks * 6
  for (let i = 0; i < count; i++) scallops += `q${n(w / count / 2)} ${n(w * 0.045)} ${n(w / count)} 0`
  scallops += 'Z'
  let poles = ''
  for (let i = 0; i <= peaks; i++)
    poles += rect(x - w / 2 + i * bay - 4, eave, 8, y - eave, s.dim(PAINT.oak, 0.1))
  let guys = ''
  for (const k of [-1, 1]) guys += `M${n(x + (k * w) / 2)} ${n(eave)}L${n(x + k * w * 0.6)} ${n(y + 6)}`
  return (
    castShadow(s, x, y - 6, w, w * 0.42, 0.36) +
    stroke(guys, s.dim(PAINT.stone, 0.2), 3) +
    rect(x - w / 2, eave, w, y - eave, mix(litPaneColour(s), s.mood.ink, 0.25)) +
    glow(s, x, eave + w * 0.06, w * 0.36, 0.9) +
    poles +
    path(d, base) +
    path(shade, s.dim(canvas, 0.3), 0.62) +
    stroke(ridges, s.dim(canvas, 0.35), 2.6, 0.5) +
    path(scallops, s.lit(canvas, 0.2)) +
    pennants
  )
}

function litPaneColour(s: Stage): Hex {
  return mix('#F1AE57', s.mood.land[3], 0.55 - 0.4 * s.mood.lamps)
}
