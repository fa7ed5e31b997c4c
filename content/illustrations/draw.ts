import { COMPOSITIONS } from './compositions.ts'
import { n } from './geometry.ts'
import { type Hex, MOODS, mix } from './palette.ts'
import { randomFrom } from './random.ts'
import type { SceneName } from './scenes.ts'
import { makeStage, moodOf } from './stage.ts'

export type DrawInput = {
  scene: SceneName
  /** identifies the business or page: the same seed always gives the same picture */
  seed: string
  /** size of the output in pixels; the composition adapts to its aspect ratio */
  width: number
  height: number
}

/** Draws one picture as a complete SVG document, without external resources, scripts or text. */
export function drawScene({ scene, seed, width, height }: DrawInput): string {
  const key = `${scene}/${seed}`
  const composition = COMPOSITIONS[scene]
  const s = makeStage({ key, width, height, moods: composition.moods })
  const body = composition.draw(s)
  const mirrored = !composition.fixed && randomFrom(`${key}/mirror`).chance(0.5)
  const turned = mirrored ? `<g transform="translate(${n(s.w)} 0) scale(-1 1)">${body}</g>` : body
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${n(width)}" height="${n(height)}" viewBox="0 0 ${n(s.w)} ${n(s.h)}" preserveAspectRatio="xMidYMid slice"><defs>${s.definitions()}</defs>${turned}</svg>`
}

/** The placeholder colour while a picture loads. It follows from the picture's mood, without drawing. */
export function dominantColour({ scene, seed }: Pick<DrawInput, 'scene' | 'seed'>): Hex {
  const mood = MOODS[moodOf(`${scene}/${seed}`, COMPOSITIONS[scene].moods)]
  return mix(mix(mood.sky[1], mood.haze, 0.5), mood.land[2], 0.35)
}
