import { href } from 'react-router'
import type { CardForm, ConfirmResult } from '../../../adapters/payments/browser-port.ts'
import type { PublicPaymentConfig } from '../../../adapters/payments/port.ts'
// The sandbox's approval is a dialog that no component renders.
import '../../../ui/dialog.css'

/** A payment, or the setup of a card, that waits for its card. */
export type AwaitedCard = { clientSecret: string; provider: PublicPaymentConfig }

/** Loads the provider's card form. Imported lazily, so that only the payment screens download it. */
export async function loadCardForm({ clientSecret, provider }: AwaitedCard): Promise<CardForm> {
  if (provider.provider === 'sandbox') {
    const { createSandboxCardForm } = await import('../../../adapters/payments/sandbox-card-form.ts')
    return createSandboxCardForm({ clientSecret, confirmUrl: href('/api/sandbox/confirm') })
  }
  const { createStripeCardForm } = await import('../../../adapters/payments/stripe-card-form.ts')
  return createStripeCardForm({ clientSecret, publishableKey: provider.publishableKey })
}

/** Charges a saved card, with its bank's approval. */
export async function confirmSavedCard(
  { clientSecret, provider }: AwaitedCard,
  { method, returnUrl }: { method: string; returnUrl: string },
): Promise<ConfirmResult> {
  if (provider.provider === 'sandbox') {
    const { confirmSavedSandboxCard } = await import('../../../adapters/payments/sandbox-card-form.ts')
    return confirmSavedSandboxCard({ clientSecret, method, confirmUrl: href('/api/sandbox/confirm') })
  }
  const { confirmSavedStripeCard } = await import('../../../adapters/payments/stripe-card-form.ts')
  const { publishableKey } = provider
  return confirmSavedStripeCard({ clientSecret, method, publishableKey, returnUrl })
}
