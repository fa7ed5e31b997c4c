import { useEffect, useRef, useState } from 'react'
import { useFetcher, useRevalidator } from 'react-router'
import type { ConfirmResult } from '../../../adapters/payments/browser-port.ts'
import type { Cents } from '../../../shared/money.ts'
import { useDialogs } from '../../../ui/dialog.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import type { InstalmentAnswer } from '../../instalments/schema.ts'
import { reportPayment } from '../checkout/browser/payment-client.ts'
import { newSubmitKey } from '../checkout/browser/payment-handoff.ts'
import {
  CARD_NOT_LOADED,
  CARD_SAVED,
  INSTALMENT_REFUSALS,
  PAYMENT_DONE,
  PAYMENT_UNDER_WAY,
} from '../instalment-messages.ts'
import { CONNECTION_LOST, NOTHING_CHARGED } from '../messages.ts'
import { confirmSavedCard } from './card-form-client.ts'
import { useCardForm } from './use-card-form.ts'

type Opened = Extract<InstalmentAnswer, { intent: 'open' | 'setup' }>

/**
 * Pays an instalment with the saved card or another one, or saves another card: opens the payment or the setup, confirms it at the
 * provider, and has the server ask the provider about it.
 * @param shownCents the amount that the page shows at present
 */
export function useInstalment(shownCents: Cents) {
  const fetcher = useFetcher<InstalmentAnswer>()
  const { revalidate } = useRevalidator()
  const { alert } = useDialogs()
  const [opened, setOpened] = useState<Opened | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  // A ref, because state would be one render late for a double press.
  const isConfirming = useRef(false)
  const usesSavedCard = useRef(false)
  const form = useCardForm(opened, (error) => {
    console.error('The card form couldn’t be loaded.', error)
    setOpened(null)
    void alert(CARD_NOT_LOADED)
  })

  // The page is live. A form for another amount than it shows is closed, but not while its card is being confirmed.
  const isOutdated = opened?.intent === 'open' && opened.amountCents !== shownCents && !isBusy
  useEffect(() => {
    if (!isOutdated) return
    setOpened(null)
    void alert(INSTALMENT_REFUSALS.amount_changed)
  }, [isOutdated, alert])

  const finish = async (payment: Opened, result: ConfirmResult) => {
    if (result.error) {
      await alert(result.error.message, result.error.isRefused ? NOTHING_CHARGED : undefined)
      return form.cardForm.current?.focus()
    }
    if (payment.intent === 'setup')
      return fetcher.submit({ intent: 'keep', reference: payment.reference }, { method: 'post' })
    // The form's result is not trusted: the server asks the provider.
    const isPaid = await reportPayment(payment.clientSecret)
    setOpened(null)
    showToast({ type: 'success', text: isPaid ? PAYMENT_DONE : PAYMENT_UNDER_WAY })
    await revalidate()
  }

  const confirm = async (payment: Opened, ask: () => Promise<ConfirmResult>) => {
    if (isConfirming.current) return
    isConfirming.current = true
    setIsBusy(true)
    try {
      await finish(payment, await ask())
    } catch (error) {
      console.error('The card could not be confirmed.', error)
      await alert(CONNECTION_LOST)
    } finally {
      isConfirming.current = false
      setIsBusy(false)
    }
  }

  const returnUrl = () => window.location.href
  useAnswer(fetcher, (answer) => {
    if (!answer.ok) {
      void alert(INSTALMENT_REFUSALS[answer.reason])
      return void revalidate()
    }
    if (answer.intent === 'keep') {
      setOpened(null)
      return showToast({ type: 'success', text: CARD_SAVED })
    }
    const { method } = answer.intent === 'open' ? answer : { method: null }
    if (usesSavedCard.current && method)
      void confirm(answer, () => confirmSavedCard(answer, { method, returnUrl: returnUrl() }))
    else setOpened(answer)
  })

  const submit = (fields: Record<string, string>) => void fetcher.submit(fields, { method: 'post' })
  const open = () => submit({ intent: 'open', shownCents: String(shownCents) })
  return {
    opened,
    ...form,
    isBusy: isBusy || fetcher.state !== 'idle',
    payWithSavedCard() {
      usesSavedCard.current = true
      open()
    },
    payWithAnotherCard() {
      usesSavedCard.current = false
      open()
    },
    changeCard: () => submit({ intent: 'setup', setupKey: newSubmitKey() }),
    confirmForm() {
      const { current } = form.cardForm
      if (opened && current) void confirm(opened, () => current.confirm(returnUrl()))
    },
  }
}
