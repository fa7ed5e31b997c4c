import type { StripeElements, StripeError } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import type { CardForm, ConfirmResult } from './browser-port.ts'

/**
 * Stripe's Payment Element in its tabs layout. Its script comes from Stripe's own site, on the payment screens alone.
 * @param options.clientSecret of a payment, or of a card setup
 * @throws when the script or the form can't be loaded; the call can be repeated
 */
export async function createStripeCardForm(options: {
  clientSecret: string
  publishableKey: string
}): Promise<CardForm> {
  const stripe = await loadStripe(options.publishableKey)
  if (!stripe) throw new Error('Stripe.js needs a browser')
  let elements: StripeElements | null = null
  const frame = document.createElement('div')

  return {
    mount(target) {
      target.append(frame)
      elements = stripe.elements({
        clientSecret: options.clientSecret,
        appearance: appearance(),
        locale: 'en-AU',
      })
      const form = elements.create('payment', {
        layout: 'tabs',
        // Cards only, as the server requested for this payment.
        wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
      })
      return new Promise((resolve, reject) => {
        form.on('ready', () => resolve())
        form.on('loaderror', ({ error }) => reject(new Error(error.message ?? 'The card form did not load')))
        form.mount(frame)
      })
    },

    async confirm(returnUrl): Promise<ConfirmResult> {
      if (!elements) throw new Error('The card form is not mounted')
      const confirmParams = { return_url: returnUrl }
      if (options.clientSecret.startsWith('seti_')) {
        const { error, setupIntent } = await stripe.confirmSetup({
          elements,
          confirmParams,
          redirect: 'if_required',
        })
        if (error) return { error: refusalOf(error) }
        return { setup: { id: setupIntent.id, status: setupIntent.status } }
      }
      const { error, paymentIntent } = await stripe.confirmPayment({
        elements,
        confirmParams,
        redirect: 'if_required',
      })
      if (error) return { error: refusalOf(error) }
      return { payment: { id: paymentIntent.id, status: paymentIntent.status } }
    },

    focus() {
      elements?.getElement('payment')?.focus()
    },

    unmount() {
      elements?.getElement('payment')?.destroy()
      elements = null
      frame.remove()
    },
  }
}

/** Charges a saved card at Stripe, with its bank's approval. */
export async function confirmSavedStripeCard(options: {
  clientSecret: string
  method: string
  publishableKey: string
  returnUrl: string
}): Promise<ConfirmResult> {
  const stripe = await loadStripe(options.publishableKey)
  if (!stripe) throw new Error('Stripe.js needs a browser')
  const { error, paymentIntent } = await stripe.confirmPayment({
    clientSecret: options.clientSecret,
    confirmParams: { payment_method: options.method, return_url: options.returnUrl },
    redirect: 'if_required',
  })
  if (error) return { error: refusalOf(error) }
  return { payment: { id: paymentIntent.id, status: paymentIntent.status } }
}

const UNEXPLAINED = 'The payment couldn’t be completed. Try again, or use another card.'

/** Errors of other types may have reached the bank. */
const refusalOf = ({ message, type }: StripeError) => ({
  message: message ?? UNEXPLAINED,
  isRefused: type === 'card_error' || type === 'validation_error',
})

/** The values of our styles, because Stripe's iframe has no access to them. */
function appearance() {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    theme: 'stripe' as const,
    variables: {
      colorPrimary: token('--brand'),
      colorBackground: token('--surface'),
      colorText: token('--ink'),
      colorTextSecondary: token('--quiet'),
      colorDanger: token('--error'),
      borderRadius: '10px',
      fontSizeBase: '16px',
      fontFamily: 'Figtree, system-ui, sans-serif',
    },
  }
}
