import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { CardForm } from '../../../adapters/payments/browser-port.ts'
import { type AwaitedCard, loadCardForm } from './card-form-client.ts'

/** Mounts the provider's card form in `cardBox` once there is a payment or a setup. */
export function useCardForm(payment: AwaitedCard | null, onFailed: (error: unknown) => void) {
  const [isMounted, setIsMounted] = useState(false)
  const cardBox = useRef<HTMLDivElement>(null)
  const cardForm = useRef<CardForm | null>(null)
  const onLoadFailed = useEffectEvent(onFailed)
  useEffect(() => {
    const box = cardBox.current
    if (!payment || !box) return
    let left = false
    let form: CardForm | null = null
    setIsMounted(false)
    const mount = async () => {
      form = await loadCardForm(payment)
      if (left) return
      await form.mount(box)
      if (left) return form.unmount()
      cardForm.current = form
      setIsMounted(true)
    }
    mount().catch((error: unknown) => {
      if (!left) onLoadFailed(error)
    })
    return () => {
      left = true
      cardForm.current = null
      form?.unmount()
    }
  }, [payment])
  return { cardBox, cardForm, isMounted }
}
