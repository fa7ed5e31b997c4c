import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { WebhookEvent } from '../../adapters/payments/port.ts'

/**
 * Stores a provider's event before it is acted on.
 * @returns 'processed' when an earlier delivery has been processed, 'seen' when one was stored only
 */
export async function recordPaymentEvent(
  db: Database,
  input: { provider: string; event: WebhookEvent; now: Date },
): Promise<'new' | 'known' | 'processed'> {
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
  return row?.processed_at ? 'processed' : 'known'
}

/** Marks an event as processed. Call it only once the event's effects are stored. */
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

/** Blanks the payloads of events processed before a moment. Their ids stay, so repeats are still recognised. */
export async function forgetEventPayloads(db: Database, before: Date): Promise<void> {
  await sql`
    update payment_events set payload = '{}' where processed_at < ${before} and payload <> '{}'`.execute(db)
}
