import { data } from 'react-router'
import { limitedAddress } from '../../adapters/rate-limits/addresses.ts'
import { isLinkToken } from '../../features/bookings/schema.ts'
import {
  type RefundAccountAnswer,
  RefundAccountScreen,
} from '../../features/bookings/screens/refund-account-screen.tsx'
import {
  findWaitingRefund,
  nameRefundAccount,
} from '../../features/payments/refund-account-commands.server.ts'
import {
  accountText,
  readRefundAccount,
  refundAccountSchema,
} from '../../features/payments/refund-account-rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services/deps.server.ts'
import { readForm } from '../../shared/form.ts'
import { MINUTE_MS } from '../../shared/time-units.ts'
import type { Route } from './+types/refund'

// The address is the key to the booking: keep it from search engines, other sites and shared caches. Where the form is sent
// without JavaScript, our own site has to learn the origin, or it takes the form for another site's.
export const meta: Route.MetaFunction = () => [{ name: 'referrer', content: 'same-origin' }]

/** Far above what a person needs. */
const LIMIT = { max: 20, windowMs: 10 * MINUTE_MS }

/** Loads the refunds that came back, by the unguessable link of their purchase. */
export async function loader({ params: { linkToken }, context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext)
  const waiting = isLinkToken(linkToken) ? await findWaitingRefund(db, linkToken) : null
  return data({ waiting }, { status: waiting ? 200 : 404 })
}

/** Stores where the money goes. The link alone authorises it. */
export async function action({ params: { linkToken }, request, context }: Route.ActionArgs) {
  const form = await readForm(request, refundAccountSchema)
  const { rateLimits } = context.get(servicesContext)
  const typed = Object.fromEntries(form)
  const refuse = (
    answer: Pick<RefundAccountAnswer, 'refusal'> & Partial<RefundAccountAnswer>,
    status: number,
  ) =>
    data<RefundAccountAnswer>(
      { isDone: false, errors: {}, typed: textsOf(typed), stored: null, ...answer },
      { status },
    )
  if (!isLinkToken(linkToken)) return refuse({ refusal: 'not_found' }, 404)
  const read = readRefundAccount(typed)
  if (!read.ok) return refuse({ refusal: null, errors: read.errors }, 422)
  if (!(await rateLimits.take(`refund-account:${limitedAddress(request)}`, LIMIT)))
    return refuse({ refusal: 'too_often' }, 429)
  const named = await nameRefundAccount(bookingDeps(context.get(servicesContext)), {
    linkToken,
    account: read.account,
  })
  if (!named.ok) return refuse({ refusal: 'nothing_waits' }, 409)
  return data<RefundAccountAnswer>({
    isDone: true,
    refusal: null,
    errors: {},
    typed: {},
    stored: accountText(read.account),
  })
}

const textsOf = (typed: Record<string, FormDataEntryValue>) =>
  Object.fromEntries(
    Object.entries(typed).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

export default function RefundPage({ loaderData, actionData, params }: Route.ComponentProps) {
  return <RefundAccountScreen waiting={loaderData.waiting} answer={actionData} linkToken={params.linkToken} />
}
