import { limitedAddress } from '../../adapters/rate-limits/addresses.ts'
import { BUSINESS_ID, MAX_ID_LENGTH } from '../../features/businesses/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readTextBody } from '../../shared/json-body.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/view'

/** Nobody waits for this response, so it is the same whether or not the view was counted. */
const taken = () => new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })

export const loader = () => new Response('A view is sent as a POST.', { status: 405 })

/**
 * Counts a view of a business's page, reported by the browser (Decision 23). The body is the business's id; nothing
 * about the visitor is stored.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { countView, viewLimit } = context.get(servicesContext)
  const businessId = await readTextBody(request, MAX_ID_LENGTH)
  if (!businessId || !BUSINESS_ID.test(businessId)) return taken()
  if (viewLimit.take(limitedAddress(request)) > 0) return taken()
  const session = await findSession({ request, context })
  await countView({ businessId, viewerUserId: session?.user.uid ?? null })
  return taken()
}
