import { href } from 'react-router'
import { Picture } from './picture.tsx'

/**
 * One of the site's own pictures for an `EmptyState`, where a screen gets none from its loader. The server draws only the
 * seeds in routes/site/site-image.server.ts.
 */
export function DrawnPicture({ scene, seed }: { scene: string; seed: string }) {
  const url = href('/illustrations/:scene/:seed/:ratio?', { scene, seed, ratio: '4x3' })
  return <Picture image={{ url, width: 960, height: 720, colour: null }} alt="" sizes="280px" ratio="4 / 3" />
}
