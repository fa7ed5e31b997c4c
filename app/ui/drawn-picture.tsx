import { href } from 'react-router'
import { Picture } from './picture.tsx'

/**
 * The illustration of an `EmptyState` where the screen gets none from its loader.
 * @param picture a scene and a seed of our illustrations, which routes/site/site-image.server.ts lists
 */
export function DrawnPicture({ picture }: { picture: `${string}/${string}` }) {
  const [scene = '', seed = ''] = picture.split('/')
  const url = href('/illustrations/:scene/:seed/:ratio?', { scene, seed, ratio: '4x3' })
  return <Picture image={{ url, width: 960, height: 720, colour: null }} alt="" sizes="280px" ratio="4 / 3" />
}
