import {
  BROWSER_PAYMENTS_COOKIE,
  BROWSER_PAYMENTS_KEPT,
  BROWSER_PAYMENTS_MAX_AGE_S,
} from '../features/payments/rules.ts'
import { signedListCookie } from '../shared/signed-cookie.server.ts'

/** The cookie that later proves that this browser started the payment; scripts can't read it. */
export async function browserPaymentsCookie(
  earlier: readonly string[],
  paymentId: string,
  config: { secret: string; publicUrl: URL },
): Promise<string> {
  const ids = [paymentId, ...earlier.filter((id) => id !== paymentId)].slice(0, BROWSER_PAYMENTS_KEPT)
  return signedListCookie(ids, BROWSER_PAYMENTS_COOKIE, config.secret, {
    maxAgeS: BROWSER_PAYMENTS_MAX_AGE_S,
    isSecure: config.publicUrl.protocol === 'https:',
  })
}
