import { findLedger } from '../../features/operators/ledger-queries.server.ts'
import { LedgerScreen } from '../../features/operators/screens/ledger-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/ledger'
import { performOperation } from './perform.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Ledger | Operations', matches[0]?.loaderData)

export async function loader({ context }: Route.LoaderArgs) {
  const { config, db, payouts } = context.get(servicesContext)
  if (!payouts) throw new Response('Not found', { status: 404 })
  const { commissionBasisPoints: defaultBasisPoints, reserveBasisPoints } = config
  return { ledger: await findLedger(db, { reserveBasisPoints }), defaultBasisPoints }
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function Ledger({ loaderData }: Route.ComponentProps) {
  return <LedgerScreen {...loaderData} />
}
