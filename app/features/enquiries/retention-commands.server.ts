import { type RawBuilder, sql } from 'kysely'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { hashText } from '../../shared/signed.ts'
import type { EnquiryDeps } from './deps.server.ts'
import { deleteMessages } from './file-commands.server.ts'
import { forgetNotices } from './notice-commands.server.ts'
import { isCustomers } from './queries.server.ts'
import { RETENTION_MONTHS, UNVERIFIED_KEPT_MS } from './rules.ts'

type Deps = Pick<EnquiryDeps, 'jobs' | 'now' | 'listQuoteNotices'>

/** Conversations of one transaction of the daily job. */
const BATCH = 200

/**
 * Removes a person's account from their conversations, inside the transaction that deletes it. As a customer they have
 * no name any more, all messages and files go, and so do conversations without a booking. A reported one keeps its messages
 * until the report is closed. As a vendor theirs are closed
 * and stay with the customers, to whom the messages were sent.
 * @param input.verifiedEmail null while the address isn't verified: a guest's conversations are then not the account's
 * @param input.name the replacement for the customer's name
 */
export async function leaveConversations(
  deps: Deps,
  tx: DatabaseTransaction,
  input: { userId: string; verifiedEmail: string | null; name: string },
): Promise<void> {
  const rows = await tx
    .selectFrom('conversations')
    .select(['id', isCustomers(input).as('is_customers')])
    .where(sql<boolean>`(owner_user_id = ${input.userId} or ${isCustomers(input)})`)
    .orderBy('id')
    .forUpdate()
    .execute()
  const left = rows.filter((row) => row.is_customers)
  for (const { id } of left) await blank(deps, tx, id, input.name)
  await clearBlanked(
    deps,
    tx,
    left.map(({ id }) => id),
  )
  const owned = await tx
    .updateTable('conversations')
    .set({
      status: sql`case when booked_at is null then 'closed' else 'booked' end`,
      blocked_by: null,
      waiting_since: null,
      vendor_mail_due_at: null,
    })
    .where('owner_user_id', '=', input.userId)
    .returning('id')
    .execute()
  if (owned.length > 0)
    await voidAddresses(
      deps,
      tx,
      owned.map(({ id }) => id),
    )
  await tx.deleteFrom('saved_replies').where('user_id', '=', input.userId).execute()
}

/** Takes the customer out of a conversation and its notifications. Its link opens nothing any more. */
async function blank(deps: Deps, tx: DatabaseTransaction, id: string, name: string): Promise<void> {
  await forgetNotices(deps, tx, [id])
  await tx
    .updateTable('conversations')
    .set({
      customer_user_id: null,
      customer_name: name,
      customer_email: '',
      link_hash: await hashText(newId(40)),
      status: sql`case when booked_at is null then 'closed' else 'booked' end`,
      blocked_by: null,
      waiting_since: null,
      vendor_mail_due_at: null,
      customer_mail_due_at: null,
    })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('reply_addresses').where('conversation_id', '=', id).execute()
}

async function voidAddresses(deps: Deps, tx: DatabaseTransaction, ids: readonly string[]): Promise<void> {
  await tx
    .updateTable('reply_addresses')
    .set({ void_at: deps.now() })
    .where('conversation_id', 'in', [...ids])
    .where('void_at', 'is', null)
    .execute()
}

/** Deletes conversations of deleted customers that no open report needs. Those that became a booking lose their messages alone. */
async function clearBlanked(deps: Deps, tx: DatabaseTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx
    .selectFrom('conversations')
    .select(['id', 'booked_at'])
    .where('id', 'in', [...ids])
    .where('customer_email', '=', '')
    .where(hasNoOpenReport)
    .execute()
  const { booked, others } = byBooking(rows)
  await deleteMessages(deps, tx, booked)
  await deleteWhole(deps, tx, others)
}

const byBooking = (rows: readonly { id: string; booked_at: Date | null }[]) => ({
  booked: rows.filter((row) => row.booked_at !== null).map(({ id }) => id),
  others: rows.filter((row) => row.booked_at === null).map(({ id }) => id),
})

const hasNoOpenReport: RawBuilder<boolean> = sql<boolean>`not exists (
  select from conversation_reports
  where conversation_reports.conversation_id = conversations.id and conversation_reports.closed_at is null)`

async function deleteWhole(deps: Deps, tx: DatabaseTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await forgetNotices(deps, tx, ids)
  await deleteMessages(deps, tx, ids)
  await tx
    .deleteFrom('conversations')
    .where('id', 'in', [...ids])
    .execute()
}

/**
 * Deletes conversations that have served their purpose: 24 months after the last message, guests' that were never
 * confirmed after a week, and deleted customers' once their reports are closed. A booked one stays without messages and
 * without its customer, since its quotes are the contract.
 * @param name the replacement for the customer's name
 */
export async function forgetConversations(deps: Deps & Pick<EnquiryDeps, 'db'>, name: string): Promise<void> {
  const now = deps.now()
  const old = new Date(now)
  old.setUTCMonth(old.getUTCMonth() - RETENTION_MONTHS)
  const unverified = new Date(now.getTime() - UNVERIFIED_KEPT_MS)
  for (;;) {
    const count = await deps.db.transaction().execute(async (tx) => {
      const rows = await tx
        .selectFrom('conversations')
        .select(['id', 'booked_at'])
        .where(
          sql<boolean>`(
            last_message_at < ${old} and (booked_at is null or customer_email <> '')
            or verified_at is null and created_at < ${unverified}
            or customer_email = '' and (booked_at is null
              or exists (select from messages where messages.conversation_id = conversations.id)))`,
        )
        .where(hasNoOpenReport)
        .orderBy('id')
        .limit(BATCH)
        .forUpdate()
        .execute()
      const { booked, others } = byBooking(rows)
      await deleteWhole(deps, tx, others)
      await deleteMessages(deps, tx, booked)
      for (const id of booked) await blank(deps, tx, id, name)
      return rows.length
    })
    if (count < BATCH) return
  }
}
