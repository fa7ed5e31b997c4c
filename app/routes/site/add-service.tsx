import { redirect } from 'react-router'
import { servicesContext } from '../../request-context.server.ts'
import type { Route } from './+types/add-service'

const LISTING_FORM_PATH = '/dashboard/list-business/new'

/** To the listing form, by way of signing in (Decision 16). */
export async function loader({ request, context }: Route.LoaderArgs) {
  const session = await context.get(servicesContext).accounts.findSession(request)
  return redirect(session ? LISTING_FORM_PATH : `/login?next=${encodeURIComponent(LISTING_FORM_PATH)}`)
}

/** Never seen: the loader always leads on. */
export default function AddService() {
  return null
}
