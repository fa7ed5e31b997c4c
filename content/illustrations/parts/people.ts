import { n, type Point } from '../geometry.ts'
import { HAIR, type Hex, mix, PAINT, SKIN } from '../palette.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { circle, ellipse, path, stroke } from '../svg.ts'
import { castShadow } from './land.ts'

type Pose = 'down' | 'glass' | 'up' | 'reach' | 'hips' | 'camera' | 'guitar'
type Outfit = 'dress' | 'gown' | 'suit' | 'shirt'

type PersonChoice = {
  outfit?: Outfit
  pose?: Pose
  colour?: Hex
  skin?: Hex
  hair?: Hex
  /** -1 faces left, 1 faces right */
  facing?: -1 | 1
  shadow?: boolean
  /** seated behind something: no legs */
  bust?: boolean
  /** 0 to 1: how far the figure turns into a silhouette against the light */
  dark?: number
}

const CLOTHES = [
  PAINT.waratah,
  PAINT.eucalypt,
  PAINT.teal,
  PAINT.terracotta,
  PAINT.cream,
  PAINT.wattle,
  PAINT.blush,
  PAINT.coral,
  PAINT.olive,
] as const
const SUITS = [PAINT.ink, '#39474A', PAINT.eucalypt, '#7A6A58', PAINT.sand, '#2E4A57'] as const

/** A person of simple shapes, feet at (x, y), `h` tall. No faces: posture and clothes tell the story. */
export function person(
  s: Stage,
  r: Random,
  x: number,
  y: number,
  h: number,
  choice: PersonChoice = {},
): string {
  const outfit = choice.outfit ?? r.pick(['dress', 'gown', 'suit', 'shirt'])
  const f = choice.facing ?? (r.chance(0.5) ? 1 : -1)
  const pose = choice.pose ?? r.pick(['down', 'glass', 'hips', 'glass'])
  const tint = (c: Hex) => mix(s.tone(c), s.mood.ink, choice.dark ?? 0)
  const shade = (c: Hex) => mix(s.dim(c, 0.32), s.mood.ink, choice.dark ?? 0)
  const skinPaint = choice.skin ?? r.pick(SKIN)
  const skin = tint(skinPaint)
  const hair = tint(choice.hair ?? r.pick(HAIR))
  const feminine = outfit === 'dress' || outfit === 'gown'
  const cloth =
    choice.colour ?? (feminine ? r.pick(CLOTHES) : outfit === 'suit' ? r.pick(SUITS) : r.pick(CLOTHES))
  const away = x < s.sun.x ? -1 : 1
  const X = (k: number) => n(x + f * k * h)
  const Y = (k: number) => n(y - k * h)
  let out = ''
  if (choice.shadow !== false && !choice.bust) out += castShadow(s, x, y, h * 0.15, h * 1.25, 0.3)

  const tall = feminine && r.chance(0.6)
  // hair that hangs behind the shoulders
  if (feminine && tall)
    out += path(
      `M${X(-0.07)} ${Y(0.93)}Q${X(-0.12)} ${Y(0.78)} ${X(-0.06)} ${Y(0.7)}L${X(0.05)} ${Y(0.74)}L${X(0.06)} ${Y(0.93)}Z`,
      hair,
    )

  const leg =
    outfit === 'suit'
      ? shade(cloth)
      : outfit === 'shirt'
        ? tint(r.pick(['#39474A', PAINT.sand, '#2E4A57', '#6B5844']))
        : skin
  if (!choice.bust && outfit !== 'gown') {
    const width = feminine ? h * 0.032 : h * 0.062
    const top = feminine ? 0.32 : 0.5
    out += stroke(`M${X(-0.035)} ${Y(top)}L${X(-0.045)} ${Y(0.02)}`, mix(leg, s.mood.ink, 0.18), width)
    out += stroke(`M${X(0.035)} ${Y(top)}L${X(0.05)} ${Y(0.02)}`, leg, width)
    out += stroke(
      `M${X(-0.05)} ${Y(0.008)}h${n(f * h * 0.035)}M${X(0.045)} ${Y(0.008)}h${n(f * h * 0.04)}`,
      mix(tint(PAINT.walnut), s.mood.ink, 0.3),
      h * 0.022,
    )
  }
  const far = arm(pose, -1)
  const near = arm(pose, 1)
  const sleeve = feminine ? skin : shade(cloth)
  const limb = (points: readonly Point[], colour: Hex) =>
    stroke(`M${points.map(([a, b]) => `${X(a)} ${Y(b)}`).join('L')}`, colour, h * 0.042)
  const hand = (points: readonly Point[]) => {
    const last = points[points.length - 1] ?? [0, 0.5]
    return circle(x + f * last[0] * h, y - last[1] * h, h * 0.024, skin)
  }
  out += limb(far, mix(sleeve, s.mood.ink, 0.15)) + hand(far)

  let body: string
  if (outfit === 'gown')
    body = `M${X(-0.085)} ${Y(0.79)}Q${X(-0.05)} ${Y(0.66)} ${X(-0.062)} ${Y(0.6)}C${X(-0.1)} ${Y(0.42)} ${X(-0.17)} ${Y(0.18)} ${X(-0.2)} ${Y(0)}Q${X(0)} ${Y(-0.03)} ${X(0.17)} ${Y(0)}C${X(0.14)} ${Y(0.2)} ${X(0.08)} ${Y(0.44)} ${X(0.06)} ${Y(0.6)}Q${X(0.05)} ${Y(0.68)} ${X(0.085)} ${Y(0.79)}Q${X(0)} ${Y(0.75)} ${X(-0.085)} ${Y(0.79)}Z`
  else if (outfit === 'dress')
    body = `M${X(-0.085)} ${Y(0.8)}Q${X(-0.05)} ${Y(0.68)} ${X(-0.062)} ${Y(0.61)}Q${X(-0.1)} ${Y(0.45)} ${X(-0.14)} ${Y(0.27)}Q${X(0)} ${Y(0.235)} ${X(0.13)} ${Y(0.28)}Q${X(0.09)} ${Y(0.46)} ${X(0.06)} ${Y(0.61)}Q${X(0.05)} ${Y(0.68)} ${X(0.085)} ${Y(0.8)}Q${X(0)} ${Y(0.76)} ${X(-0.085)} ${Y(0.8)}Z`
  else
    body = `M${X(-0.1)} ${Y(0.79)}Q${X(0)} ${Y(0.845)} ${X(0.1)} ${Y(0.79)}Q${X(0.085)} ${Y(0.6)} ${X(0.088)} ${Y(0.47)}Q${X(0)} ${Y(0.45)} ${X(-0.088)} ${Y(0.47)}Q${X(-0.085)} ${Y(0.6)} ${X(-0.1)} ${Y(0.79)}Z`
  out += path(
    `M${X(-0.022)} ${Y(0.88)}L${X(-0.028)} ${Y(0.78)}L${X(0.028)} ${Y(0.78)}L${X(0.026)} ${Y(0.88)}Z`,
    shade(skinPaint),
  )
  out += path(body, tint(cloth))
  out += s.clip(
    body,
    path(
      `M${n(x + away * h * 0.015)} ${Y(0.9)}Q${n(x - away * h * 0.02)} ${Y(0.5)} ${n(x + away * h * 0.03)} ${Y(-0.05)}H${n(x + away * h * 0.4)}V${Y(0.9)}Z`,
      shade(cloth),
      0.75,
    ),
  )
  if (outfit === 'suit')
    out += path(`M${X(-0.02)} ${Y(0.81)}L${X(0.012)} ${Y(0.62)}L${X(0.042)} ${Y(0.81)}Z`, tint(PAINT.cream))
  out += limb(near, sleeve === skin ? skin : tint(cloth)) + hand(near)
  if (pose === 'glass') {
    const [gx, gy] = near[near.length - 1] ?? [0, 0]
    out +=
      stroke(`M${X(gx + 0.012)} ${Y(gy)}v${n(-h * 0.03)}`, tint(PAINT.cream), h * 0.012) +
      path(
        `M${X(gx - 0.014)} ${Y(gy + 0.085)}L${X(gx + 0.038)} ${Y(gy + 0.085)}L${X(gx + 0.02)} ${Y(gy + 0.028)}L${X(gx + 0.004)} ${Y(gy + 0.028)}Z`,
        s.lit(PAINT.wattle, 0.3),
      )
  }
  // head and hair
  const hx = x + f * h * 0.012
  const hy = y - h * 0.915
  out += ellipse(hx, hy, h * 0.052, h * 0.066, skin)
  out += path(
    `M${n(hx - f * h * 0.062)} ${n(hy + h * (tall ? 0.05 : 0.02))}Q${n(hx - f * h * 0.078)} ${n(hy - h * 0.09)} ${n(hx + f * h * 0.01)} ${n(hy - h * 0.082)}Q${n(hx + f * h * 0.062)} ${n(hy - h * 0.075)} ${n(hx + f * h * 0.05)} ${n(hy - h * 0.02)}Q${n(hx + f * h * 0.0)} ${n(hy - h * 0.035)} ${n(hx - f * h * 0.02)} ${n(hy + h * 0.0)}Q${n(hx - f * h * 0.03)} ${n(hy + h * 0.05)} ${n(hx - f * h * 0.062)} ${n(hy + h * (tall ? 0.05 : 0.02))}Z`,
    hair,
  )
  if (feminine && !tall) out += circle(hx - f * h * 0.058, hy - h * 0.038, h * 0.036, hair)
  return out
}

/** Shoulder, elbow and hand of one arm, as fractions of the height; forward is positive. */
function arm(pose: Pose, which: -1 | 1): readonly Point[] {
  const shoulder: Point = [which * 0.08, 0.77]
  const rest: readonly Point[] = [shoulder, [which * 0.115, 0.62], [which * 0.1, 0.49]]
  switch (pose) {
    case 'down':
      return rest
    case 'glass':
      return which < 0 ? rest : [shoulder, [0.12, 0.62], [0.17, 0.69]]
    case 'up':
      return which < 0 ? [shoulder, [-0.15, 0.86], [-0.13, 1.02]] : [shoulder, [0.16, 0.84], [0.2, 1]]
    case 'reach':
      return which < 0 ? rest : [shoulder, [0.17, 0.69], [0.25, 0.72]]
    case 'hips':
      return which < 0 ? [shoulder, [-0.17, 0.64], [-0.08, 0.57]] : rest
    case 'camera':
      return which < 0 ? [shoulder, [0.02, 0.68], [0.08, 0.86]] : [shoulder, [0.14, 0.7], [0.1, 0.88]]
    case 'guitar':
      return which < 0 ? [shoulder, [-0.14, 0.64], [-0.02, 0.58]] : [shoulder, [0.16, 0.66], [0.22, 0.7]]
  }
}

/** Two people close together, the centre of many scenes. */
export function couple(s: Stage, r: Random, x: number, y: number, h: number, dark = 0): string {
  const gown = r.pick([PAINT.cream, PAINT.cream, PAINT.blush, PAINT.waratah])
  const [a, b] = r.pick([
    ['suit', 'gown'],
    ['suit', 'gown'],
    ['gown', 'gown'],
    ['suit', 'suit'],
  ] as const)
  return (
    person(s, r, x - h * 0.13, y, h, {
      outfit: a,
      pose: 'reach',
      facing: 1,
      dark,
      ...(a === 'gown' ? { colour: PAINT.cream } : {}),
    }) +
    person(s, r, x + h * 0.13, y, h * (b === 'gown' ? 0.95 : 1.02), {
      outfit: b,
      pose: 'reach',
      facing: -1,
      dark,
      ...(b === 'gown' ? { colour: gown } : {}),
    })
  )
}

/** Guests standing in small groups; those further away are smaller. */
export function guests(
  s: Stage,
  r: Random,
  spots: readonly (readonly [number, number, number])[],
  dark = 0,
): string {
  return [...spots]
    .sort((a, b) => a[1] - b[1])
    .map(([x, y, h], i) => person(s, r, x, y, h, { facing: i % 2 ? -1 : 1, dark }))
    .join('')
}
