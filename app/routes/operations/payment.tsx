import { findPaymentTrail } from '../../features/operators/payment-trail-queries.server.ts'
import { PaymentScreen } from '../../features/operators/screens/payment-screen.tsx'
import { findRefundAccounts } from '../../features/payments/refund-account-commands.server.ts'
import { listProofs } from '../../features/payouts/proof-commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/payment'
import { requireOperator } from './operator.server.ts'
import { performOperation } from './perform.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Payment | Operations', matches[0]?.loaderData)

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { config, db, now, payments } = context.get(servicesContext)
  const operator = await requireOperator({ request, context })
  const payment = await findPaymentTrail(db, params.id, now())
  if (!payment) throw new Response('Not found', { status: 404 })
  const accounts = await findRefundAccounts(
    { db, now, secret: config.secret },
    payment.refunds.map(({ id }) => id),
    operator.userId,
  )
  const proofs = await listProofs(
    db,
    payment.disputes.map(({ id }) => id),
  )
  return { payment, accounts, proofs, provider: payments.name, ownEmail: operator.email }
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function Payment({ loaderData }: Route.ComponentProps) {
  return <PaymentScreen {...loaderData} />
}
