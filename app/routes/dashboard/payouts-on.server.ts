import { data, type RouterContextProvider } from 'react-router'
import type { Config } from '../../config.server.ts'
import { servicesContext } from '../../request-context.server.ts'

/** The payout provider in use; null while PAYOUTS is off. */
export function payoutProviderOf({ payouts }: Pick<Config, 'payouts'>): 'sandbox' | 'stripe' | null {
  return payouts.provider === 'off' ? null : payouts.provider
}

/**
 * The payout provider in use.
 * @throws a 404 response while PAYOUTS is off: the screens don't exist then
 */
export function requirePayouts(context: Readonly<RouterContextProvider>): 'sandbox' | 'stripe' {
  const provider = payoutProviderOf(context.get(servicesContext).config)
  if (provider === null) throw data(null, { status: 404 })
  return provider
}
