import { href } from 'react-router'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { refuse } from '../../shared/result.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { addNotification } from '../notifications/commands.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'

/**
 * Hides a listing from the public and from new bookings. Its owner gets the reason and can't show it again (Decision
 * 18).
 * @returns refuses with 'not_found', also for a deleted listing
 */
export async function hideListing(
  deps: BookingDeps,
  input: { operator: Operator; businessId: string; reason: string },
): Promise<{ ok: true; changed: boolean } | { ok: false; reason: 'not_found' }> {
  return deps.db.transaction().execute(async (tx) => {
    const business = await lockBusiness(tx, input.businessId)
    if (!business) return refuse('not_found')
    if (business.hidden_by === 'operator' && business.operator_reason === input.reason)
      return { ok: true, changed: false } as const
    const at = deps.now()
    await tx
      .updateTable('businesses')
      .set({ hidden_at: at, hidden_by: 'operator', operator_reason: input.reason, updated_at: at })
      .where('id', '=', business.id)
      .execute()
    await logAction(tx, {
      operator: input.operator,
      action: 'hide-listing',
      subject: { kind: 'listing', id: business.id, label: business.name },
      reason: input.reason,
      at,
    })
    await tellOwner(deps, tx, business, {
      title: `${business.name} is hidden by ${deps.brand}`,
      body: input.reason,
      at,
    })
    return { ok: true, changed: true } as const
  })
}

/**
 * Shows a listing again.
 * @returns refuses with 'not_found', and with 'hidden_by_owner' because that is the owner's decision
 */
export async function showHiddenListing(
  deps: BookingDeps,
  input: { operator: Operator; businessId: string },
): Promise<{ ok: true; changed: boolean } | { ok: false; reason: 'not_found' | 'hidden_by_owner' }> {
  return deps.db.transaction().execute(async (tx) => {
    const business = await lockBusiness(tx, input.businessId)
    if (!business) return refuse('not_found')
    if (!business.hidden_at) return { ok: true, changed: false } as const
    if (business.hidden_by === 'owner') return refuse('hidden_by_owner')
    const at = deps.now()
    await tx
      .updateTable('businesses')
      .set({ hidden_at: null, hidden_by: null, updated_at: at })
      .where('id', '=', business.id)
      .execute()
    await logAction(tx, {
      operator: input.operator,
      action: 'show-listing',
      subject: { kind: 'listing', id: business.id, label: business.name },
      at,
    })
    await tellOwner(deps, tx, business, {
      title: `${business.name} is shown again`,
      body: 'People can find and book it.',
      at,
    })
    return { ok: true, changed: true } as const
  })
}

function lockBusiness(tx: DatabaseTransaction, businessId: string) {
  return tx
    .selectFrom('businesses')
    .select(['id', 'name', 'user_id', 'hidden_at', 'hidden_by', 'operator_reason'])
    .where('id', '=', businessId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

async function tellOwner(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  business: { id: string; user_id: string },
  notice: { title: string; body: string; at: Date },
): Promise<void> {
  await addNotification(
    tx,
    {
      userId: business.user_id,
      kind: 'listing',
      title: notice.title,
      body: notice.body,
      link: href('/dashboard/list-business'),
      eventKey: `listing-standing:${business.id}:${notice.at.getTime()}`,
    },
    notice.at,
  )
  await deps.liveUpdates.publish(tx, `notifications:${business.user_id}`)
}
