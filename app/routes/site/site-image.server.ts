import { dominantColour } from '../../illustrations/draw.ts'
import type { SceneName } from '../../illustrations/scenes.ts'
import type { PictureImage } from '../../ui/picture.tsx'

/** Shapes in which the site's own pictures are drawn: the composition follows the shape, so nothing is cut off. */
const SHAPES = {
  '3x2': 3 / 2,
  '4x3': 4 / 3,
  '1x1': 1,
  '16x9': 16 / 9,
  '21x9': 21 / 9,
  '3x4': 3 / 4,
} as const

/** Pixels: the largest width in which pictures are served. */
const WIDTH = 1600

/**
 * A picture of the site's own, with the colour that stands while it loads.
 * @param seed what it belongs to; another seed is another picture of the same scene
 */
export function siteImage(scene: SceneName, seed: string, shape: keyof typeof SHAPES = '3x2'): PictureImage {
  return {
    url: `/illustrations/${scene}/${seed}/${shape}`,
    width: WIDTH,
    height: Math.round(WIDTH / SHAPES[shape]),
    colour: dominantColour({ scene, seed }),
  }
}
