import { findLedger } from '../../features/operators/ledger-queries.server.ts'
import { OPERATIONS_ZONE } from '../../features/operators/messages.ts'
import { LedgerScreen } from '../../features/operators/screens/ledger-screen.tsx'
import { addMonths } from '../../features/payouts/earning-rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/ledger'
import { performOperation } from './perform.server.ts'

/** A financial year, and the one before it. */
const MONTHS_TO_DOWNLOAD = 24

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Ledger | Operations', matches[0]?.loaderData)

export async function loader({ context }: Route.LoaderArgs) {
  const { config, db, now, payouts } = context.get(servicesContext)
  if (!payouts) throw new Response('Not found', { status: 404 })
  const { commissionBasisPoints: defaultBasisPoints, reserveBasisPoints } = config
  const month = wallTimeAt(now(), OPERATIONS_ZONE).date.slice(0, 7)
  const months = Array.from({ length: MONTHS_TO_DOWNLOAD }, (_, back) => addMonths(month, -back))
  return { ledger: await findLedger(db, { reserveBasisPoints }), defaultBasisPoints, months }
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function Ledger({ loaderData }: Route.ComponentProps) {
  return <LedgerScreen {...loaderData} />
}
