import { readUpload } from '../../features/files/commands.server.ts'
import { readUploadVariant } from '../../features/files/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Route } from './+types/uploaded-file'

/**
 * An uploaded picture in one size. Its key is never used again, so browsers may keep it for ever; the policy keeps a
 * file that is opened on its own from being anything but a picture.
 */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { db, files } = context.get(servicesContext)
  const key = params['*']
  const variant = readUploadVariant(key, url.searchParams)
  const file = variant ? await readUpload({ db, files }, key, variant) : null
  if (!file) return new Response('There is no such picture.', { status: 404 })
  return new Response(Buffer.from(file.bytes), {
    headers: {
      'content-type': file.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  })
}
