import { readPhoto } from '../../features/accounts/commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Route } from './+types/photo'

/** A profile photo. Its name is random and never used again, so browsers may keep it for ever. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const file = await readPhoto(context.get(servicesContext).files, params.name)
  if (!file) return new Response('There is no such photo.', { status: 404 })
  return new Response(Buffer.from(file.bytes), {
    headers: {
      'content-type': file.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  })
}
