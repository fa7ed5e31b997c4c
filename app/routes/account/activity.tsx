import { originOf } from '../../adapters/accounts/security-log.ts'
import { ActivityScreen } from '../../features/accounts/screens/activity-screen.tsx'
import { ACTIVITY_TITLE } from '../../features/accounts/security-messages.ts'
import { listActivity } from '../../features/accounts/security-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/activity'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(ACTIVITY_TITLE, matches[0]?.loaderData)

/** A page of the signed-in person's own activity. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { accounts, db } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const before = url.searchParams.get('before')
  return {
    ...(await listActivity(db, { userId: session.user.uid, before })),
    isFirst: before === null,
    network: originOf(request).network,
    hasFactors: accounts.secondFactor !== null,
  }
}

export default function Activity({ loaderData }: Route.ComponentProps) {
  return <ActivityScreen {...loaderData} />
}
