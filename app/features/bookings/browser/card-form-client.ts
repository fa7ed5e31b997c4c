import { href } from 'react-router'
import type { CardForm } from '../../../adapters/payments/browser-port.ts'
import type { StartedPayment } from './payment-client.ts'

/** Loads the provider's card form. Imported lazily, so that only the payment screen downloads it. */
export async function loadCardForm({ clientSecret, provider }: StartedPayment): Promise<CardForm> {
  if (provider.provider === 'sandbox') {
    const { createSandboxCardForm } = await import('../../../adapters/payments/sandbox-card-form.ts')
    return createSandboxCardForm({ clientSecret, confirmUrl: href('/api/sandbox/confirm') })
  }
  const { createStripeCardForm } = await import('../../../adapters/payments/stripe-card-form.ts')
  return createStripeCardForm({ clientSecret, publishableKey: provider.publishableKey })
}
