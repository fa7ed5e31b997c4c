import { Suspense, use, useEffect } from 'react'
import { href, useLocation, useNavigate } from 'react-router'
import { LoadingText } from '../../../ui/skeleton.tsx'
import { useMounted } from '../../../ui/use-mounted.ts'
import { type PaymentHandoff, parseHandoff } from '../browser/payment-handoff.ts'
import { LOADING_PAYMENT } from '../messages.ts'
import { HandedPayment } from './payment-sections.tsx'

/** This browser's unfinished booking, if there is one. */
type Unfinished = { unfinished: PaymentHandoff | null }

/**
 * The payment screen (Specification, section 2): the payment of the booking that the page before handed over, or else of
 * this browser's unfinished one.
 */
export function PaymentScreen({
  loaderData,
  termsPath,
}: {
  loaderData: Unfinished | { pending: Promise<Unfinished> }
  /** Where the Terms of Service are. */
  termsPath: string
}) {
  const { state } = useLocation()
  const handed = useMounted() ? parseHandoff(state) : undefined
  // The server can't see navigation state: until the browser has looked, nothing is decided (Decision 11).
  if (handed === undefined) return <Loading />
  if (handed) return <HandedPayment handoff={handed} termsPath={termsPath} />
  return (
    <Suspense fallback={<Loading />}>
      <Resume loaderData={loaderData} />
    </Suspense>
  )
}

function Resume({ loaderData }: { loaderData: Unfinished | { pending: Promise<Unfinished> } }) {
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
