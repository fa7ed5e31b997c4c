import { n, ridge, smooth } from '../geometry.ts'
import { type Hex, mix, PAINT } from '../palette.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { circle, ellipse, line, path, rect, ring, stroke } from '../svg.ts'
import { roundShadow } from './flatlay.ts'
import { posy } from './flowers.ts'
import { couple, person } from './people.ts'

/** A film camera from the front, 300 wide, its bottom centre at the origin. */
export function filmCamera(s: Stage, skin: Hex, strap: Hex): string {
  const metal = s.tone('#D8D2C4')
  const body = 'M-150 0V-128Q-150 -146 -132 -146H132Q150 -146 150 -128V0Z'
  return (
    stroke('M-146 -120C-260 -90 -250 10 -190 20S-90 14 -60 26', s.dim(strap, 0.1), 13) +
    path('M-150 -146H-70L-52 -190Q-48 -198 -38 -198H38Q48 -198 52 -190L70 -146Z', metal) +
    rect(-132, -166, 50, 24, s.dim('#D8D2C4', 0.2), 5) +
    rect(84, -168, 54, 26, s.dim('#D8D2C4', 0.12), 5) +
    rect(98, -178, 26, 12, s.dim(PAINT.ink, 0.1), 4) +
    path(body, metal) +
    rect(-150, -112, 300, 88, s.tone(skin)) +
    rect(s.side > 0 ? -150 : 20, -146, 130, 146, s.mood.ink, 0, 0.2) +
    rect(-28, -188, 56, 30, s.dim(PAINT.ink, 0.1), 5) +
    rect(-20, -183, 40, 20, mix(s.mood.sky[1], s.mood.ink, 0.2), 3) +
    circle(0, -70, 84, s.dim('#D8D2C4', 0.3)) +
    circle(0, -70, 76, s.dim(PAINT.ink, 0.15)) +
    ring(0, -70, 66, s.tone('#8C8271'), 3) +
    circle(0, -70, 54, '#0F1B20') +
    circle(0, -70, 40, mix(s.mood.water, s.mood.ink, 0.45)) +
    circle(0, -70, 24, mix(s.mood.water, s.mood.ink, 0.7)) +
    path(
      `M${n(s.side * 6)} -104A36 36 0 0 1 ${n(s.side * 36)} -74Q${n(s.side * 26)} -92 ${n(s.side * 6)} -104Z`,
      s.mood.sun,
      0.75,
    ) +
    circle(-s.side * 14, -54, 6, s.mood.halo, 0.5) +
    circle(116, -128, 8, s.tone(PAINT.waratah)) +
    line(
      [
        [-140, -140],
        [140, -140],
      ],
      s.mood.sun,
      4,
      0.5,
    )
  )
}

export function filmRolls(s: Stage, x: number, y: number, u: number): string {
  let out = ''
  for (const [dx, c] of [
    [-44, PAINT.wattle],
    [12, PAINT.eucalypt],
  ] as const) {
    const w = 44 * u
    const h = 74 * u
    const px = x + dx * u
    out +=
      rect(px - w / 2, y - h, w, h, s.tone(c), 4) +
      rect(px - w / 2, y - h * 0.62, w, h * 0.3, s.tone(PAINT.cream)) +
      rect(s.side > 0 ? px - w / 2 : px + w * 0.1, y - h, w * 0.4, h, s.mood.ink, 0, 0.22) +
      rect(px - w * 0.56, y - h - 5, w * 1.12, 9, s.dim(PAINT.ink, 0.1), 3) +
      rect(px - w * 0.56, y - 6, w * 1.12, 9, s.dim(PAINT.ink, 0.1), 3) +
      rect(px - 6, y - h - 15, 12, 12, s.dim(PAINT.ink, 0.1))
  }
  return out
}

/** A tiny landscape or portrait as a photograph: w × h, centred on the origin. */
export function smallPicture(s: Stage, r: Random, w: number, h: number): string {
  const sky0 = r.pick([PAINT.sky, PAINT.wattle, PAINT.coral, PAINT.blush, PAINT.teal])
  const d = `M${n(-w / 2)} ${n(-h / 2)}h${n(w)}v${n(h)}h${n(-w)}Z`
  const kind = r.int(0, 3)
  let inside = rect(
    -w / 2,
    -h / 2,
    w,
    h,
    s.linear([
      [0, s.tone(sky0)],
      [1, s.lit(sky0, 0.6)],
    ]),
  )
  inside += circle(r.range(-0.3, 0.3) * w, -h * r.range(0.05, 0.28), w * 0.11, s.mood.sun)
  const a = ridge(r, h * 0.12, h * 0.26, w * 1.6)
  const b = ridge(r, h * 0.3, h * 0.2, w * 1.2)
  const shape = (f: (x: number) => number) =>
    `${smooth([-0.6, -0.4, -0.2, 0, 0.2, 0.4, 0.6].map((t) => [t * w, f(t * w)] as const))}L${n(w)} ${n(h)}L${n(-w)} ${n(h)}Z`
  inside += path(shape(a), s.tone(PAINT.gum)) + path(shape(b), s.tone(PAINT.eucalypt))
  if (kind === 0) inside += couple(s, r, 0, h * 0.46, h * 0.62, 0.1)
  else if (kind === 1) inside += posy(s, r, 0, h * 0.12, w * 0.24)
  else if (kind === 2)
    inside += person(s, r, r.range(-0.15, 0.15) * w, h * 0.48, h * 0.66, {
      outfit: 'gown',
      colour: PAINT.cream,
      pose: 'hips',
      shadow: false,
    })
  return s.clip(d, inside)
}

/** A lens lying on its back, from above. */
export function lens(s: Stage, x: number, y: number, radius: number): string {
  return (
    roundShadow(s, x, y, radius, 50) +
    circle(x, y, radius, s.dim(PAINT.ink, 0.2)) +
    ring(x, y, radius * 0.92, s.tone(PAINT.iron), radius * 0.05) +
    ring(x, y, radius * 0.8, s.tone(PAINT.wattle), radius * 0.025) +
    circle(x, y, radius * 0.7, '#101C21') +
    circle(x, y, radius * 0.56, s.tone(PAINT.teal)) +
    circle(x, y, radius * 0.36, s.dim(PAINT.eucalypt, 0.5)) +
    ellipse(x + s.side * radius * 0.24, y - radius * 0.28, radius * 0.2, radius * 0.12, s.mood.sun, 0.85) +
    circle(x - s.side * radius * 0.2, y + radius * 0.26, radius * 0.07, s.mood.halo, 0.6)
  )
}

/** A cinema camera from the side, lens to the right, its bottom at the origin. */
export function cinemaCamera(s: Stage, accent: string): string {
  const body = s.dim('#39474A', 0.25)
  const dark = s.dim(PAINT.ink, 0.35)
  const edge = s.mood.halo
  return (
    rect(-170, -34, 330, 22, dark, 6) +
    rect(-150, -190, 240, 160, body, 14) +
    rect(-150, -190, 240, 26, dark, 12) +
    rect(-138, -150, 110, 96, dark, 8) +
    rect(-128, -140, 90, 60, mix(s.mood.water, s.mood.sky[2], 0.4), 4) +
    circle(-6, -96, 15, accent) +
    rect(84, -172, 60, 120, dark, 8) +
    path('M140 -178H224L252 -196V-28L224 -46H140Z', s.dim('#39474A', 0.1)) +
    rect(250, -204, 24, 184, dark, 5) +
    path('M268 -196L330 -224V0L268 -28Z', dark) +
    rect(-214, -172, 68, 60, dark, 10) +
    circle(-214, -142, 32, body) +
    stroke('M-110 -190V-232Q-110 -244 -98 -244H46Q58 -244 58 -232V-190', dark, 18) +
    ellipse(96, -246, 66, 16, dark) +
    line(
      [
        [-140, -188],
        [80, -188],
      ],
      edge,
      4,
      0.7,
    ) +
    line(
      [
        [146, -175],
        [222, -175],
      ],
      edge,
      4,
      0.7,
    ) +
    ring(182, -112, 0, edge, 0) +
    rect(160, -176, 12, 130, accent, 3) +
    rect(196, -180, 10, 138, s.dim(PAINT.iron, 0.3), 3)
  )
}

export function drone(s: Stage, x: number, y: number, k: number, shade: boolean): string {
  const c = (paint: Parameters<Stage['tone']>[0]) => (shade ? s.mood.shadow : s.tone(paint))
  let out = ''
  for (const [a, b] of [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ] as const) {
    out += line(
      [
        [x, y],
        [x + a * k * 0.72, y + b * k * 0.58],
      ],
      c('#39474A'),
      k * 0.1,
    )
    out +=
      circle(x + a * k * 0.72, y + b * k * 0.58, k * 0.42, c(PAINT.cream), shade ? 0.5 : 0.35) +
      ellipse(x + a * k * 0.72, y + b * k * 0.58, k * 0.42, k * 0.05, c(PAINT.ink), 0.6) +
      circle(x + a * k * 0.72, y + b * k * 0.58, k * 0.08, c(PAINT.ink))
  }
  return (
    out +
    rect(x - k * 0.24, y - k * 0.4, k * 0.48, k * 0.8, c(PAINT.cream), k * 0.14) +
    rect(x - k * 0.15, y - k * 0.3, k * 0.3, k * 0.34, c('#39474A'), k * 0.07) +
    circle(x, y + k * 0.34, k * 0.1, c(PAINT.ink)) +
    circle(x, y + k * 0.34, k * 0.05, c(PAINT.teal)) +
    circle(x + k * 0.17, y - k * 0.32, k * 0.03, c(PAINT.waratah))
  )
}
