import { APPROVAL_ACTS } from '../../features/operators/act-rules.ts'
import { listOpenApprovals } from '../../features/operators/approval-queries.server.ts'
import { hasOtherAdmin, listOperators } from '../../features/operators/people-queries.server.ts'
import { PeopleScreen } from '../../features/operators/screens/people-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/people'
import { requireOperator } from './operator.server.ts'
import { performOperation } from './perform.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('People | Operations', matches[0]?.loaderData)

export async function loader({ request, context }: Route.LoaderArgs) {
  const { config, db } = context.get(servicesContext)
  const { userId } = await requireOperator({ request, context })
  const [people, namings, hasAnother] = await Promise.all([
    listOperators(db, config.operatorEmails),
    listOpenApprovals(db, APPROVAL_ACTS.naming),
    hasOtherAdmin(db, userId, config.operatorEmails),
  ])
  return {
    people,
    namings,
    isOnlyAdmin: !hasAnother,
    ownId: userId,
    needsFactor: config.operatorFactorFrom !== null,
  }
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function People({ loaderData }: Route.ComponentProps) {
  return <PeopleScreen {...loaderData} />
}
