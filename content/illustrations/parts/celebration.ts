import { n, type Point } from '../geometry.ts'
import { type Hex, mix, PAINT } from '../palette.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { circle, ellipse, path, rect, ring, stroke } from '../svg.ts'
import { garland, posy } from './flowers.ts'
import { castShadow, ground, hill, ranges, water } from './land.ts'
import { sky } from './sky.ts'
import { cypress, gumTree, norfolkPine, roundTree } from './trees.ts'

/** Sea, ranges or garden behind a subject on a lawn or beach. Also returns where the ground begins. */
export function setting(
  s: Stage,
  r: Random,
  horizon: number,
  kind = r.int(0, 2),
): { body: string; foot: number; coast: boolean } {
  if (kind === 0)
    return {
      body:
        sky(s, { horizon }) +
        hill(s, {
          name: 'cape',
          base: horizon,
          rise: 90,
          colour: s.mood.land[0],
          bottom: horizon + 20,
          length: 1200,
          trees: 10,
        }) +
        water(s, horizon, horizon + 120) +
        ground(s, horizon + 100, mix(s.tone(PAINT.sand), s.mood.ground, 0.35), false),
      foot: horizon + 100,
      coast: true,
    }
  return {
    body: sky(s, { horizon }) + ranges(s, horizon, kind === 1 ? 170 : 110) + ground(s, horizon),
    foot: horizon,
    coast: false,
  }
}

export function sideTrees(s: Stage, r: Random, coast: boolean, y: number, h: number, spread = 480): string {
  let out = ''
  const kind = r.int(0, 2)
  for (const k of [-1, 1]) {
    if (r.chance(0.2) || (k < 0 && s.calmLeft)) continue
    const x = s.cx + k * spread * s.u * r.range(0.92, 1.14)
    const size = h * r.range(0.8, 1.1)
    const at = y + r.range(-20, 30)
    if (coast) out += castShadow(s, x, at, 34, size * 0.5) + norfolkPine(s, r, x, at, size, 0.05)
    else if (kind === 0) out += gumTree(s, r, x, at, size, 0.05)
    else if (kind === 1)
      out +=
        castShadow(s, x, at, 40, size * 0.5) +
        roundTree(s, r, x, at, size * 0.92, r.pick([PAINT.mauve, PAINT.gum, PAINT.olive]), 0.04)
    else
      out += [0, 1, 2]
        .map((i) => cypress(s, r, x + k * i * 62, at - i * 16, size * (0.95 - i * 0.12), 0.06 * i))
        .join('')
  }
  return out
}

/** A flower arch in one of three shapes. */
export function flowerArch(
  s: Stage,
  r: Random,
  x: number,
  foot: number,
  h: number,
  colours: readonly Hex[],
  shape = r.int(0, 2),
): string {
  const w = h * (shape === 2 ? 0.86 : 0.62)
  const wood = s.tone(r.pick([PAINT.timber, PAINT.cream, PAINT.oak]))
  const pts: Point[] = []
  let frame: string
  if (shape === 0) {
    frame = `M${n(x - w / 2)} ${n(foot)}V${n(foot - h + w / 2)}A${n(w / 2)} ${n(w / 2)} 0 0 1 ${n(x + w / 2)} ${n(foot - h + w / 2)}V${n(foot)}`
    for (let i = 0; i <= 30; i++) {
      const a = Math.PI * (0.93 + (i / 30) * 0.86)
      pts.push([x + (Math.cos(a) * w) / 2, foot - h + w / 2 + (Math.sin(a) * w) / 2])
    }
    for (let i = 0; i < 7; i++) pts.push([x - (s.side * w) / 2, foot - h * 0.06 - i * h * 0.09])
  } else if (shape === 1) {
    frame = `M${n(x - w / 2)} ${n(foot)}V${n(foot - h)}H${n(x + w / 2)}V${n(foot)}`
    for (let i = 0; i <= 18; i++) pts.push([x - w / 2 + (i / 18) * w, foot - h + r.range(-6, 10)])
    for (let i = 0; i < 8; i++) pts.push([x + (s.side * w) / 2, foot - h + i * h * 0.09])
    for (let i = 0; i < 4; i++) pts.push([x - (s.side * w) / 2, foot - h + i * h * 0.08])
  } else {
    const R = w * 0.56
    frame = `M${n(x - R)} ${n(foot - R)}a${n(R)} ${n(R)} 0 1 1 ${n(R * 2)} 0a${n(R)} ${n(R)} 0 1 1 ${n(-R * 2)} 0Z`
    for (let i = 0; i <= 26; i++) {
      const a = Math.PI * (s.side > 0 ? 0.55 : 1.15) + (i / 26) * Math.PI * 1.3
      pts.push([x + Math.cos(a) * R, foot - R + Math.sin(a) * R])
    }
  }
  let drape = ''
  if (shape === 1) {
    const cloth = s.lit(PAINT.cream, 0.2)
    drape =
      path(
        `M${n(x - w / 2)} ${n(foot - h)}Q${n(x - w * 0.1)} ${n(foot - h * 0.76)} ${n(x + w / 2)} ${n(foot - h)}Q${n(x)} ${n(foot - h * 0.9)} ${n(x - w / 2)} ${n(foot - h)}Z`,
        cloth,
        0.95,
      ) +
      [-1, 1]
        .map((k) =>
          path(
            `M${n(x + (k * w) / 2)} ${n(foot - h)}Q${n(x + k * w * 0.36)} ${n(foot - h * 0.5)} ${n(x + k * w * 0.46)} ${n(foot)}H${n(x + k * w * 0.62)}Q${n(x + k * w * 0.56)} ${n(foot - h * 0.5)} ${n(x + (k * w) / 2)} ${n(foot - h)}Z`,
            k === s.side ? cloth : s.dim(PAINT.cream, 0.14),
            0.92,
          ),
        )
        .join('')
  }
  return (
    castShadow(s, x - w * 0.46, foot, 26, h, 0.3) +
    castShadow(s, x + w * 0.46, foot, 26, h, 0.3) +
    drape +
    stroke(frame, wood, h * 0.02) +
    garland(s, r, pts, h * 0.105, 0.85, colours) +
    [-1, 1].map((k) => posy(s, r, x + k * w * 0.52, foot - h * 0.04, h * 0.12, colours)).join('')
  )
}

/** A rounded van or a small sedan of the 1960s, facing left, wheels on y = 0, about 600 wide. */
export function vintageCar(s: Stage, r: Random, kind = r.int(0, 1)): string {
  const paint = r.pick([
    PAINT.leaf,
    PAINT.waratah,
    PAINT.wattle,
    PAINT.teal,
    PAINT.coral,
    PAINT.cream,
    PAINT.eucalypt,
  ])
  const second = paint === PAINT.cream ? PAINT.terracotta : PAINT.cream
  const chrome = s.lit(PAINT.stone, 0.4)
  const pane = s.linear(
    [
      [0, mix(s.mood.sky[1], s.mood.sun, 0.3)],
      [1, mix(s.mood.sky[0], s.mood.ink, 0.2)],
    ],
    [0, 0],
    [1, 1],
  )
  const wheel = (x: number) =>
    circle(x, -52, 54, '#1B2326') +
    circle(x, -52, 31, chrome) +
    circle(x, -52, 17, s.tone(paint)) +
    path(`M${x - 31} -52A31 31 0 0 1 ${x} -83V-52Z`, s.mood.sun, 0.3)
  let body: string
  if (kind === 0) {
    const d =
      'M-300 -70V-210Q-300 -330 -220 -338H220Q296 -338 300 -250V-70Q300 -52 282 -52H-282Q-300 -52 -300 -70Z'
    body =
      path(d, s.tone(paint)) +
      s.clip(
        d,
        path('M-310 -360H310V-205H-180Q-250 -205 -310 -140Z', s.tone(second)) +
          rect(-310, -80, 620, 40, s.mood.ink, 0, 0.2) +
          rect(-310, -206, 620, 9, chrome),
      ) +
      path('M-286 -216Q-286 -306 -232 -308H-176V-216Z', pane) +
      [-158, -42, 74].map((x) => rect(x, -308, 102, 92, pane, 12)).join('') +
      path('M190 -308H226Q274 -304 278 -216H190Z', pane) +
      stroke('M-166 -308V-66M-50 -196V-66M64 -196V-66', s.dim(paint, 0.3), 3, 0.7) +
      circle(-286, -150, 23, s.lit(PAINT.wattle, 0.5)) +
      ring(-286, -150, 23, chrome, 6)
  } else {
    const d =
      'M-310 -70V-130Q-300 -172 -230 -178L-160 -190Q-110 -290 -20 -292H90Q170 -290 214 -194L276 -184Q312 -172 312 -120V-70Q312 -56 296 -56H-294Q-310 -56 -310 -70Z'
    body =
      path(d, s.tone(paint)) +
      s.clip(
        d,
        rect(-320, -84, 640, 40, s.mood.ink, 0, 0.2) +
          path('M-320 -300H320V-242H-320Z', s.tone(second)) +
          rect(-320, -150, 640, 7, chrome),
      ) +
      path('M-136 -194Q-100 -264 -30 -268H10V-194Z', pane) +
      path('M30 -268H88Q142 -262 180 -194H30Z', pane) +
      stroke('M20 -262V-66M-140 -190Q-150 -130 -140 -66', s.dim(paint, 0.35), 3, 0.7) +
      circle(-294, -138, 21, s.lit(PAINT.wattle, 0.5)) +
      ring(-294, -138, 21, chrome, 6)
  }
  return (
    body +
    rect(-322, -86, 60, 17, chrome, 8) +
    rect(264, -86, 60, 17, chrome, 8) +
    [-186, 186]
      .map((x) => path(`M${x - 76} -52A76 76 0 0 1 ${x + 76} -52Z`, s.mood.ink, 0.5) + wheel(x))
      .join('') +
    stroke('M-230 -330H200', s.mood.sun, 5, kind === 0 ? 0.5 : 0)
  )
}

export function luggage(s: Stage, r: Random, x: number, y: number, w: number): string {
  const c = r.pick([PAINT.timber, PAINT.terracotta, PAINT.eucalypt])
  return (
    castShadow(s, x, y, w, w) +
    rect(x - w / 2, y - w * 0.62, w, w * 0.62, s.tone(c), 9) +
    rect(s.side > 0 ? x - w / 2 : x, y - w * 0.62, w / 2, w * 0.62, s.mood.ink, 6, 0.15) +
    stroke(
      `M${n(x - w * 0.3)} ${n(y)}v${n(-w * 0.62)}M${n(x + w * 0.3)} ${n(y)}v${n(-w * 0.62)}`,
      s.dim(PAINT.walnut, 0.2),
      w * 0.06,
    ) +
    stroke(
      `M${n(x - w * 0.13)} ${n(y - w * 0.62)}q0 ${n(-w * 0.15)} ${n(w * 0.13)} ${n(-w * 0.15)}t${n(w * 0.13)} ${n(w * 0.15)}`,
      s.dim(PAINT.walnut, 0.3),
      w * 0.05,
    ) +
    posy(s, r, x, y - w * 0.7, w * 0.3)
  )
}

/** Balloons on strings from one hand or weight. */
export function balloonBunch(
  s: Stage,
  r: Random,
  x: number,
  y: number,
  size: number,
  count: number,
  tieY: number,
  tieX = x,
): string {
  let strings = ''
  let out = ''
  const colours = r.shuffle<Hex>([
    PAINT.waratah,
    PAINT.wattle,
    PAINT.coral,
    PAINT.cream,
    PAINT.teal,
    PAINT.blush,
    PAINT.leaf,
  ])
  for (let i = 0; i < count; i++) {
    const a = i * 2.4
    const k = Math.sqrt(i / count) * size * Math.sqrt(count) * 0.82
    const bx = x + Math.cos(a) * k
    const by = y + Math.sin(a) * k * 0.86
    strings += `M${n(bx)} ${n(by + size)}Q${n(bx + (tieX - bx) * 0.3)} ${n(by + (tieY - by) * 0.5)} ${n(tieX)} ${n(tieY)}`
    out += balloon(s, bx, by, size * r.range(0.86, 1.1), colours[i % colours.length] ?? PAINT.coral)
  }
  return stroke(strings, s.dim(PAINT.paper, 0.25), 2.4, 0.8) + out
}

export function balloon(s: Stage, x: number, y: number, size: number, colour: Hex): string {
  const d = `M${n(x)} ${n(y + size * 1.14)}C${n(x - size * 0.55)} ${n(y + size * 0.9)} ${n(x - size * 0.98)} ${n(y + size * 0.4)} ${n(x - size * 0.92)} ${n(y - size * 0.16)}A${n(size * 0.93)} ${n(size * 0.98)} 0 0 1 ${n(x + size * 0.92)} ${n(y - size * 0.16)}C${n(x + size * 0.98)} ${n(y + size * 0.4)} ${n(x + size * 0.55)} ${n(y + size * 0.9)} ${n(x)} ${n(y + size * 1.14)}Z`
  return (
    path(d, s.tone(colour)) +
    s.clip(
      d,
      circle(x + s.side * size * 0.34, y - size * 0.3, size * 1.12, s.lit(colour, 0.32), 0.75) +
        circle(x + s.side * size * 0.42, y - size * 0.42, size * 0.66, s.lit(colour, 0.6), 0.5),
    ) +
    path(
      `M${n(x - size * 0.09)} ${n(y + size * 1.24)}L${n(x)} ${n(y + size * 1.1)}L${n(x + size * 0.09)} ${n(y + size * 1.24)}Z`,
      s.dim(colour, 0.25),
    ) +
    ellipse(x + s.side * size * 0.42, y - size * 0.46, size * 0.13, size * 0.22, s.mood.sun, 0.7)
  )
}

/** A wicker basket with a handle. */
export function basket(s: Stage, x: number, y: number, w: number): string {
  const h = w * 0.46
  const d = `M${n(x - w / 2)} ${n(y - h)}L${n(x - w * 0.42)} ${n(y)}Q${n(x)} ${n(y + w * 0.06)} ${n(x + w * 0.42)} ${n(y)}L${n(x + w / 2)} ${n(y - h)}Z`
  let weave = ''
  for (let row = 0; row < 6; row++)
    for (let i = 0; i < 12; i++)
      weave += `M${n(x - w / 2 + ((i + (row % 2) * 0.5) * w) / 11)} ${n(y - h + 8 + (row * h) / 6)}q${n(w / 44)} ${n(h / 10)} ${n(w / 22)} 0`
  return (
    stroke(
      `M${n(x - w * 0.44)} ${n(y - h)}C${n(x - w * 0.4)} ${n(y - h * 2.5)} ${n(x + w * 0.4)} ${n(y - h * 2.5)} ${n(x + w * 0.44)} ${n(y - h)}`,
      s.tone(PAINT.timber),
      w * 0.05,
    ) +
    path(d, s.tone(PAINT.oak)) +
    s.clip(
      d,
      stroke(weave, s.dim(PAINT.timber, 0.3), w * 0.022, 0.7) +
        rect(s.side > 0 ? x - w : x, y - h, w, h * 1.3, s.mood.ink, 0, 0.18),
    ) +
    rect(x - w * 0.53, y - h - w * 0.03, w * 1.06, w * 0.07, s.lit(PAINT.oak, 0.25), w * 0.03)
  )
}

/** An easel with a painted board, with lines and leaves instead of words. */
export function welcomeBoard(
  s: Stage,
  r: Random,
  x: number,
  foot: number,
  h: number,
  colours: readonly Hex[],
): string {
  const w = h * 0.46
  const paint = r.pick([PAINT.cream, PAINT.eucalypt, PAINT.blush, PAINT.ink, PAINT.cream])
  const pale = paint === PAINT.cream || paint === PAINT.blush
  const inkLine = pale ? s.tone(PAINT.eucalypt) : s.tone(PAINT.cream)
  const top = foot - h * 0.92
  const bh = h * 0.62
  return (
    castShadow(s, x, foot, w, h, 0.34) +
    stroke(
      `M${n(x)} ${n(foot - h)}L${n(x - w * 0.56)} ${n(foot)}M${n(x)} ${n(foot - h)}L${n(x + w * 0.56)} ${n(foot)}M${n(x)} ${n(foot - h)}V${n(foot - h * 0.1)}`,
      s.tone(PAINT.timber),
      h * 0.026,
    ) +
    rect(x - w / 2, top, w, bh, s.tone(paint), 5) +
    rect(s.side > 0 ? x - w / 2 : x, top, w / 2, bh, s.mood.ink, 0, 0.1) +
    `<rect x="${n(x - w * 0.43)}" y="${n(top + w * 0.07)}" width="${n(w * 0.86)}" height="${n(bh - w * 0.14)}" fill="none" stroke="${inkLine}" stroke-width="3" opacity="0.7"/>` +
    stroke(
      `M${n(x - w * 0.26)} ${n(top + bh * 0.36)}c${n(w * 0.1)} ${n(-h * 0.07)} ${n(w * 0.13)} ${n(h * 0.07)} ${n(w * 0.22)} 0s${n(w * 0.13)} ${n(h * 0.05)} ${n(w * 0.3)} ${n(-h * 0.01)}`,
      inkLine,
      h * 0.014,
    ) +
    stroke(
      `M${n(x - w * 0.2)} ${n(top + bh * 0.54)}h${n(w * 0.4)}M${n(x - w * 0.14)} ${n(top + bh * 0.63)}h${n(w * 0.28)}M${n(x - w * 0.18)} ${n(top + bh * 0.72)}h${n(w * 0.36)}`,
      inkLine,
      h * 0.009,
      0.8,
    ) +
    rect(x - w * 0.62, top + bh, w * 1.24, h * 0.03, s.lit(PAINT.timber, 0.2), 3) +
    garland(
      s,
      r,
      Array.from(
        { length: 9 },
        (_, i): Point => [
          x + s.side * w * (0.54 - 0.06 * i * (i < 5 ? 0.3 : 1.4)),
          top - h * 0.01 + h * 0.065 * Math.max(0, 4 - i) + (i > 5 ? -2 : 0),
        ],
      ),
      h * 0.07,
      0.9,
      colours,
    ) +
    posy(s, r, x - s.side * w * 0.44, top + bh, h * 0.11, colours)
  )
}
