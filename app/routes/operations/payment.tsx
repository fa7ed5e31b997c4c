import { findPaymentTrail } from '../../features/operators/payment-trail-queries.server.ts'
import { PaymentScreen } from '../../features/operators/screens/payment-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/payment'
import { requireOperator } from './operator.server.ts'
import { performOperation } from './perform.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Payment | Operations', matches[0]?.loaderData)

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { db, now, payments } = context.get(servicesContext)
  const operator = await requireOperator({ request, context })
  const payment = await findPaymentTrail(db, params.id, now())
  if (!payment) throw new Response('Not found', { status: 404 })
  return { payment, provider: payments.name, ownEmail: operator.email }
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function Payment({ loaderData }: Route.ComponentProps) {
  return <PaymentScreen {...loaderData} />
}
