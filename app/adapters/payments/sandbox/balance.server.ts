import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { newId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import { DAY_MS } from '../../../shared/time-units.ts'
import type { Database, DatabaseTransaction, Tables } from '../../database/port.ts'
import type { BalanceMovement, PayoutProvider } from '../payout-port.ts'

/** How long a charge waits before its money can be transferred or paid out. */
const PENDING_MS = 2 * DAY_MS
const PAGE_SIZE = 100
/** A card charge costs 1.7 % and 30 cents, and a dispute $25. */
const FEE_PER_MILLE = 17
const FIXED_FEE_CENTS = 30
export const DISPUTE_FEE_CENTS = 2_500

export type SandboxMovementKind =
  | 'charge'
  | 'refund'
  | 'refund_failed'
  | 'dispute'
  | 'dispute_reversal'
  | 'transfer'
  | 'reversal'
  | 'payout'
  | 'payout_failed'

/** Returns the fee of a charge, in cents, rounded half up. */
export function chargeFeeCents(amountCents: Cents): Cents {
  return Math.floor((amountCents * FEE_PER_MILLE + 500) / 1_000) + FIXED_FEE_CENTS
}

/** Returns when the money of a charge made now can leave. */
export function availableAfter(now: Date): Date {
  return new Date(now.getTime() + PENDING_MS)
}

/**
 * Records a change of a balance, in the transaction of what causes it.
 * @param movement.account null for the platform's own balance
 * @param movement.amountCents signed, before the fee
 * @param movement.availableAt now by default
 */
export async function addMovement(
  tx: DatabaseTransaction,
  now: Date,
  movement: {
    account?: string | null
    kind: SandboxMovementKind
    reference: string
    amountCents: Cents
    feeCents?: Cents
    availableAt?: Date
  },
): Promise<void> {
  await tx
    .insertInto('sandbox_movements')
    .values({
      id: `sbm_${newId(24)}`,
      sandbox_account_id: movement.account ?? null,
      kind: movement.kind,
      reference: movement.reference,
      amount_cents: movement.amountCents,
      fee_cents: movement.feeCents ?? 0,
      sandbox_payout_id: null,
      created_at: now,
      available_at: movement.availableAt ?? now,
    })
    .execute()
}

/**
 * Returns when the money of a charge can leave: what moves it before then comes out of the pending balance.
 * @returns now at the earliest
 */
export async function availabilityOfCharge(
  tx: DatabaseTransaction,
  sandboxPaymentId: string,
  now: Date,
): Promise<Date> {
  const charge = await tx
    .selectFrom('sandbox_movements')
    .select('available_at')
    .where('reference', '=', sandboxPaymentId)
    .where('kind', '=', 'charge')
    .executeTakeFirst()
  return charge && charge.available_at > now ? charge.available_at : now
}

/** Measures a balance after fees, in cents. @param account null for the platform's own */
export async function measureBalance(
  db: Database | DatabaseTransaction,
  account: string | null,
  now: Date,
): Promise<{ availableCents: Cents; pendingCents: Cents }> {
  const { rows } = await sql<{ available: string | number; pending: string | number }>`
    select coalesce(sum(amount_cents - fee_cents) filter (where available_at <= ${now}), 0)::bigint as available,
      coalesce(sum(amount_cents - fee_cents) filter (where available_at > ${now}), 0)::bigint as pending
    from sandbox_movements where sandbox_account_id is not distinct from ${account}`.execute(db)
  return { availableCents: Number(rows[0]?.available), pendingCents: Number(rows[0]?.pending) }
}

/** The platform's own balance and its movements, as a provider lists them. */
export function balanceCalls({
  db,
  now,
}: {
  db: Database
  now: () => Date
}): Pick<PayoutProvider, 'retrieveBalance' | 'listMovements' | 'preparePlatform'> {
  return {
    async retrieveBalance() {
      return { ok: true, ...(await measureBalance(db, null, now())) }
    },

    async listMovements({ since, after }) {
      let query = db
        .selectFrom('sandbox_movements')
        .selectAll()
        .where('sandbox_account_id', 'is', null)
        .where('created_at', '>=', since)
      // Compared in the database, whose times are finer than JavaScript's.
      if (after)
        query = query.where(
          sql<boolean>`(created_at, number) < (select created_at, number from sandbox_movements where id = ${after})`,
        )
      const rows = await query
        .orderBy('created_at', 'desc')
        .orderBy('number', 'desc')
        .limit(PAGE_SIZE)
        .execute()
      const next = rows.length === PAGE_SIZE ? (rows.at(-1)?.id ?? null) : null
      return { ok: true, movements: rows.map(movementOf), next }
    },

    // The sandbox never pays the platform's balance out by itself.
    async preparePlatform() {
      return { ok: true }
    },
  }
}

function movementOf(row: Selectable<Tables['sandbox_movements']>): BalanceMovement {
  return {
    id: row.id,
    kind: row.kind === 'payout_failed' ? 'payout' : row.kind,
    reference: row.reference,
    amountCents: Number(row.amount_cents),
    feeCents: Number(row.fee_cents),
    at: row.created_at,
    availableAt: row.available_at,
  }
}
