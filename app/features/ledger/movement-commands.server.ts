import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { BalanceMovement, PayoutProvider } from '../../adapters/payments/payout-port.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { type LedgerTransaction, postTransactions } from './commands.server.ts'
import { adjustment, disputeFee, type Entry, fee } from './rules.ts'

export type MovementDeps = {
  db: Database
  /** Null while vendors aren't paid: our balance is then not read. */
  payouts: Pick<PayoutProvider, 'name' | 'listMovements' | 'retrieveBalance'> | null
  now: () => Date
}

/** Read again each time, since a provider may list a movement late, or correct it. */
const OVERLAP_MS = 3 * DAY_MS
const STORED_AT_ONCE = 500
const POSTED_AT_ONCE = 50
/** A fee waits so long for the charge or the dispute that it belongs to. */
const FEE_WAITS_MS = 3_600_000

/**
 * Reads the new movements of our balance at the provider, and posts their fees and our payouts to the bank.
 * @returns refuses with the provider's message; nothing is stored then
 */
export async function readMovements(
  deps: MovementDeps,
): Promise<{ ok: true } | { ok: false; message: string }> {
  const { db, payouts } = deps
  if (!payouts) return { ok: true }
  const last = await db
    .selectFrom('provider_movements')
    .select((eb) => eb.fn.max('moved_at').as('moved_at'))
    .where('provider', '=', payouts.name)
    .executeTakeFirst()
  const since = new Date(last?.moved_at ? new Date(last.moved_at).getTime() - OVERLAP_MS : 0)
  // All pages before the first is stored: they come newest first, and the newest one says how far we have read.
  const movements: BalanceMovement[] = []
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<typeof payouts.listMovements>> = await payouts.listMovements({
      since,
      after,
    })
    if (!page.ok) return { ok: false, message: page.message }
    movements.push(...page.movements)
    after = page.next
  } while (after)
  await storeMovements(deps, payouts.name, movements)
  await postMovements(deps)
  return { ok: true }
}

async function storeMovements(
  { db, now }: MovementDeps,
  provider: string,
  movements: readonly BalanceMovement[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (let from = 0; from < movements.length; from += STORED_AT_ONCE)
      await tx
        .insertInto('provider_movements')
        .values(
          movements.slice(from, from + STORED_AT_ONCE).map((movement) => ({
            provider,
            id: movement.id,
            kind: movement.kind,
            reference: movement.reference,
            amount_cents: movement.amountCents,
            fee_cents: movement.feeCents,
            moved_at: movement.at,
            available_at: movement.availableAt,
            created_at: now(),
          })),
        )
        .onConflict((conflict) =>
          conflict.columns(['provider', 'id']).doUpdateSet((eb) => ({
            kind: eb.ref('excluded.kind'),
            reference: eb.ref('excluded.reference'),
            amount_cents: eb.ref('excluded.amount_cents'),
            fee_cents: eb.ref('excluded.fee_cents'),
            available_at: eb.ref('excluded.available_at'),
          })),
        )
        .execute()
  })
}

/** Posts what only movements tell: the provider's fees, and our own payouts. */
async function postMovements({ db, now }: MovementDeps): Promise<void> {
  const waits = new Date(now().getTime() - FEE_WAITS_MS)
  for (;;) {
    const posted = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<MovementToPost>`
        select m.id, m.kind, m.amount_cents, m.fee_cents, m.moved_at, t.vendor_user_id, t.booking_id, t.payment_id
        from provider_movements m
        left join lateral (
          select vendor_user_id, booking_id, payment_id from ledger_transactions
          where provider_reference = m.reference and kind in ('charge', 'opening', 'dispute_opened') order by id limit 1
        ) t on true
        where (m.fee_cents > 0 or m.kind in ('fee', 'payout') and m.amount_cents <> 0)
          and (t.vendor_user_id is not null or m.kind in ('fee', 'payout') or m.moved_at < ${waits})
          and not exists (select from ledger_transactions where key in ('fee:' || m.id, 'payout:' || m.id))
        order by m.moved_at, m.id limit ${POSTED_AT_ONCE}`.execute(tx)
      return postTransactions(tx, rows.flatMap(transactionsOf))
    })
    if (posted.size === 0) return
  }
}

type MovementToPost = {
  id: string
  kind: BalanceMovement['kind']
  amount_cents: string | number
  fee_cents: string | number
  moved_at: Date
  vendor_user_id: string | null
  booking_id: string | null
  payment_id: string | null
}

function transactionsOf(row: MovementToPost): LedgerTransaction[] {
  const about = (key: string, entry: Entry): LedgerTransaction => ({
    ...entry,
    key,
    vendorUserId: row.vendor_user_id,
    bookingId: row.booking_id,
    paymentId: row.payment_id,
    // Fees have no reference of their own, so that a reference names what it moved alone.
    providerReference: null,
    at: new Date(row.moved_at),
  })
  const amountCents = Number(row.amount_cents)
  const feeCents = Number(row.fee_cents) + (row.kind === 'fee' ? -amountCents : 0)
  const transactions: LedgerTransaction[] = []
  // A fee that the provider gives back.
  if (feeCents < 0)
    transactions.push(
      about(`fee:${row.id}`, adjustment({ from: 'provider_fees', to: 'provider_balance', cents: -feeCents })),
    )
  if (feeCents > 0)
    transactions.push(about(`fee:${row.id}`, row.kind === 'dispute' ? disputeFee(feeCents) : fee(feeCents)))
  if (row.kind === 'payout' && amountCents !== 0)
    transactions.push(
      about(
        `payout:${row.id}`,
        amountCents < 0
          ? adjustment({ from: 'provider_balance', to: 'bank', cents: -amountCents })
          : adjustment({ from: 'bank', to: 'provider_balance', cents: amountCents }),
      ),
    )
  return transactions
}
