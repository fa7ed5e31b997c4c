import { data, type RouterContextProvider } from 'react-router'
import type { Config } from '../../config.server.ts'
import { hasDocuments } from '../../features/tax/queries.server.ts'
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

/**
 * For what is about a vendor's tax documents, which stay where PAYOUTS was switched off.
 * @throws a 404 response while PAYOUTS is off, for a vendor without documents
 */
export async function requirePayoutsOrTax(
  context: Readonly<RouterContextProvider>,
  userId: string,
): Promise<void> {
  const { config, db } = context.get(servicesContext)
  if (payoutProviderOf(config) === null && !(await hasDocuments(db, userId)))
    throw data(null, { status: 404 })
}
