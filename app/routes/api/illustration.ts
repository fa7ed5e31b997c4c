import { renderScene } from '../../../content/illustrations/render.server.ts'
import { isSceneName } from '../../../content/illustrations/scenes.ts'
import { hasDrawnPicture } from '../../features/businesses/queries.server.ts'
import { readOrMake } from '../../features/files/commands.server.ts'
import { readVariant } from '../../features/files/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { aspectOf, isSiteImage } from '../site/site-image.server.ts'
import type { Route } from './+types/illustration'

/**
 * An illustration, drawn at the first request and then stored. The same address always gives the same pixels. Only
 * illustrations that a page shows are drawn, so that nobody can fill the disk with others.
 */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { db, files } = context.get(servicesContext)
  const { scene, seed, ratio } = params
  const variant = readVariant(url.searchParams)
  // Pictures of businesses all have one shape, so their addresses don't contain it.
  const aspect = aspectOf(ratio ?? '3x2')
  if (!isSceneName(scene) || !aspect || !variant) return notThere()
  const isShown = ratio ? isSiteImage(scene, seed) : await hasDrawnPicture(db, scene, seed)
  if (!isShown) return notThere()
  const { width, format } = variant
  const file = await readOrMake(
    files,
    `illustrations/${scene}/${seed}/${ratio ?? '3x2'}-${width}.${format}`,
    async () => ({
      bytes: await renderScene({ scene, seed, width, height: Math.round(width / aspect), format }),
      contentType: `image/${format}`,
    }),
  )
  return new Response(Buffer.from(file.bytes), {
    headers: { 'content-type': file.contentType, 'cache-control': 'public, max-age=31536000, immutable' },
  })
}

function notThere(): Response {
  return new Response('There is no such picture.', { status: 404 })
}
