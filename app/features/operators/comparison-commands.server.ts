import type { Database } from '../../adapters/database/port.ts'
import type { PaymentProvider, PaymentSnapshot } from '../../adapters/payments/port.ts'
import { newId } from '../../shared/ids.ts'
import { formatMoney } from '../../shared/money.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { presentProvider } from '../payments/providers.server.ts'
import { findOurPayments } from './comparison-queries.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { type DifferenceKind, differencesOf } from './rules.ts'

// Refunds and disputes come weeks after a payment.
const COMPARED_DAYS = 35
// Younger payments are still changing.
const SETTLING_MS = 600_000

/**
 * Compares the provider's payments since 35 days before the last complete comparison with ours, in both directions, and stores
 * every difference. It
 * changes no payment. Payments younger than ten minutes are left to the next run.
 * @param input.operator who started it; null for the nightly job
 */
export async function compareWithProvider(
  deps: BookingDeps,
  input: { operator: Operator | null },
): Promise<{ comparisonId: string; differences: number; failure: string | null }> {
  const { db, now } = deps
  const provider = presentProvider(deps)
  const startedAt = now()
  const comparisonId = newId()
  await db
    .insertInto('payment_comparisons')
    .values({ id: comparisonId, started_at: startedAt, finished_at: null, failure: null })
    .execute()
  if (input.operator)
    await logAction(db, {
      operator: input.operator,
      action: 'compare',
      subject: { kind: 'comparison', id: comparisonId, label: provider.name },
      at: startedAt,
    })

  const createdSince = new Date(
    ((await findLastComplete(db)) ?? startedAt).getTime() - COMPARED_DAYS * DAY_MS,
  )
  const before = new Date(startedAt.getTime() - SETTLING_MS)
  const { theirs, failure: listFailure } = await listTheirs(provider, createdSince)
  // Ours are read after theirs, so that they include whatever was settled in between.
  const ours = await findOurPayments(db, { provider: provider.name, createdSince, before })
  let differences = 0
  const store: StoreDifference = async (difference) => {
    differences++
    await storeDifference(db, comparisonId, difference)
  }
  const failure = listFailure ?? (await compareOurs(provider, ours, theirs, store))
  if (!failure) await compareTheirs(db, ours, theirs, store)
  await db
    .updateTable('payment_comparisons')
    .set({ finished_at: now(), payments_checked: ours.length, failure })
    .where('id', '=', comparisonId)
    .execute()
  return { comparisonId, differences, failure }
}

/** When the last comparison that wasn't cut off began. Nights on which none ran are compared with the next. */
async function findLastComplete(db: Database): Promise<Date | null> {
  const last = await db
    .selectFrom('payment_comparisons')
    .select('started_at')
    .where('finished_at', 'is not', null)
    .where('failure', 'is', null)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.started_at ?? null
}

/** The provider's payments by its own reference. */
type Theirs = ReadonlyMap<string, PaymentSnapshot>
type Ours = Awaited<ReturnType<typeof findOurPayments>>
type Difference = {
  kind: DifferenceKind
  reference: string
  paymentId: string | null
  ours: string
  theirs: string
}
type StoreDifference = (difference: Difference) => Promise<void>

/**
 * Returns the provider's payments since `createdSince`.
 * @returns `failure` in the provider's words when it could not list all of them
 */
async function listTheirs(
  provider: PaymentProvider,
  createdSince: Date,
): Promise<{ theirs: Theirs; failure: string | null }> {
  const theirs = new Map<string, PaymentSnapshot>()
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<typeof provider.list>> = await provider.list({ createdSince, after })
    if (!page.ok) return { theirs, failure: page.message }
    for (const snapshot of page.snapshots) theirs.set(snapshot.reference, snapshot)
    after = page.next
  } while (after)
  return { theirs, failure: null }
}

/**
 * Records how our payments differ from the provider's.
 * @returns why it was cut off, in the provider's words; null when it completed
 */
async function compareOurs(
  provider: PaymentProvider,
  ours: Ours,
  theirs: Theirs,
  store: StoreDifference,
): Promise<string | null> {
  for (const payment of ours) {
    let snapshot = theirs.get(payment.reference) ?? null
    if (!snapshot) {
      // Perhaps the provider created it a little before the first payment that it listed.
      const retrieved = await provider.retrieve(payment.reference)
      if (retrieved.ok) snapshot = retrieved.snapshot
      else if (retrieved.reason !== 'unknown_payment') return retrieved.message
    }
    for (const kind of differencesOf(payment, snapshot)) {
      await store({
        kind,
        reference: payment.reference,
        paymentId: payment.paymentId,
        ours: `${payment.state}, ${formatMoney(payment.amountCents)}, ${payment.bookings} booked, ${formatMoney(payment.refundedCents)} refunded`,
        theirs: snapshot ? theirsText(snapshot) : 'nothing',
      })
    }
  }
  return null
}

const theirsText = ({ state, amountCents, refundedCents }: PaymentSnapshot) =>
  `${state}, ${formatMoney(amountCents)}, ${formatMoney(refundedCents)} refunded`

async function compareTheirs(
  db: Database,
  ours: Ours,
  theirs: Theirs,
  store: StoreDifference,
): Promise<void> {
  const known = new Set(ours.map((payment) => payment.reference))
  for (const snapshot of theirs.values()) {
    if (known.has(snapshot.reference)) continue
    const here = await db
      .selectFrom('payments')
      .select(['id', 'created_at'])
      .where((eb) =>
        eb.or([eb('provider_reference', '=', snapshot.reference), eb('id', '=', snapshot.paymentId)]),
      )
      .executeTakeFirst()
    // Ours, but too young to compare, or its reference isn't stored yet.
    if (here) continue
    await store({
      kind: 'unknown_here',
      reference: snapshot.reference,
      paymentId: null,
      ours: 'nothing',
      theirs: theirsText(snapshot),
    })
  }
}

async function storeDifference(db: Database, comparisonId: string, difference: Difference): Promise<void> {
  await db
    .insertInto('payment_differences')
    .values({
      comparison_id: comparisonId,
      reference: difference.reference,
      kind: difference.kind,
      payment_id: difference.paymentId,
      ours: difference.ours,
      theirs: difference.theirs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
