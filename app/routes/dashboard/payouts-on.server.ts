import { data, type RouterContextProvider } from 'react-router'
import { servicesContext } from '../../request-context.server.ts'

/**
 * The payout provider in use.
 * @throws a 404 response while PAYOUTS is off: the screens don't exist then
 */
export function requirePayouts(context: Readonly<RouterContextProvider>): 'sandbox' | 'stripe' {
  const { provider } = context.get(servicesContext).config.payouts
  if (provider === 'off') throw data(null, { status: 404 })
  return provider
}
