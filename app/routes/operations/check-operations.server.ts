import type { BookingDeps } from '../../features/bookings/deps.server.ts'
import { compareWithProvider } from '../../features/operators/comparison-commands.server.ts'
import type { OperationAnswer } from '../../features/operators/components/operation-form.tsx'
import { proveNow } from '../../features/operators/ledger-commands.server.ts'
import type { Operator } from '../../features/operators/log-commands.server.ts'
import { askAboutPayment, retryRefund } from '../../features/operators/payment-commands.server.ts'
import { proofDeps } from '../../services/deps.server.ts'
import type { Services } from '../../services.server.ts'
import { type OperationOf, refused } from './operation-answers.server.ts'

/** Asks the provider about a payment or a refund, or compares all of them or the ledger with it. */
export async function carryOutCheck(
  services: Services,
  deps: BookingDeps,
  operation: OperationOf<'ask' | 'retry-refund' | 'compare' | 'prove'>,
  operator: Operator,
): Promise<OperationAnswer> {
  switch (operation.intent) {
    case 'ask': {
      const settled = await askAboutPayment(deps, { operator, paymentId: operation.id })
      return settled.ok ? { ok: true, message: `The payment is ${settled.state}.` } : refused(settled.reason)
    }
    case 'retry-refund': {
      const retried = await retryRefund(deps, { operator, refundId: operation.id })
      if (!retried.ok) return refused(retried.reason)
      return retried.done
        ? { ok: true, message: 'The refund went through.' }
        : { ok: false, message: 'The provider still refuses this refund.' }
    }
    case 'compare': {
      const { differences, failure } = await compareWithProvider(deps, { operator })
      if (failure) return { ok: false, message: `The comparison was cut off: ${failure}` }
      const found = differences === 1 ? '1 difference' : `${differences} differences`
      return { ok: true, message: differences === 0 ? 'Everything agrees.' : `${found} found.` }
    }
    case 'prove': {
      if (!services.payouts) return refused('not_found')
      const { differenceCount, failure } = await proveNow(proofDeps(services), { operator })
      if (failure) return { ok: false, message: `We couldn’t compare with the provider: ${failure}` }
      const found = differenceCount === 1 ? '1 difference' : `${differenceCount} differences`
      return { ok: true, message: differenceCount === 0 ? 'Every check agrees.' : `${found} found.` }
    }
  }
}
