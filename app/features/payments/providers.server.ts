import type { PaymentProvider } from '../../adapters/payments/port.ts'

/** The payment providers in the settings. The first one takes new payments. */
export type Providers = readonly [PaymentProvider, ...PaymentProvider[]]

/** The provider that takes new payments. */
export function presentProvider({ providers }: { providers: Providers }): PaymentProvider {
  return providers[0]
}

/** The provider that made this payment, the only one able to answer for it; null while the settings name others. */
export function providerOf(
  { providers }: { providers: Providers },
  payment: { provider: string },
): PaymentProvider | null {
  return providers.find(({ name }) => name === payment.provider) ?? null
}

/** The names of the providers in the settings, for queries of the payments that they made. */
export function providerNames({ providers }: { providers: Providers }): string[] {
  return providers.map(({ name }) => name)
}
