import { href } from 'react-router'
import { Picture } from './picture.tsx'

/**
 * The illustration of an `EmptyState` on a screen whose loader provides none.
 * @param props.picture a scene and a seed of our illustrations, listed in routes/site/site-image.server.ts
 */
export function DrawnPicture({ picture }: { picture: `${string}/${string}` }) {
  const [scene = '', seed = ''] = picture.split('/')
  const url = href('/illustrations/:scene/:seed/:ratio?', { scene, seed, ratio: '4x3' })
  return <Picture image={{ url, width: 960, height: 720, colour: null }} alt="" sizes="280px" ratio="4 / 3" />
}
