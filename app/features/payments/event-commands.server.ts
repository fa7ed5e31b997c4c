import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { WebhookEvent } from '../../adapters/payments/port.ts'

/**
 * Keeps an event of the provider before anything is done about it.
 * @returns 'processed' when an earlier delivery was already worked through
 */
export async function recordPaymentEvent(
  db: Database,
  input: { provider: string; event: WebhookEvent; now: Date },
): Promise<'new' | 'seen' | 'processed'> {
  const { provider, event, now } = input
  const added = await db
    .insertInto('payment_events')
    .values({
      provider,
      event_id: event.id,
      type: event.type,
      provider_reference: event.reference,
      payload: JSON.stringify(event.payload),
      received_at: now,
      processed_at: null,
    })
    .onConflict((conflict) => conflict.columns(['provider', 'event_id']).doNothing())
    .returning('event_id')
    .executeTakeFirst()
  if (added) return 'new'
  const row = await db
    .selectFrom('payment_events')
    .select('processed_at')
    .where('provider', '=', provider)
    .where('event_id', '=', event.id)
    .executeTakeFirst()
  return row?.processed_at ? 'processed' : 'seen'
}

/** An event counts as seen only once what follows from it is stored. */
export async function markPaymentEventProcessed(
  db: Database,
  input: { provider: string; eventId: string; now: Date },
): Promise<void> {
  await db
    .updateTable('payment_events')
    .set({ processed_at: input.now })
    .where('provider', '=', input.provider)
    .where('event_id', '=', input.eventId)
    .where('processed_at', 'is', null)
    .execute()
}

/** Forgets what the provider wrote into events worked through before a moment; that they were seen stays. */
export async function forgetEventPayloads(db: Database, before: Date): Promise<void> {
  await sql`
    update payment_events set payload = '{}' where processed_at < ${before} and payload <> '{}'`.execute(db)
}
