import { data } from 'react-router'
import { findBrowserPayment } from '../../features/bookings/checkout/queries.server.ts'
import { SuccessScreen } from '../../features/bookings/checkout/screens/success-screen.tsx'
import { findBusiness } from '../../features/businesses/queries.server.ts'
import { useCart } from '../../features/cart/browser/use-cart.ts'
import { servicesContext } from '../../request-context.server.ts'
import { listOnwardOf } from '../onward.server.ts'
import type { Route } from './+types/success'

export const meta: Route.MetaFunction = () => [{ name: 'referrer', content: 'no-referrer' }]

/**
 * The state of a payment as the server knows it. The address only names the payment; the httpOnly cookie proves that
 * this browser started it.
 */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, config, now } = context.get(servicesContext)
  const payment = await findBrowserPayment(db, {
    cookieHeader: request.headers.get('cookie'),
    secret: config.secret,
    reference: url.searchParams.get('payment_intent'),
  })
  if (!payment)
    return data({ payment: null, picture: null, onward: [], now: now().toISOString() }, { status: 404 })
  const business = await findBusiness(db, payment.businessId)
  const picture = business && business !== 'gone' ? (business.pictures[0] ?? null) : null
  const onward = payment.booking
    ? await listOnwardOf({ db, now, config }, payment.booking.stored, 'more')
    : []
  return data({ payment, picture, onward, now: now().toISOString() })
}

export default function SuccessPage({ loaderData }: Route.ComponentProps) {
  const { remove } = useCart()
  return <SuccessScreen loaderData={loaderData} removeFromCart={remove} />
}
