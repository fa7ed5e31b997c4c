import { data } from 'react-router'
import type { PaymentHandoff } from '../../features/bookings/checkout/browser/payment-handoff.ts'
import { findBrowserPayment } from '../../features/bookings/checkout/queries.server.ts'
import { PaymentScreen } from '../../features/bookings/checkout/screens/payment-screen.tsx'
import { COMPLETE_YOUR_PAYMENT } from '../../features/bookings/messages.ts'
import { findBusiness } from '../../features/businesses/queries.server.ts'
import { findQuotePath } from '../../features/quotes/page-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { toNumericString } from '../../shared/money.ts'
import { pageTitle } from '../../shared/page-meta.ts'
import { TERMS_PDF_PATH } from '../../shell/footer.tsx'
import type { Route } from './+types/payment'
import '../../styles/whole.css'

export const meta: Route.MetaFunction = ({ matches }) => [
  { title: pageTitle(COMPLETE_YOUR_PAYMENT, matches[0]?.loaderData) },
  { name: 'description', content: 'Pay for your booking by card.' },
]

/** This browser's unfinished booking, for visitors who come by the /payment link (Decision 9). */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(servicesContext)
  const payment = await findBrowserPayment(db, {
    cookieHeader: request.headers.get('cookie'),
    secret: config.secret,
    reference: null,
  })
  if (payment?.state !== 'open' || Date.parse(payment.expiresAt) <= now().getTime())
    return data({ unfinished: null })
  const business = await findBusiness(db, payment.businessId)
  const unfinished: PaymentHandoff = {
    booking: payment.form,
    totalPrice: toNumericString(payment.totalCents),
    vendor:
      business && business !== 'gone' ? business : { id: payment.businessId, name: payment.businessName },
    submitKey: payment.submitKey,
    ...(payment.quoteId && {
      quotePath: await findQuotePath(db, { quoteId: payment.quoteId, secret: config.secret }),
    }),
  }
  return data({ unfinished })
}

export async function clientLoader({ serverLoader, url }: Route.ClientLoaderArgs) {
  if (url.pathname === window.location.pathname) return await serverLoader()
  const pending = serverLoader()
  // With navigation state, the page never reads this promise: don't let it reject unhandled.
  pending.catch(() => {})
  return { pending }
}

export default function PaymentPage({ loaderData }: Route.ComponentProps) {
  return <PaymentScreen loaderData={loaderData} termsPath={TERMS_PDF_PATH} />
}
