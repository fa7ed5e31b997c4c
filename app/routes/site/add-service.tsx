import { redirect } from 'react-router'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/add-service'

const LISTING_FORM_PATH = '/dashboard/list-business/new'

/** To the listing form, by way of signing in (Decision 16). */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  await requireSession({ request, url, context }, LISTING_FORM_PATH)
  return redirect(LISTING_FORM_PATH)
}

/** Never seen: the loader always leads on. */
export default function AddService() {
  return null
}
