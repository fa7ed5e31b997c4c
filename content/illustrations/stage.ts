import { n, type Point } from './geometry.ts'
import { type Hex, MOODS, type Mood, type MoodName, mix, underLight } from './palette.ts'
import { hashText, type Random, randomFrom } from './random.ts'

/**
 * The drawing context of a composition: a canvas of about 1200 × 900 units for any output size, its light, and its own
 * random streams.
 */
export type Stage = {
  w: number
  h: number
  /** scale of the focal subject: 1 on canvases of 4:3 and wider, smaller on tall ones */
  u: number
  /** x of the focal subject */
  cx: number
  /** whether the left stays empty for text */
  calmLeft: boolean
  mood: Mood
  moodName: MoodName
  sun: { x: number; y: number; r: number }
  /** -1 when the light comes from the left of the subject, 1 from the right */
  side: -1 | 1
  /** a separate stream for each name, so that changing one part leaves the others unchanged */
  random(name: string): Random
  /** a local colour in this light; `depth` 0 to 1 fades it into the haze */
  tone(colour: Hex, depth?: number): Hex
  /** the same on the side away from the light */
  dim(colour: Hex, amount?: number): Hex
  /** the same on the side that the light hits */
  lit(colour: Hex, amount?: number): Hex
  /** registers a definition and returns the fill or reference to it */
  linear(stops: readonly (readonly [number, Hex, number?])[], from?: Point, to?: Point): string
  radial(stops: readonly (readonly [number, Hex, number?])[]): string
  clip(d: string, body: string): string
  definitions(): string
}

type StageInput = {
  key: string
  width: number
  height: number
  moods: readonly [MoodName, ...MoodName[]]
}

/** The canvas size in units for this output size: wide outputs extend sideways, tall ones upwards. */
function canvasOf(width: number, height: number): { w: number; h: number } {
  const aspect = width / height
  if (aspect >= 4 / 3) return { w: 900 * aspect, h: 900 }
  const w = 1200 * Math.sqrt(aspect * 0.75)
  return { w, h: w / aspect }
}

/** The mood that a seed selects. It is cheap, so a placeholder colour needs no drawing. */
export function moodOf(key: string, moods: readonly [MoodName, ...MoodName[]]): MoodName {
  return randomFrom(`${key}/mood`).pick(moods)
}

export function makeStage({ key, width, height, moods }: StageInput): Stage {
  const { w, h } = canvasOf(width, height)
  const moodName = moodOf(key, moods)
  const mood = MOODS[moodName]
  const place = randomFrom(`${key}/place`)
  const side = place.chance(0.5) ? 1 : -1
  const cx = w / 2 + place.range(-0.06, 0.06) * Math.min(w, 1200)
  const sunX = w / 2 + side * place.range(0.16, 0.34) * Math.min(w, 1500)
  const prefix = `j${hashText(key).toString(36)}`
  const defs = new Map<string, string>()

  const tone = (colour: Hex, depth = 0) => mix(underLight(colour, mood.ambient), mood.haze, depth)
  const define = (make: (id: string) => string): string => {
    const probe = make('')
    const known = defs.get(probe)
    if (known) return known
    const id = `${prefix}-${defs.size}`
    defs.set(probe, id)
    return id
  }
  const stopsOf = (stops: readonly (readonly [number, Hex, number?])[]) =>
    stops
      .map(
        ([at, colour, opacity]) =>
          `<stop offset="${n(at * 100)}%" stop-color="${colour}"${opacity === undefined ? '' : ` stop-opacity="${opacity}"`}/>`,
      )
      .join('')

  return {
    w,
    h,
    u: Math.min(1, w / 1100),
    cx,
    calmLeft: false,
    mood,
    moodName,
    sun: { x: sunX, y: h * place.range(0.24, 0.4), r: place.range(52, 92) },
    side,
    random: (name) => randomFrom(`${key}/${name}`),
    tone,
    dim: (colour, amount = 0.28) => mix(tone(colour), mood.ink, amount),
    lit: (colour, amount = 0.35) => mix(tone(colour), mood.sun, amount),
    linear: (stops, from = [0, 0], to = [0, 1]) =>
      `url(#${define((id) => `<linearGradient id="${id}" x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}">${stopsOf(stops)}</linearGradient>`)})`,
    radial: (stops) =>
      `url(#${define((id) => `<radialGradient id="${id}">${stopsOf(stops)}</radialGradient>`)})`,
    clip: (d, body) =>
      `<g clip-path="url(#${define((id) => `<clipPath id="${id}"><path d="${d}"/></clipPath>`)})">${body}</g>`,
    definitions: () => [...defs].map(([probe, id]) => probe.replace('id=""', () => `id="${id}"`)).join(''),
  }
}

/** The recipe of a picture: the moods that suit it and how to draw it. */
export type Composition = {
  moods: readonly [MoodName, ...MoodName[]]
  draw(s: Stage): string
  /** must not be mirrored, as for heroes with their calm side on the left */
  fixed?: boolean
}
