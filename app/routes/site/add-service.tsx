import { href, redirect } from 'react-router'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/add-service'

/** To the listing form, by way of signing in (Decision 16). */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  await requireSession({ request, url, context }, href('/dashboard/list-business/new'))
  return redirect(href('/dashboard/list-business/new'))
}

/** Never seen: the loader always leads on. */
export default function AddService() {
  return null
}
