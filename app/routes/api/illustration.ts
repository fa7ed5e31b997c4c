import { readVariant } from '../../features/files/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readIllustration } from '../illustration-file.server.ts'
import type { Route } from './+types/illustration'

/** An illustration, drawn at the first request and then stored. The same address always gives the same pixels. */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const variant = readVariant(url.searchParams)
  const file = variant && (await readIllustration(context.get(servicesContext), params, variant))
  if (!file) return new Response('There is no such picture.', { status: 404 })
  return new Response(Buffer.from(file.bytes), {
    headers: { 'content-type': file.contentType, 'cache-control': 'public, max-age=31536000, immutable' },
  })
}
