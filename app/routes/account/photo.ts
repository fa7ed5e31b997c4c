import { readPhoto } from '../../features/accounts/commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { storedPicture } from '../stored-picture.server.ts'
import type { Route } from './+types/photo'

/** A profile photo. Its name is random. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const file = await readPhoto(context.get(servicesContext).files, params.name)
  if (!file) return new Response('This photo doesn’t exist.', { status: 404 })
  return storedPicture(file)
}
