import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { toNumericString } from '../../shared/money.ts'
import { isCustomers } from '../enquiries/queries.server.ts'
import { lineCents } from '../pricing/line-rules.ts'
import { endQuotesOf, type QuoteDeps } from './commands.server.ts'
import { listQuotesWhere } from './queries.server.ts'
import { leastOf } from './rules.ts'

type Account = { userId: string; verifiedEmail: string | null }

/**
 * Locks the conversations of both sides of an account, so that none of their quotes can be accepted or booked until the
 * transaction ends.
 * @returns whether a customer is paying for one of the account's own quotes
 */
export async function lockQuotesOf(tx: DatabaseTransaction, account: Account): Promise<boolean> {
  await lockConversationsOf(tx, account)
  const paid = await tx
    .selectFrom('quotes')
    .innerJoin('conversations', 'conversations.id', 'quotes.conversation_id')
    .select('quotes.id')
    .where('conversations.owner_user_id', '=', account.userId)
    .where('quotes.state', '=', 'accepted')
    .executeTakeFirst()
  return paid !== undefined
}

/** All at once in the order of their ids: two people may delete their accounts together, each a customer of the other. */
function lockConversationsOf(tx: DatabaseTransaction, account: Account): Promise<{ id: string }[]> {
  return tx
    .selectFrom('conversations')
    .select('id')
    .where(sql<boolean>`(conversations.owner_user_id = ${account.userId} or ${isCustomers(account)})`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/**
 * Withdraws the open quotes of a person whose account is deleted, and frees the times that they hold, inside the transaction
 * that deletes it. Accepted quotes stay with the booking, since they are its contract.
 */
export async function leaveQuotes(
  deps: Pick<QuoteDeps, 'liveUpdates' | 'now'>,
  tx: DatabaseTransaction,
  account: Account,
): Promise<void> {
  const left = await lockConversationsOf(tx, account)
  for (const { id } of left) await endQuotesOf(deps, tx, id)
}

/** Exports the quotes that an account has received and sent. Those sent have no customers: it is other people's data. */
export async function exportQuotes(db: Database, account: Account): Promise<{ quotes: object[] }> {
  const [received, sent] = await Promise.all([
    listQuotesWhere(db, isCustomers(account)),
    listQuotesWhere(db, sql<boolean>`conversations.owner_user_id = ${account.userId}`),
  ])
  const quotes = [
    ...received.map((quote) => ({ quote, side: 'customer' })),
    ...sent.map((quote) => ({ quote, side: 'vendor' })),
  ]
  return {
    quotes: quotes.map(({ quote, side }) => ({
      side,
      businessId: quote.businessId,
      businessName: quote.businessName,
      version: quote.version,
      state: quote.state,
      lines: quote.lines.map((line) => ({
        label: line.label,
        quantity: line.quantity,
        price: toNumericString(lineCents(line)),
        isOptional: line.isOptional,
      })),
      note: quote.note,
      date: quote.date,
      time: quote.time,
      total: toNumericString(leastOf(quote)),
      accepted: quote.acceptedCents === null ? null : toNumericString(quote.acceptedCents),
      validUntil: quote.validUntil,
      sentAt: quote.sentAt,
    })),
  }
}
