import { href } from 'react-router'
import type { PictureImage } from './picture.tsx'

/**
 * One of the site's own pictures in 4:3, for a screen that gets none from its loader. The server draws only the seeds in
 * routes/site/site-image.server.ts.
 */
export function drawnPicture(scene: string, seed: string): PictureImage {
  return {
    url: href('/illustrations/:scene/:seed/:ratio?', { scene, seed, ratio: '4x3' }),
    width: 960,
    height: 720,
    colour: null,
  }
}
