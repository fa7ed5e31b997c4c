import type { Database } from '../../adapters/database/port.ts'
import type { PaymentProvider, PaymentSnapshot } from '../../adapters/payments/port.ts'
import { newId } from '../../shared/ids.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { presentProvider } from '../payments/providers.server.ts'
import { findOurPayments } from './comparison-queries.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { type DifferenceKind, differencesOf } from './rules.ts'

// Refunds and disputes come weeks after a payment.
const COMPARED_DAYS = 35
const DAY_MS = 86_400_000
// What is younger is still moving.
const SETTLING_MS = 600_000

/**
 * Compares what the provider says of the payments of the last weeks with what we hold, both ways, and keeps every
 * difference. It changes nothing. What is younger than ten minutes is left to the next time.
 * @param input.operator who asked for it; null for the nightly job
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

  const createdSince = new Date(startedAt.getTime() - COMPARED_DAYS * DAY_MS)
  const before = new Date(startedAt.getTime() - SETTLING_MS)
  const { theirs, failure: listFailure } = await listTheirs(provider, createdSince)
  // Ours are read after theirs: what was settled in between is then here as well.
  const ours = await findOurPayments(db, { provider: provider.name, createdSince, before })
  let differences = 0
  const keep: KeepDifference = async (difference) => {
    differences++
    await keepDifference(db, comparisonId, difference)
  }
  const failure = listFailure ?? (await compareOurs(provider, ours, theirs, keep))
  if (!failure) await compareTheirs(db, ours, theirs, keep)
  await db
    .updateTable('payment_comparisons')
    .set({ finished_at: now(), payments_checked: ours.length, failure })
    .where('id', '=', comparisonId)
    .execute()
  return { comparisonId, differences, failure }
}

/** What the provider says of its payments, by its own reference. */
type Theirs = ReadonlyMap<string, PaymentSnapshot>
type Ours = Awaited<ReturnType<typeof findOurPayments>>
type Difference = {
  kind: DifferenceKind
  reference: string
  paymentId: string | null
  ours: string
  theirs: string
}
type KeepDifference = (difference: Difference) => Promise<void>

/** @returns `failure` in the provider's words when it could not list all of them */
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

/** @returns why it was cut off, in the provider's words; null when it was not */
async function compareOurs(
  provider: PaymentProvider,
  ours: Ours,
  theirs: Theirs,
  keep: KeepDifference,
): Promise<string | null> {
  for (const payment of ours) {
    let snapshot = theirs.get(payment.reference) ?? null
    if (!snapshot) {
      // Made there a little before the first one that was listed, perhaps.
      const asked = await provider.retrieve(payment.reference)
      if (asked.ok) snapshot = asked.snapshot
      else if (asked.reason !== 'unknown_payment') return asked.message
    }
    for (const kind of differencesOf(payment, snapshot)) {
      await keep({
        kind,
        reference: payment.reference,
        paymentId: payment.paymentId,
        ours: `${payment.state}, ${payment.amountCents} cents, ${payment.bookings} booked, ${payment.refundedCents} refunded`,
        theirs: snapshot
          ? `${snapshot.state}, ${snapshot.amountCents} cents, ${snapshot.refundedCents} refunded`
          : 'nothing',
      })
    }
  }
  return null
}

async function compareTheirs(db: Database, ours: Ours, theirs: Theirs, keep: KeepDifference): Promise<void> {
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
    // Known but too young to compare, or waiting for its reference.
    if (here) continue
    await keep({
      kind: 'unknown_here',
      reference: snapshot.reference,
      paymentId: null,
      ours: 'nothing',
      theirs: `${snapshot.state}, ${snapshot.amountCents} cents, ${snapshot.refundedCents} refunded`,
    })
  }
}

async function keepDifference(db: Database, comparisonId: string, difference: Difference): Promise<void> {
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
