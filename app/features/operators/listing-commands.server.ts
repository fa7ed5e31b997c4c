import { href } from 'react-router'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { refuse } from '../../shared/result.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import type { HidingParty } from '../businesses/rules.ts'
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
      .set({
        hidden_at: at,
        hidden_by: 'operator',
        operator_reason: input.reason,
        owner_hidden_at: ownerHiddenAt(business),
        updated_at: at,
      })
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

/** The party that keeps a listing hidden once no operator hides it. */
export type StillHiddenBy = Exclude<HidingParty, 'operator'>

/**
 * Ends the hiding of a listing by an operator. It is shown again, unless its owner had hidden it before or hasn't accepted
 * the vendor agreement, or its account is disabled or deactivated.
 * @returns who it stays hidden by, or null. Refuses with 'not_found', and with 'hidden_by_owner' because that is the
 *   owner's decision
 */
export async function showHiddenListing(
  deps: BookingDeps,
  input: { operator: Operator; businessId: string },
): Promise<
  | { ok: true; changed: boolean; stillHiddenBy: StillHiddenBy | null }
  | { ok: false; reason: 'not_found' | 'hidden_by_owner' }
> {
  return deps.db.transaction().execute(async (tx) => {
    const standing = await lockOwner(tx, input.businessId)
    const business = await lockBusiness(tx, input.businessId)
    if (!business) return refuse('not_found')
    if (!business.hidden_at) return { ok: true, changed: false, stillHiddenBy: null } as const
    if (business.hidden_by === 'owner') return refuse('hidden_by_owner')
    const ownerAt = ownerHiddenAt(business)
    const stillHiddenBy = ownerAt ? 'owner' : business.waiting_since ? 'agreement' : standing
    if (business.hidden_by === stillHiddenBy) return { ok: true, changed: false, stillHiddenBy } as const
    const at = deps.now()
    await tx
      .updateTable('businesses')
      .set({
        hidden_at: stillHiddenBy ? (ownerAt ?? business.waiting_since ?? at) : null,
        hidden_by: stillHiddenBy,
        owner_hidden_at: null,
        updated_at: at,
      })
      .where('id', '=', business.id)
      .execute()
    await logAction(tx, {
      operator: input.operator,
      action: 'show-listing',
      subject: { kind: 'listing', id: business.id, label: business.name },
      at,
    })
    await tellOwner(deps, tx, business, { ...showNotice(deps, business.name, stillHiddenBy), at })
    return { ok: true, changed: true, stillHiddenBy } as const
  })
}

function showNotice({ brand }: BookingDeps, name: string, stillHiddenBy: StillHiddenBy | null) {
  if (!stillHiddenBy) return { title: `${name} is shown again`, body: 'People can find and book it.' }
  const title = `${name} is no longer hidden by ${brand}`
  if (stillHiddenBy === 'owner')
    return { title, body: 'You had hidden it yourself, so it stays hidden until you show it.' }
  if (stillHiddenBy === 'agreement')
    return { title, body: 'It becomes public once you accept the vendor agreement.' }
  return { title, body: 'People can find and book it while your account is active.' }
}

/**
 * Locks the account of a listing's owner, so that it isn't disabled or deactivated meanwhile. Call it before the listing
 * is locked, in the order of `disableAccount`.
 * @returns what the account hides its listings with
 */
async function lockOwner(
  tx: DatabaseTransaction,
  businessId: string,
): Promise<'deactivation' | 'disabling' | null> {
  const owner = await tx
    .selectFrom('users')
    .select(['deactivated_at', 'disabled_at'])
    .where('id', '=', (eb) => eb.selectFrom('businesses').select('user_id').where('id', '=', businessId))
    .forShare()
    .executeTakeFirst()
  // An account that is both can only be enabled first, and shows its listings once its owner reactivates it.
  if (owner?.deactivated_at) return 'deactivation'
  return owner?.disabled_at ? 'disabling' : null
}

/** When the owner hid a listing. The previous version doesn't empty the column, which counts with an operator's hiding only. */
function ownerHiddenAt(business: {
  hidden_at: Date | null
  hidden_by: HidingParty | null
  owner_hidden_at: Date | null
}): Date | null {
  if (business.hidden_by === 'owner') return business.hidden_at
  return business.hidden_by === 'operator' ? business.owner_hidden_at : null
}

function lockBusiness(tx: DatabaseTransaction, businessId: string) {
  return tx
    .selectFrom('businesses')
    .select([
      'id',
      'name',
      'user_id',
      'hidden_at',
      'hidden_by',
      'operator_reason',
      'owner_hidden_at',
      'waiting_since',
    ])
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
