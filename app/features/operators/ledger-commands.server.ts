import type { Database } from '../../adapters/database/port.ts'
import { refuse } from '../../shared/result.ts'
import { CATEGORIES, type Category } from '../businesses/rules.ts'
import { setCommissionRate } from '../ledger/commands.server.ts'
import { type Proof, type ProofDeps, prove } from '../ledger/proof-commands.server.ts'
import { shareText } from '../terms/policy-messages.ts'
import { logAction, type Operator } from './log-commands.server.ts'

/**
 * Sets the commission of a category or of a vendor, for payments that begin from now on.
 * @param input.of.vendorEmail of an account with a listing
 * @returns refuses with 'not_found' (no such vendor), 'own_rate' (the operator is the vendor) and 'exists' (another operator set it at the same moment)
 */
export async function setRate(
  deps: { db: Database; now: () => Date },
  input: {
    operator: Operator
    of: { category: Category } | { vendorEmail: string }
    basisPoints: number
    reason: string
  },
): Promise<{ ok: true } | { ok: false; reason: 'not_found' | 'exists' | 'own_rate' }> {
  const { operator, of, basisPoints, reason } = input
  const at = deps.now()
  return deps.db.transaction().execute(async (tx) => {
    if ('category' in of && !CATEGORIES.includes(of.category)) return refuse('not_found')
    const vendor =
      'vendorEmail' in of
        ? await tx
            .selectFrom('users')
            .select(['id', 'email'])
            .where((eb) => eb(eb.fn('lower', ['email']), '=', of.vendorEmail.toLowerCase()))
            .where((eb) =>
              eb.exists(
                eb
                  .selectFrom('businesses')
                  .select('businesses.id')
                  .whereRef('businesses.user_id', '=', 'users.id'),
              ),
            )
            .executeTakeFirst()
        : null
    if (vendor === undefined) return refuse('not_found')
    // Less commission is money of theirs.
    if (vendor?.id === operator.userId) return refuse('own_rate')
    const subject = vendor ? vendor.email : 'category' in of ? of.category : ''
    const set = await setCommissionRate(tx, {
      of: vendor ? { vendorUserId: vendor.id } : { category: subject },
      basisPoints,
      validFrom: at,
      at,
    })
    if (!set.ok) return set
    await logAction(tx, {
      operator,
      action: 'set-rate',
      subject: { kind: 'rate', id: vendor?.id ?? subject, label: subject },
      reason: `${shareText(basisPoints)}: ${reason}`,
      at,
    })
    return set
  })
}

/** Proves the ledger now. */
export async function proveNow(deps: ProofDeps, { operator }: { operator: Operator }): Promise<Proof> {
  await logAction(deps.db, {
    operator,
    action: 'prove',
    subject: { kind: 'proof', id: 'ledger', label: 'ledger' },
    at: deps.now(),
  })
  return prove(deps)
}
