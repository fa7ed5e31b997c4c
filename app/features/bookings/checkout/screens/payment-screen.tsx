import { Suspense, use, useEffect } from 'react'
import { href, useLocation, useNavigate } from 'react-router'
import { LoadingText } from '../../../../ui/skeleton.tsx'
import { showToast } from '../../../../ui/toast.tsx'
import { useMounted } from '../../../../ui/use-mounted.ts'
import { LOADING_PAYMENT, NO_UNFINISHED_PAYMENT } from '../../messages.ts'
import { type PaymentHandoff, parseHandoff } from '../browser/payment-handoff.ts'
import { HandedPayment } from './payment-sections.tsx'

/** This browser's unfinished booking, if any. */
type Unfinished = { unfinished: PaymentHandoff | null }

/**
 * The payment screen (Specification, section 2), for the booking that the previous page handed over, or else for this
 * browser's unfinished one.
 */
export function PaymentScreen({
  loaderData,
  termsPath,
}: {
  loaderData: Unfinished | { pending: Promise<Unfinished> }
  /** The path of the Terms of Service. */
  termsPath: string
}) {
  const { state } = useLocation()
  const handed = useMounted() ? parseHandoff(state) : undefined
  // The server can't see navigation state, so the screen decides nothing before the browser has read it (Decision 11).
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
    // As navigation state, so that a reload or a changed price is handled as if the form had handed it over.
    if (unfinished) void navigate(href('/payment'), { replace: true, state: unfinished })
    else {
      showToast({ text: NO_UNFINISHED_PAYMENT })
      void navigate(href('/'), { replace: true })
    }
  }, [navigate, unfinished])
  return <Loading />
}

function Loading() {
  return <LoadingText heading="Payment">{LOADING_PAYMENT}</LoadingText>
}
