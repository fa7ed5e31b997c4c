import { compareWithProvider } from '../../features/operators/comparison-commands.server.ts'
import { proveNow } from '../../features/operators/ledger-commands.server.ts'
import { askAboutPayment } from '../../features/operators/payment-commands.server.ts'
import { bookingDeps, proofDeps } from '../../services/deps.server.ts'
import { type ActHandlers, answerOf, refused } from './act-handlers.server.ts'

/** How many differences were found; undefined for none, which the acts have words for. */
function differencesText(count: number): string | undefined {
  if (count === 0) return undefined
  return count === 1 ? '1 difference found.' : `${count} differences found.`
}

/** Asks the provider about a payment, or compares all of them or the ledger with it. */
export const CHECK_HANDLERS: ActHandlers<'ask' | 'compare' | 'prove'> = {
  async ask({ services, operator }, { id: paymentId }) {
    const settled = await askAboutPayment(bookingDeps(services), { operator, paymentId })
    return answerOf('ask', settled, settled.ok ? `The payment is ${settled.state}.` : undefined)
  },
  async compare({ services, operator }) {
    const { differences, failure } = await compareWithProvider(bookingDeps(services), { operator })
    if (failure) return { ok: false, message: `The comparison was cut off: ${failure}` }
    return answerOf('compare', { ok: true }, differencesText(differences))
  },
  async prove({ services, operator }) {
    if (!services.payouts) return refused('not_found')
    const { differenceCount, failure } = await proveNow(proofDeps(services), { operator })
    if (failure) return { ok: false, message: `We couldn’t compare with the provider: ${failure}` }
    return answerOf('prove', { ok: true }, differencesText(differenceCount))
  },
}
