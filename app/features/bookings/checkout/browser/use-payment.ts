import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { href, useBlocker, useNavigate } from 'react-router'
import type { CardForm } from '../../../../adapters/payments/browser-port.ts'
import { formatMoney, toNumericString } from '../../../../shared/money.ts'
import { useDialogs } from '../../../../ui/dialog.tsx'
import type { TimeProblem } from '../../../availability/rules.ts'
import { useCardForm } from '../../browser/use-card-form.ts'
import type { BookingFieldErrors } from '../../form-rules.ts'
import {
  CONNECTION_LOST,
  nothingChargedText,
  PAID_BUT_NOT_SAVED,
  PAYMENT_INIT_FAILED,
  PAYMENT_INIT_REASONS,
} from '../../messages.ts'
import {
  beginConfirmation,
  releaseHold,
  reportPayment,
  type StartedPayment,
  startPayment,
} from './payment-client.ts'
import { handedTotalCents, newSubmitKey, type PaymentHandoff } from './payment-handoff.ts'

export type PaymentStep =
  | { kind: 'loading' }
  | { kind: 'ready'; payment: StartedPayment }
  | { kind: 'failed'; message: string; reason?: string; canRetry: boolean }
  /** The hold has ended, and nothing was paid. */
  | { kind: 'over' }

/** The path that the booking came from: the vendor's booking form, or the quote. */
export const formPathOf = ({ vendor: { id }, quotePath }: PaymentHandoff) =>
  quotePath ?? href('/book/:id', { id })

/**
 * Runs one payment: requests its secret, mounts the provider's card form, confirms the card and navigates to the
 * success screen, or back to the booking form with the errors.
 */
export function usePayment(handoff: PaymentHandoff) {
  // The submit key of the payment whose time is held while this screen waits for the card.
  const heldKey = useRef<string | null>(null)
  const paths = usePaths(handoff, heldKey)
  useHoldRelease(heldKey)
  const { step, setStep, heldUntilMs, setHeldUntilMs, tryAgain } = useStart(handoff, heldKey, paths)
  const payment = step.kind === 'ready' ? step.payment : null
  const { cardBox, cardForm, isMounted } = useCardForm(payment, (error) => {
    console.error('The card form couldn’t be loaded.', error)
    setStep({
      kind: 'failed',
      message: 'The card form couldn’t be loaded. Check your connection and try again.',
      canRetry: true,
    })
  })
  const endHold = () => {
    heldKey.current = null
    setStep({ kind: 'over' })
  }
  const { pay, isProcessing } = useConfirmation(handoff, payment, {
    cardForm,
    paths,
    endHold,
    setHeldUntilMs,
  })
  return {
    step,
    payment,
    heldUntilMs,
    endHold,
    tryAgain,
    holdAgain: () =>
      handoff.quotePath ? paths.giveUp() : paths.goTo({ ...handoff, submitKey: newSubmitKey() }),
    cardBox,
    isMounted,
    pay,
    isProcessing,
  }
}

type Paths = ReturnType<typeof usePaths>

function usePaths(handoff: PaymentHandoff, heldKey: RefObject<string | null>) {
  const navigate = useNavigate()
  const { vendor, booking } = handoff
  const formPath = formPathOf(handoff)
  return {
    goTo: (next: PaymentHandoff) => navigate(href('/payment'), { replace: true, state: next }),
    goToSuccess(reference: string, said: { notSaved: boolean } | null = null) {
      heldKey.current = null
      const path = `${href('/success')}?payment_intent=${encodeURIComponent(reference)}`
      return navigate(path, { replace: true, state: said })
    },
    /** Navigates back to the form with the errors and everything that was typed. */
    goToForm(trouble: { fieldErrors: BookingFieldErrors } | { timeGone: TimeProblem }) {
      heldKey.current = null
      return navigate(formPath, { replace: true, state: { vendor, booking, ...trouble } })
    },
    giveUp: () => navigate(formPath, { replace: true }),
  }
}

/** Releases the hold when the customer goes back to the form, but not on a reload or on the provider's own page. */
function useHoldRelease(heldKey: RefObject<string | null>) {
  useEffect(
    () => () => {
      if (heldKey.current && window.location.pathname.startsWith(href('/book/:id', { id: '' })))
        releaseHold(heldKey.current)
    },
    [heldKey],
  )
}

/** Requests the payment's secret when the screen opens, and again for a new key or another try. */
function useStart(handoff: PaymentHandoff, heldKey: RefObject<string | null>, paths: Paths) {
  const { alert, confirm } = useDialogs()
  const [step, setStep] = useState<PaymentStep>({ kind: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const [heldUntilMs, setHeldUntilMs] = useState(Number.POSITIVE_INFINITY)
  const renewedKeys = useRef(0)

  const start = useEffectEvent(async (signal: AbortSignal) => {
    const outcome = await startPayment(handoff, signal)
    if (signal.aborted) return
    if (outcome.ok) {
      heldKey.current = handoff.submitKey
      setHeldUntilMs(outcome.heldUntilMs)
      return setStep({ kind: 'ready', payment: outcome })
    }
    switch (outcome.reason) {
      case 'already_paid':
        return void paths.goToSuccess(outcome.reference)
      case 'fields':
        return void paths.goToForm({ fieldErrors: outcome.fields })
      case 'time_gone':
        return void paths.goToForm({ timeGone: outcome.problem })
      case 'amount_differs': {
        const total = formatMoney(outcome.totalCents)
        const goesOn = await confirm({
          title: 'The price has changed',
          body: `The total is now ${total} instead of ${formatMoney(handedTotalCents(handoff))}. Nothing has been charged.`,
          confirmLabel: `Continue with ${total}`,
          cancelLabel: 'Back to the booking',
        })
        if (signal.aborted) return
        if (!goesOn) return void paths.giveUp()
        const totalPrice = toNumericString(outcome.totalCents)
        return void paths.goTo({ ...handoff, totalPrice, submitKey: newSubmitKey() })
      }
      case 'key_spent':
        // One new key is enough for an expired payment. More would loop.
        // A quote begins its payment itself.
        if (handoff.quotePath) return void paths.giveUp()
        renewedKeys.current += 1
        if (renewedKeys.current === 1) return void paths.goTo({ ...handoff, submitKey: newSubmitKey() })
    }
    const reason = PAYMENT_INIT_REASONS[outcome.reason]
    const canRetry = outcome.reason !== 'gone' && outcome.reason !== 'vendor_paused'
    setStep({ kind: 'failed', message: PAYMENT_INIT_FAILED, reason, canRetry })
    void alert(PAYMENT_INIT_FAILED, reason)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key or another try restarts the payment
  useEffect(() => {
    const controller = new AbortController()
    setStep({ kind: 'loading' })
    void start(controller.signal)
    return () => controller.abort()
  }, [handoff.submitKey, attempt])

  const tryAgain = () => setAttempt((before) => before + 1)
  return { step, setStep, heldUntilMs, setHeldUntilMs, tryAgain }
}

/** Confirms the card, then reports the payment so that the server stores the booking. */
function useConfirmation(
  handoff: PaymentHandoff,
  payment: StartedPayment | null,
  {
    cardForm,
    paths,
    endHold,
    setHeldUntilMs,
  }: {
    cardForm: RefObject<CardForm | null>
    paths: Paths
    endHold: () => void
    setHeldUntilMs: (untilMs: number) => void
  },
) {
  const { alert } = useDialogs()
  const [isProcessing, setIsProcessing] = useState(false)
  // A ref, because state would be one render late for a double press.
  const isPaying = useRef(false)
  const pay = async () => {
    if (isPaying.current || !payment || !cardForm.current) return
    isPaying.current = true
    setIsProcessing(true)
    const release = () => {
      isPaying.current = false
      setIsProcessing(false)
    }
    try {
      const begun = await beginConfirmation(handoff.submitKey)
      if (!begun.ok) {
        release()
        switch (begun.reason) {
          case 'already_paid':
            return await paths.goToSuccess(begun.reference)
          case 'time_gone':
            return await paths.goToForm({ timeGone: begun.problem })
          case 'over':
            return endHold()
          case 'unavailable':
            return await alert(CONNECTION_LOST)
        }
      }
      setHeldUntilMs(begun.heldUntilMs)
      const result = await cardForm.current.confirm(`${window.location.origin}${href('/success')}`)
      if (result.error) {
        release()
        const { message, isRefused } = result.error
        await alert(message, isRefused ? nothingChargedText(begun.heldUntilMs - Date.now()) : undefined)
        return cardForm.current?.focus()
      }
      const reference = result.payment?.id ?? payment.reference
      const notSaved = result.payment?.status === 'succeeded' && !(await reportPayment(payment.clientSecret))
      if (notSaved) await alert(PAID_BUT_NOT_SAVED)
      // The card form's result is not trusted: the success screen asks the server.
      isPaying.current = false
      await paths.goToSuccess(reference, { notSaved })
    } catch (error) {
      console.error('The payment could not be confirmed.', error)
      release()
      await alert(CONNECTION_LOST)
    }
  }
  useLeaveWarning(isPaying, isProcessing)
  return { pay, isProcessing }
}

/** Warns the customer about leaving, only while the card is being charged. */
function useLeaveWarning(isPaying: RefObject<boolean>, isProcessing: boolean) {
  const { confirm } = useDialogs()
  useEffect(() => {
    if (!isProcessing) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isProcessing])
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isPaying.current && nextLocation.pathname !== currentLocation.pathname,
  )
  const asked = useRef(false)
  useEffect(() => {
    if (blocker.state !== 'blocked' || asked.current) return
    asked.current = true
    void confirm({
      title: 'Your payment is being processed',
      body: 'If you leave now, the payment may still go through. If it does, we’ll send you an email.',
      confirmLabel: 'Leave the page',
      cancelLabel: 'Wait here',
    }).then((leaves) => {
      asked.current = false
      if (leaves) blocker.proceed()
      else blocker.reset()
    })
  }, [blocker, confirm])
}
