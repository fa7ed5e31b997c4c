import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import { openSealed, sealText } from '../../shared/sealed.ts'
import { hashText } from '../../shared/signed.ts'
import type { PaymentDeps } from './deps.server.ts'
import { isBlockedByDispute, lockPayments } from './queries.server.ts'
import {
  accountText,
  maskAccount,
  OPENED_ACCOUNT_LASTS_MS,
  REFUND_ACCOUNT_LASTS_MS,
  type RefundAccount,
} from './refund-account-rules.ts'

/** The services of refunds that can't go back to the card. */
export type RefundAccountDeps = { db: Database; secret: string; now: () => Date }

const purposeOf = (refundId: string) => `refund-account:${refundId}`

/** Selects the refunds of a purchase that came back, aren't settled and don't wait for a dispute. */
function selectWaiting(db: Database | DatabaseTransaction, linkHash: string) {
  return db
    .selectFrom('payment_actions')
    .innerJoin('payments', 'payments.id', 'payment_actions.payment_id')
    .innerJoin('sales', 'sales.id', 'payments.sale_id')
    .leftJoin('refund_accounts', 'refund_accounts.refund_id', 'payment_actions.id')
    .where('sales.link_hash', '=', linkHash)
    .where('payment_actions.kind', '=', 'refund')
    .where('payment_actions.state', '=', 'done')
    .where('payment_actions.provider_status', 'in', ['failed', 'canceled'])
    .where('payment_actions.resolution', 'is', null)
    .where(({ not }) => not(isBlockedByDispute('payments.id')))
    .orderBy('payment_actions.id')
}

/** The money of a purchase that waits for an account, and the account if its customer has named one. */
export type WaitingRefund = { businessName: string; amountCents: Cents; masked: string | null }

/**
 * Finds what waits to be sent to a customer another way, by the unguessable link of their purchase.
 * @returns null for an unknown link; an amount of 0 where nothing waits
 */
export async function findWaitingRefund(db: Database, linkToken: string): Promise<WaitingRefund | null> {
  const linkHash = await hashText(linkToken)
  const sale = await db
    .selectFrom('sales')
    .select('business_name')
    .where('link_hash', '=', linkHash)
    .executeTakeFirst()
  if (!sale) return null
  const rows = await selectWaiting(db, linkHash)
    .select(['payment_actions.amount_cents', 'refund_accounts.masked'])
    .execute()
  const open = rows.filter(({ masked }) => masked === null)
  return {
    businessName: sale.business_name,
    amountCents: rows.reduce((sum, { amount_cents: cents }) => sum + Number(cents), 0),
    masked: open.length > 0 ? null : (rows[0]?.masked ?? null),
  }
}

/**
 * Stores where the refunds of a purchase go that came back, in place of what was stored before. The link alone authorises it, so
 * the customer is told by mail. The same account once more changes nothing.
 * @returns refuses with 'nothing_waits': an unknown link, or a refund that has been settled or disputed in the meantime
 */
export async function nameRefundAccount(
  deps: RefundAccountDeps & Pick<PaymentDeps, 'fulfilment'>,
  input: { linkToken: string; account: RefundAccount },
): Promise<{ ok: true } | { ok: false; reason: 'nothing_waits' }> {
  const linkHash = await hashText(input.linkToken)
  const masked = maskAccount(input.account)
  return deps.db.transaction().execute(async (tx) => {
    // An operator settles a refund under the same locks, so that no account is stored for one that is settled.
    await lockPayments(tx, sql<boolean>`sale_id = (select id from sales where link_hash = ${linkHash})`)
    const waiting = await selectWaiting(tx, linkHash)
      .select([
        'payment_actions.id',
        'payment_actions.amount_cents',
        'payments.sale_id',
        'refund_accounts.sealed',
      ])
      .execute()
    const [first] = waiting
    if (!first) return refuse('nothing_waits')
    const text = JSON.stringify(input.account)
    const at = deps.now()
    let isNew = false
    let isReplaced = false
    for (const { id, sealed: before } of waiting) {
      if (before !== null && (await openSealed(deps.secret, purposeOf(id), before)) === text) continue
      isNew = true
      isReplaced ||= before !== null
      const sealed = await sealText(deps.secret, purposeOf(id), text)
      const replaced_at = before === null ? null : at
      const given = { sealed, masked, given_at: at, replaced_at, opened_by: null, opened_at: null }
      await tx
        .insertInto('refund_accounts')
        .values({ refund_id: id, ...given })
        .onConflict((conflict) => conflict.column('refund_id').doUpdateSet(given))
        .execute()
    }
    if (isNew) {
      await deps.fulfilment.whenAccountNamed(tx, first.sale_id, {
        amountCents: waiting.reduce((sum, { amount_cents: cents }) => sum + Number(cents), 0),
        masked,
        isReplaced,
        at,
      })
    }
    return { ok: true }
  })
}

/** The account of a refund, as operators see it. */
export type ShownAccount = {
  masked: string
  /** ISO 8601, UTC. */
  givenAt: string
  /** Whether it has taken the place of another one. */
  isReplaced: boolean
  /** In full, for the operator who has opened it, for ten minutes; null otherwise. */
  opened: string | null
}

/** Finds the accounts that customers have named for refunds, by refund. @param operatorUserId who looks at them */
export async function findRefundAccounts(
  deps: RefundAccountDeps,
  refundIds: readonly string[],
  operatorUserId: string,
): Promise<Map<string, ShownAccount>> {
  if (refundIds.length === 0) return new Map()
  const rows = await deps.db
    .selectFrom('refund_accounts')
    .selectAll()
    .where('refund_id', 'in', refundIds)
    .execute()
  const seenSince = new Date(deps.now().getTime() - OPENED_ACCOUNT_LASTS_MS)
  const shown = await Promise.all(
    rows.map(async (row): Promise<[string, ShownAccount]> => {
      const isOpen = row.opened_by === operatorUserId && row.opened_at !== null && row.opened_at > seenSince
      const { masked } = row
      const opened = isOpen ? await openAccount(deps.secret, row) : null
      const isReplaced = row.replaced_at !== null
      return [row.refund_id, { masked, givenAt: row.given_at.toISOString(), isReplaced, opened }]
    }),
  )
  return new Map(shown)
}

async function openAccount(secret: string, row: { refund_id: string; sealed: string }): Promise<string> {
  const text = await openSealed(secret, purposeOf(row.refund_id), row.sealed)
  return text === null
    ? 'It can’t be read, as SECRET has changed since. Ask the customer to enter it again.'
    : accountText(JSON.parse(text) as RefundAccount)
}

/** Stores who has opened an account, in the transaction that logs it. @returns whether there is one */
export async function markAccountOpened(
  tx: DatabaseTransaction,
  opened: { refundId: string; operatorUserId: string; at: Date },
): Promise<boolean> {
  const row = await tx
    .updateTable('refund_accounts')
    .set({ opened_by: opened.operatorUserId, opened_at: opened.at })
    .where('refund_id', '=', opened.refundId)
    .returning('refund_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes the accounts that have waited for too long, and any of a refund that is settled. Settling one deletes its own at once. */
export async function forgetRefundAccounts({
  db,
  now,
}: Pick<RefundAccountDeps, 'db' | 'now'>): Promise<void> {
  await db
    .deleteFrom('refund_accounts')
    .where((eb) =>
      eb.or([
        eb('given_at', '<', new Date(now().getTime() - REFUND_ACCOUNT_LASTS_MS)),
        eb.exists(
          eb
            .selectFrom('payment_actions')
            .select('payment_actions.id')
            .whereRef('payment_actions.id', '=', 'refund_accounts.refund_id')
            .where(({ or, eb: of }) =>
              or([
                of('payment_actions.resolution', 'is not', null),
                of('payment_actions.state', '=', 'cancelled'),
              ]),
            ),
        ),
      ]),
    )
    .execute()
}
