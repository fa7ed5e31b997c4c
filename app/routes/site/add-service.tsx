import { href, redirect } from 'react-router'
import { findSession, requireSession } from '../require-session.server.ts'
import type { Route } from './+types/add-service'

/** Redirects to the form of a new listing (Decision 16), and visitors to the page that explains it first. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  if (!(await findSession({ request, context }))) return redirect(href('/list-your-business'))
  await requireSession({ request, url, context }, href('/dashboard/list-business/new'))
  return redirect(href('/dashboard/list-business/new'))
}

/** Never rendered: the loader always redirects. */
export default function AddService() {
  return null
}
