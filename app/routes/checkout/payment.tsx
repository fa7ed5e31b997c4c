import { Suspense, use, useEffect } from 'react'
import { data, href, useLocation, useNavigate } from 'react-router'
import type { StartedPayment } from '../../features/bookings/browser/payment-client.ts'
import { type PaymentHandoff, parseHandoff } from '../../features/bookings/browser/payment-handoff.ts'
import { findBrowserPayment } from '../../features/bookings/checkout-queries.server.ts'
import { PaymentScreen } from '../../features/bookings/screens/payment-screen.tsx'
import { COMPLETE_YOUR_PAYMENT, LOADING_PAYMENT } from '../../features/bookings/wording.ts'
import { findBusiness } from '../../features/businesses/queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { toNumericString } from '../../shared/money.ts'
import { pageTitle } from '../../shared/page-meta.ts'
import { TERMS_PDF_PATH } from '../../shell/footer.tsx'
import { LoadingText } from '../../ui/skeleton.tsx'
import { useMounted } from '../../ui/use-mounted.ts'
import type { Route } from './+types/payment'
import '../../styles/whole.css'

export const meta: Route.MetaFunction = ({ matches }) => [
  { title: pageTitle(COMPLETE_YOUR_PAYMENT, matches[0]?.loaderData) },
  { name: 'description', content: 'Pay for your booking by card.' },
]

/** This browser's unfinished booking, for whoever comes by the /payment link (Decision 9). */
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
    booking: payment.draft,
    totalPrice: toNumericString(payment.amountCents),
    vendor:
      business && business !== 'gone' ? business : { id: payment.businessId, name: payment.businessName },
    submitKey: payment.submitKey,
  }
  return data({ unfinished })
}

export async function clientLoader({ serverLoader, url }: Route.ClientLoaderArgs) {
  if (url.pathname === window.location.pathname) return await serverLoader()
  const pending = serverLoader()
  // With navigation state it is never looked at.
  pending.catch(() => {})
  return { pending }
}

export default function PaymentPage({ loaderData }: Route.ComponentProps) {
  const { state } = useLocation()
  const handed = useMounted() ? parseHandoff(state) : undefined
  // The server can't see navigation state: until the browser has looked, nothing is decided (Decision 11).
  if (handed === undefined) return <Loading />
  if (handed) return <PaymentScreen handoff={handed} loadCardForm={loadCardForm} termsPath={TERMS_PDF_PATH} />
  return (
    <Suspense fallback={<Loading />}>
      <Resume loaderData={loaderData} />
    </Suspense>
  )
}

function Resume({ loaderData }: { loaderData: Route.ComponentProps['loaderData'] }) {
  const { unfinished } = 'pending' in loaderData ? use(loaderData.pending) : loaderData
  const navigate = useNavigate()
  useEffect(() => {
    // Kept as navigation state, so that a reload or a changed price goes the same way as coming from the form.
    if (unfinished) void navigate(href('/payment'), { replace: true, state: unfinished })
    else void navigate(href('/'), { replace: true })
  }, [navigate, unfinished])
  return <Loading />
}

function Loading() {
  return <LoadingText heading="Payment">{LOADING_PAYMENT}</LoadingText>
}

/** Brings the provider's card form; only this screen loads it. */
async function loadCardForm({ clientSecret, provider }: StartedPayment) {
  if (provider.provider === 'sandbox') {
    const { createSandboxCardForm } = await import('../../adapters/payments/sandbox-card-form.ts')
    return createSandboxCardForm({ clientSecret, confirmUrl: href('/api/sandbox/confirm') })
  }
  const { createStripeCardForm } = await import('../../adapters/payments/stripe-card-form.ts')
  return createStripeCardForm({ clientSecret, publishableKey: provider.publishableKey })
}
