import { readUpload } from '../../features/files/commands.server.ts'
import { readUploadVariant } from '../../features/files/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { storedPicture } from '../stored-picture.server.ts'
import type { Route } from './+types/uploaded-file'

/** An uploaded picture in one size. */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { db, files } = context.get(servicesContext)
  const key = params['*']
  const variant = readUploadVariant(key, url.searchParams)
  const file = variant ? await readUpload({ db, files }, key, variant) : null
  if (!file) return new Response('There is no such picture.', { status: 404 })
  return storedPicture(file)
}
