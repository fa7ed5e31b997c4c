import { href, redirect } from 'react-router'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/add-service'

/** Redirects to the listing form, by way of signing in (Decision 16). */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  await requireSession({ request, url, context }, href('/dashboard/list-business/new'))
  return redirect(href('/dashboard/list-business/new'))
}

/** Never rendered: the loader always redirects. */
export default function AddService() {
  return null
}
