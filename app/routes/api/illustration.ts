import { readOrMake } from '../../features/files/commands.server.ts'
import { readVariant } from '../../features/files/rules.ts'
import { renderScene } from '../../illustrations/render.server.ts'
import { isSceneName } from '../../illustrations/scenes.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Route } from './+types/illustration'

const SEED = /^[a-z0-9][a-z0-9-]{0,110}$/
const ratios: Record<string, number> = {
  '3x2': 3 / 2,
  '4x3': 4 / 3,
  '1x1': 1,
  '16x9': 16 / 9,
  '21x9': 21 / 9,
  '3x4': 3 / 4,
}

/** A drawn picture: made at the first request, then kept. The same address always gives the same pixels. */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { files } = context.get(servicesContext)
  const { scene, seed, ratio = '3x2' } = params
  const variant = readVariant(url.searchParams)
  const aspect = ratios[ratio]
  if (!isSceneName(scene) || !SEED.test(seed) || !aspect || !variant) {
    return new Response('There is no such picture.', { status: 404 })
  }
  const { width, format } = variant
  const key = `illustrations/${scene}/${seed}/${ratio}-${width}.${format}`
  const file = await readOrMake(files, key, async () => ({
    bytes: await renderScene({ scene, seed, width, height: Math.round(width / aspect), format }),
    contentType: `image/${format}`,
  }))
  return new Response(Buffer.from(file.bytes), {
    headers: { 'content-type': file.contentType, 'cache-control': 'public, max-age=31536000, immutable' },
  })
}
