import { data } from 'react-router'
import { ALBUM_TITLE } from '../../features/businesses/album-messages.ts'
import { findOwnAlbum } from '../../features/businesses/album-queries.server.ts'
import { AlbumScreen } from '../../features/businesses/screens/album-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/album'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(ALBUM_TITLE, matches[0]?.loaderData)

export async function loader({ params, request, context, url }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext)
  const { user } = await requireSession({ request, url, context })
  const album = await findOwnAlbum(db, { userId: user.uid, businessId: params.id })
  return data({ userId: user.uid, businessId: params.id, album }, { status: album ? 200 : 404 })
}

export default function AlbumRoute({ loaderData }: Route.ComponentProps) {
  return <AlbumScreen key={loaderData.businessId} {...loaderData} />
}
