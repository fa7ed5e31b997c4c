import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { DisputeSnapshot, PaymentProvider } from '../../adapters/payments/port.ts'
import { eachOf } from '../../shared/each-of.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import type { PaymentDeps } from './deps.server.ts'
import { tellOfReturned } from './failed-refund-commands.server.ts'
import { ONLY_LINE_ITEM } from './payment-commands.server.ts'
import { recordMoney } from './posting-commands.server.ts'
import { providerNames, providerOf } from './providers.server.ts'
import { lockPayment } from './queries.server.ts'
import { cutWaitingRefunds } from './refund-commands.server.ts'
import { settleRefunds } from './refund-news-commands.server.ts'
import { isDisputeClosed, isDisputeNews } from './rules.ts'
import type { DisputeRow } from './tables.server.ts'

/** A provider may list a dispute late, and date it by the bank's own day. */
const OVERLAP_MS = 3 * DAY_MS
const OPEN_ASKED_EVERY_MS = 900_000
const OPEN_PER_RUN = 50

/**
 * Asks the provider about the disputes of one payment and applies what it says.
 * @returns false when the provider did not answer
 */
export async function settleDisputes(
  deps: PaymentDeps,
  provider: PaymentProvider,
  payment: { id: string; provider_reference: string | null },
): Promise<boolean> {
  if (!payment.provider_reference) return true
  const listed = await provider.listDisputesOf(payment.provider_reference)
  if (!listed.ok) return false
  for (const snapshot of listed.disputes) await applyDisputeSnapshot(deps, provider, payment.id, snapshot)
  return true
}

/**
 * Finds the disputes whose webhooks were lost: each run lists those opened since three days before the last complete list, and
 * the ones that we know and that are not settled are asked about every quarter of an hour.
 */
export async function sweepDisputes(deps: PaymentDeps): Promise<void> {
  const { db } = deps
  for (const provider of deps.providers) await readNewDisputes(deps, provider)
  const open = await db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.payment_id')
    .select(['disputes.id as disputeId', 'payments.id', 'payments.provider', 'payments.provider_reference'])
    // A won dispute is asked about until its money is back.
    .where((eb) =>
      eb.or([
        eb('disputes.closed_at', 'is', null),
        eb.and([eb('disputes.funds', '=', 'withdrawn'), eb('disputes.status', '<>', 'lost')]),
      ]),
    )
    .where('disputes.checked_at', '<=', new Date(deps.now().getTime() - OPEN_ASKED_EVERY_MS))
    .where('payments.provider', 'in', providerNames(deps))
    .orderBy('disputes.checked_at')
    .limit(OPEN_PER_RUN)
    .execute()
  await eachOf(open, async (payment) => {
    const provider = providerOf(deps, payment)
    if (!provider) return
    // Before the answer, so that a dispute that the provider can't answer for doesn't keep its place before the others.
    await db
      .updateTable('disputes')
      .set({ checked_at: deps.now() })
      .where('id', '=', payment.disputeId)
      .execute()
    if (await settleRefunds(deps, provider, payment)) await settleDisputes(deps, provider, payment)
  })
}

async function readNewDisputes(deps: PaymentDeps, provider: PaymentProvider): Promise<void> {
  const { db } = deps
  const startedAt = deps.now()
  const last = await db
    .selectFrom('provider_lists')
    .select('read_at')
    .where('provider', '=', provider.name)
    .where('list', '=', 'disputes')
    .executeTakeFirst()
  const createdSince = new Date(last ? last.read_at.getTime() - OVERLAP_MS : 0)
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<PaymentProvider['listDisputes']>> = await provider.listDisputes({
      createdSince,
      after,
    })
    if (!page.ok) return
    await eachOf(page.disputes, (snapshot) => applyListed(deps, provider, snapshot))
    after = page.next
  } while (after)
  await db
    .insertInto('provider_lists')
    .values({ provider: provider.name, list: 'disputes', read_at: startedAt })
    .onConflict((conflict) => conflict.columns(['provider', 'list']).doUpdateSet({ read_at: startedAt }))
    .execute()
}

async function applyListed(
  deps: PaymentDeps,
  provider: PaymentProvider,
  snapshot: DisputeSnapshot,
): Promise<void> {
  const known = await deps.db
    .selectFrom('payments')
    .leftJoin('disputes', (join) =>
      join
        .onRef('disputes.payment_id', '=', 'payments.id')
        .on('disputes.provider_dispute', '=', snapshot.reference),
    )
    .select(['payments.id', 'payments.provider_reference', 'disputes.status', 'disputes.funds'])
    .where('payments.provider', '=', provider.name)
    .where('payments.provider_reference', '=', snapshot.paymentReference)
    .executeTakeFirst()
  if (!known || (known.status === snapshot.status && known.funds === snapshot.funds)) return
  if (await settleRefunds(deps, provider, known))
    await applyDisputeSnapshot(deps, provider, known.id, snapshot)
}

/**
 * Stores what the provider says of a dispute. A new one is told to the operators; a lost one cancels the refunds that wait, up
 * to its amount, since the bank has given the money back. One that ends lets the customer be asked about refunds that came back.
 * @param snapshot what the provider said when it was asked just now, never an event's payload
 */
export async function applyDisputeSnapshot(
  deps: PaymentDeps,
  provider: PaymentProvider,
  paymentId: string,
  snapshot: DisputeSnapshot,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const tell = await deps.fulfilment.lockPurchase(tx, { paymentId, line: ONLY_LINE_ITEM })
    await lockPayment(tx, paymentId)
    const before = await tx
      .selectFrom('disputes')
      .selectAll()
      .where('provider', '=', provider.name)
      .where('provider_dispute', '=', snapshot.reference)
      .forUpdate()
      .executeTakeFirst()
    if (before && !isDisputeNews(before, snapshot)) return
    await storeDispute(deps, tx, { provider: provider.name, paymentId, snapshot, before })
    const { amountCents } = snapshot
    if (!before)
      await deps.tellOperators(tx, {
        kind: 'dispute',
        paymentId,
        amountCents,
        dueAt: snapshot.evidenceDueAt,
        key: `dispute:${snapshot.reference}`,
      })
    if (snapshot.status === 'lost' && before?.status !== 'lost')
      await cutWaitingRefunds(deps, tx, paymentId, amountCents)
    await tell(null)
    await tellOfReturned(deps, tx, paymentId)
    await recordMoney(deps, tx, paymentId)
    deps.faultPoint('dispute-stored-uncommitted')
  })
  deps.faultPoint('dispute-stored')
}

async function storeDispute(
  deps: PaymentDeps,
  tx: DatabaseTransaction,
  {
    provider,
    paymentId,
    snapshot,
    before,
  }: { provider: string; paymentId: string; snapshot: DisputeSnapshot; before: DisputeRow | undefined },
): Promise<void> {
  const now = deps.now()
  const present = {
    amount_cents: snapshot.amountCents,
    reason: snapshot.reason,
    status: snapshot.status,
    funds: snapshot.funds,
    is_charge_refundable: snapshot.isChargeRefundable,
    evidence_due_at: snapshot.evidenceDueAt,
    checked_at: now,
    closed_at: isDisputeClosed(snapshot.status) ? (before?.closed_at ?? now) : null,
  }
  if (before) {
    await tx.updateTable('disputes').set(present).where('id', '=', before.id).execute()
    return
  }
  await tx
    .insertInto('disputes')
    .values({
      id: newId(),
      payment_id: paymentId,
      provider,
      provider_dispute: snapshot.reference,
      opened_at: snapshot.openedAt,
      created_at: now,
      ...present,
    })
    .execute()
}
