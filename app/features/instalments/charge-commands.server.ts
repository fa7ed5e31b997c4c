import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { PaymentProvider, PublicPaymentConfig } from '../../adapters/payments/port.ts'
import { eachOf } from '../../shared/each-of.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'
import {
  askProviderForPayment,
  openAtProvider,
  storeFollowingPayment,
} from '../payments/payment-commands.server.ts'
import { providerOf } from '../payments/providers.server.ts'
import type { PaymentRow } from '../payments/queries.server.ts'
import { findPayment, lockPayment } from '../payments/queries.server.ts'
import { isUnsettled } from '../payments/rules.ts'
import { applySnapshot, settlePayment } from '../payments/settlement-commands.server.ts'
import { deadlineOf } from '../sales/plan-queries.server.ts'
import {
  CLAIM_LASTS_MS,
  isPayable,
  NOT_CREATED,
  nextTryAt,
  overdueAt,
  unpaidSinceAfter,
} from '../sales/plan-rules.ts'
import type { InstalmentRow } from '../sales/tables.server.ts'
import { postponeInstalments } from './commands.server.ts'
import type { InstalmentDeps } from './deps.server.ts'
import { cardRefusedMail } from './mails.ts'
import { findNextInstalment, findSavedCard, mailedInstalment } from './queries.server.ts'
import type { SavedCardRow } from './tables.server.ts'

/** Charges at the same time. */
const BATCH = 10
/** Calls to the provider. It refuses more, and the other calls of a day need their share. */
const MAX_CALLS_PER_SECOND = 100
/** Asking for the payment, charging the card, and asking again after a refusal. */
const CALLS_PER_CHARGE = 3
/** Each has one run at a time, and half of the calls. More processes than that would exceed the limit. */
const PROCESSES = 2
/** The least time between two batches, so that all processes together stay below the limit. */
const BATCH_MS = (1_000 * BATCH * CALLS_PER_CHARGE * PROCESSES) / MAX_CALLS_PER_SECOND
/** As many as a minute allows. */
const BATCHES_PER_RUN = Math.floor(60_000 / BATCH_MS)
/** An instalment's payment stays open until long after the booking would have ended. */
const PAYMENT_LASTS_MS = 400 * DAY_MS
/** The refusal of a purchase without a card that can be charged. */
const NO_CARD = 'no_card'

/**
 * Charges the instalments that are due to their saved cards, as many as a minute allows. Several processes may run it: each claims
 * what it charges, and one payment at the provider serves all tries, so no card is charged twice.
 */
export async function chargeDueInstalments(deps: InstalmentDeps): Promise<void> {
  for (let batch = 0; batch < BATCHES_PER_RUN; batch++) {
    const due = await listDue(deps)
    if (due.length === 0) return
    const [done] = await Promise.all([
      Promise.allSettled(due.map((row) => chargeInstalment(deps, row))),
      due.length === BATCH ? deps.pause(BATCH_MS) : null,
    ])
    await eachOf(done, async (one) => {
      if (one.status === 'rejected') throw one.reason
    })
  }
}

function momentsOf(deps: InstalmentDeps) {
  const now = deps.now()
  const abandoned = new Date(now.getTime() - CLAIM_LASTS_MS)
  return { now, abandoned }
}

function listDue(deps: InstalmentDeps): Promise<InstalmentRow[]> {
  const { now, abandoned } = momentsOf(deps)
  return deps.db
    .selectFrom('instalments')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb.and([eb('state', 'in', ['reminded', 'failed']), eb('try_at', '<=', now)]),
        // The process that claimed it died, or the provider did not answer.
        eb.and([eb('state', '=', 'charging'), eb('claimed_at', '<=', abandoned)]),
      ]),
    )
    .where('reminded_at', 'is not', null)
    .orderBy('due_at')
    .orderBy('id')
    .limit(BATCH)
    .execute()
}

type Claim = { row: InstalmentRow; first: PaymentRow; payment: PaymentRow; card: SavedCardRow | null }

async function chargeInstalment(deps: InstalmentDeps, due: InstalmentRow): Promise<void> {
  const claim = await claimInstalment(deps, due)
  if (!claim) return
  deps.faultPoint('instalment-claimed')
  const { row, payment, card } = claim
  const provider = providerOf(deps, payment)
  if (!provider) return
  const asked = await askProviderForPayment(deps, provider, payment)
  // Without an answer the claim stays, and is taken up again with the same keys.
  if (!asked.ok) return asked.reason === 'refused' ? tellNotCreated(deps, claim) : undefined
  if (asked.snapshot && asked.snapshot.state !== 'open')
    return void (await settleAgain(deps, provider, claim, asked.reference))
  if (isOutdated(payment, row)) {
    await provider.cancel(asked.reference)
    return settleAgain(deps, provider, claim, asked.reference)
  }
  if (!card?.provider_method) return refuseInstalment(deps, claim, NO_CARD)
  const charged = await provider.chargeSavedCard({
    reference: asked.reference,
    method: card.provider_method,
    idempotencyKey: `instalment-${payment.id}-${row.attempts}`,
  })
  deps.faultPoint('instalment-charged')
  if (!charged.ok) {
    if (charged.reason === 'unreachable') return
    return settleAgain(deps, provider, claim, asked.reference)
  }
  if (charged.declineCode !== null) return refuseInstalment(deps, claim, charged.declineCode)
  await applySnapshot(deps, provider, charged.snapshot)
  deps.faultPoint('instalment-settled')
}

/**
 * Claims an instalment, with the one payment for all its tries.
 * @returns null where another process was faster, it isn't due any more, or its purchase is about to be called off
 */
async function claimInstalment(deps: InstalmentDeps, due: InstalmentRow): Promise<Claim | null> {
  return deps.db.transaction().execute(async (tx) => {
    await lockPayment(tx, due.payment_id)
    const { now, abandoned } = momentsOf(deps)
    if (due.state !== 'charging' && (await deps.isEnding(tx, due.payment_id))) {
      // Otherwise each batch would find it again, in the place of one that can be charged.
      await postponeInstalments(tx, due.payment_id, new Date(now.getTime() + MINUTE_MS))
      return null
    }
    const row = await tx
      .updateTable('instalments')
      .set((eb) => ({
        state: 'charging',
        claimed_at: now,
        try_at: null,
        // A claim that is taken up again is the same try.
        attempts: eb('attempts', '+', due.state === 'charging' ? 0 : 1),
      }))
      .where('id', '=', due.id)
      .where('state', '=', due.state)
      .where((eb) => (due.state === 'charging' ? eb('claimed_at', '<=', abandoned) : eb('try_at', '<=', now)))
      .returningAll()
      .executeTakeFirst()
    const first = row && (await findPayment(tx, row.payment_id))
    if (!row || !first) return null
    const card = await findSavedCard(tx, row.payment_id)
    const payment = await ensurePayment(deps, tx, first, row)
    return { row: { ...row, paid_by: payment.id }, first, payment, card }
  })
}

/** Finds or stores the one payment of an instalment. The purchase is locked. */
async function ensurePayment(
  deps: InstalmentDeps,
  tx: DatabaseTransaction,
  first: PaymentRow,
  row: InstalmentRow,
): Promise<PaymentRow> {
  const present = row.paid_by ? await findPayment(tx, row.paid_by) : undefined
  if (present && isUnsettled(present.state)) return present
  const payment = await storeFollowingPayment(deps, tx, {
    first,
    // Stored once because of the lock and of `paid_by`. A payment that has ended is followed by another one.
    submitKey: `instalment:${row.id}:${newId()}`,
    amountCents: Number(row.amount_cents),
    expiresAt: new Date(deps.now().getTime() + PAYMENT_LASTS_MS),
  })
  await tx.updateTable('instalments').set({ paid_by: payment.id }).where('id', '=', row.id).execute()
  return payment
}

/** Whether an instalment was reduced since its payment was made, so that it needs another one. */
const isOutdated = (payment: PaymentRow, row: Pick<InstalmentRow, 'amount_cents'>) =>
  Number(payment.amount_cents) !== Number(row.amount_cents)

/** Applies the provider's present answer. Where the payment can't be paid any more, the next run makes another one. */
async function settleAgain(
  deps: InstalmentDeps,
  provider: PaymentProvider,
  claim: Claim,
  reference: string,
): Promise<void> {
  const settled = await settlePayment(deps, provider, reference)
  if (!settled.ok || settled.state === 'paid' || settled.state === 'processing') return
  // The provider refused the card itself, which a purchase without a usable one has to replace.
  if (settled.state === 'open')
    // A payment that could not be cancelled keeps its claim.
    return isOutdated(claim.payment, claim.row) ? undefined : refuseInstalment(deps, claim, NO_CARD)
  await deps.db.transaction().execute(async (tx) => {
    await lockPayment(tx, claim.first.id)
    await tx
      .updateTable('instalments')
      .set((eb) => ({
        state: claim.row.attempts > 1 ? 'failed' : 'reminded',
        try_at: deps.now(),
        claimed_at: null,
        // No card was tried.
        attempts: eb('attempts', '-', 1),
      }))
      .where('id', '=', claim.row.id)
      .where('state', '=', 'charging')
      .where('claimed_at', '=', claim.row.claimed_at)
      .execute()
  })
}

/** Tells the operators once that the provider doesn't create an instalment's payment. */
async function tellNotCreated(deps: InstalmentDeps, { row, first }: Claim): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await lockPayment(tx, first.id)
    const told = await tx
      .updateTable('instalments')
      .set({ decline_code: NOT_CREATED })
      .where('id', '=', row.id)
      .where('state', '=', 'charging')
      .where('decline_code', 'is distinct from', NOT_CREATED)
      .returning('id')
      .executeTakeFirst()
    if (!told) return
    await deps.tellOperators(tx, {
      kind: 'instalment_not_created',
      paymentId: first.id,
      amountCents: Number(row.amount_cents),
      dueAt: null,
      key: `instalment-not-created:${row.id}`,
    })
  })
}

/** Stores that the card was refused: it is tried again, or the customer is asked. Both are told to them at once. */
async function refuseInstalment(deps: InstalmentDeps, claim: Claim, declineCode: string): Promise<void> {
  const { first, card } = claim
  const { timeZone } = first.sale
  await deps.db.transaction().execute(async (tx) => {
    await lockPayment(tx, first.id)
    const now = deps.now()
    const present = await findSavedCard(tx, first.id)
    if (present?.provider_method && present.provider_method !== card?.provider_method)
      return tryAgainNow(tx, claim, now)
    const { attempts } = claim.row
    const unpaidSince = unpaidSinceAfter({ ...deadlineOf(claim.row, first), attempts }, { now, timeZone })
    const deadline = { ...deadlineOf(claim.row, first), unpaidSince }
    const again =
      declineCode === NO_CARD ? null : nextTryAt({ ...deadline, attempts, declineCode }, { now, timeZone })
    const row = await tx
      .updateTable('instalments')
      .set({
        state: again ? 'failed' : 'needs_customer',
        try_at: again,
        claimed_at: null,
        decline_code: declineCode,
        unpaid_since: unpaidSince,
      })
      .where('id', '=', claim.row.id)
      .where('state', '=', 'charging')
      .where('claimed_at', '=', claim.row.claimed_at)
      .returningAll()
      .executeTakeFirst()
    // The customer has paid meanwhile, or the booking has ended.
    if (!row) return
    const mailed = mailedInstalment(row, first, card)
    const overdue = overdueAt({ ...deadline, extendedAt: row.extended_at }, timeZone)
    // Tries are counted anew where the instalment was reopened, which gave it another payment.
    const tryId = `${claim.payment.id}-${attempts}`
    const refundCents = overdue && (await deps.refundAt(tx, first.id, overdue))
    const refusal = { declineCode, tryId, nextTryAt: again, overdueAt: overdue, refundCents }
    if (mailed.customerEmail)
      await deps.jobs.enqueue(tx, 'send-booking-mail', cardRefusedMail(mailed, refusal, deps))
    await deps.publish(tx, first.id)
    deps.faultPoint('instalment-refused-uncommitted')
  })
}

/** Schedules a try of the card that has replaced the refused one meanwhile, for the next run. */
async function tryAgainNow(tx: DatabaseTransaction, { row }: Claim, now: Date): Promise<void> {
  await tx
    .updateTable('instalments')
    .set({ state: 'failed', try_at: now, claimed_at: null, attempts: row.attempts })
    .where('id', '=', row.id)
    .where('state', '=', 'charging')
    .where('claimed_at', '=', row.claimed_at)
    .execute()
}

type PayableInstalment = {
  clientSecret: string
  reference: string
  provider: PublicPaymentConfig
  amountCents: Cents
  /** The saved card; null where none can be charged. */
  method: string | null
}

/**
 * Opens the payment of the next instalment, so that the customer pays it now: the same payment that the saved card would be charged
 * by, so that it is paid once.
 * @returns refuses with 'unknown_booking', 'nothing_due' and 'provider_unavailable'
 */
export async function openInstalmentPayment(
  deps: InstalmentDeps,
  linkToken: string,
): Promise<
  | ({ ok: true } & PayableInstalment)
  | { ok: false; reason: 'unknown_booking' | 'nothing_due' | 'provider_unavailable' }
> {
  const found = await findNextInstalment(deps.db, linkToken)
  if (!found) return refuse('unknown_booking')
  const { first } = found
  const provider = providerOf(deps, first)
  const wanted = found.instalment
  if (!wanted || !provider) return refuse('nothing_due')
  const payment = await deps.db.transaction().execute(async (tx) => {
    await lockPayment(tx, first.id)
    const row = await tx.selectFrom('instalments').selectAll().where('id', '=', wanted.id).executeTakeFirst()
    // A change of the booking may have replaced it.
    if (!row || !isPayable(row.state)) return null
    return { ...(await ensurePayment(deps, tx, first, row)), dueCents: Number(row.amount_cents) }
  })
  if (!payment) return refuse('nothing_due')
  if (isOutdated(payment, { amount_cents: payment.dueCents })) {
    const present = await askProviderForPayment(deps, provider, payment)
    if (!present.ok) return refuse('provider_unavailable')
    if (present.snapshot?.state !== 'succeeded') {
      await provider.cancel(present.reference)
      const settled = await settlePayment(deps, provider, present.reference)
      if (!settled.ok || isUnsettled(settled.state)) return refuse('provider_unavailable')
      return openInstalmentPayment(deps, linkToken)
    }
  }
  const asked = await openAtProvider(deps, provider, payment, (snapshot) =>
    applySnapshot(deps, provider, snapshot),
  )
  if (!asked.ok) return asked
  return {
    ok: true,
    clientSecret: asked.clientSecret,
    reference: asked.reference,
    provider: provider.publicConfig(),
    amountCents: Number(payment.amount_cents),
    method: found.card?.provider_method ?? null,
  }
}
