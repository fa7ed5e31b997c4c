import type { Selectable } from 'kysely'
import { newId } from '../../../shared/ids.ts'
import type { DatabaseTransaction, Tables } from '../../database/port.ts'
import { findKeptCard, type SandboxCard } from '../sandbox-cards.ts'

/** A card before it is charged or kept. */
export type PresentedCard = {
  card: SandboxCard
  expires: { year: number; month: number }
  /** The id of a kept card; null for a typed card. */
  method: string | null
}

/** Keeps a card for a customer. @returns the method's id */
export async function addMethod(
  tx: DatabaseTransaction,
  now: Date,
  customer: string,
  { card, expires }: PresentedCard,
): Promise<string> {
  const id = `sbk_${newId(24)}`
  await tx
    .insertInto('sandbox_methods')
    .values({
      id,
      sandbox_customer_id: customer,
      last_four: card.number.slice(-4),
      expires_year: expires.year,
      expires_month: expires.month,
      detached_at: null,
      created_at: now,
    })
    .execute()
  return id
}

/** Finds a card that is kept for a customer. @returns null for another customer's, and for a detached one */
export async function findMethod(
  tx: DatabaseTransaction,
  { id, customer }: { id: string; customer: string },
): Promise<PresentedCard | null> {
  const row = await tx
    .selectFrom('sandbox_methods')
    .selectAll()
    .where('id', '=', id)
    .where('sandbox_customer_id', '=', customer)
    .where('detached_at', 'is', null)
    .executeTakeFirst()
  return row ? presentedOf(row) : null
}

function presentedOf(row: Selectable<Tables['sandbox_methods']>): PresentedCard | null {
  const card = findKeptCard(row.last_four)
  return card && { card, expires: { year: row.expires_year, month: row.expires_month }, method: row.id }
}

/** Reads a card setup and locks its row until the transaction ends. */
export async function lockSetup(
  tx: DatabaseTransaction,
  by: { column: 'id' | 'client_secret'; value: string },
) {
  return tx
    .selectFrom('sandbox_setups')
    .selectAll()
    .where(by.column, '=', by.value)
    .forUpdate()
    .executeTakeFirst()
}
