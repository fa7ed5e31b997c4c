import { eachOf } from '../../../shared/each-of.ts'
import { findPayment, lockPayment } from '../../payments/queries.server.ts'
import { isUnsettled } from '../../payments/rules.ts'
import type { BookingDeps } from '../deps.server.ts'
import { lockBooking } from '../row-queries.server.ts'
import type { ChangeRow } from '../tables.server.ts'
import { tellOf } from './effect-commands.server.ts'
import { endChange } from './end-commands.server.ts'
import { findOpenChange } from './queries.server.ts'
import { OPEN_STATES } from './rules.ts'

const CHANGES_PER_RUN = 100

/**
 * Expires the changes that nobody has answered or paid in time, and frees their times. One whose payment is still open waits for the
 * sweep, which asks the provider first.
 */
export async function expireChanges(deps: BookingDeps): Promise<void> {
  const rows = await deps.db
    .selectFrom('changes')
    .select(['id', 'booking_id'])
    .where('state', 'in', OPEN_STATES)
    .where('expires_at', '<=', deps.now())
    .orderBy('expires_at')
    .limit(CHANGES_PER_RUN)
    .execute()
  await eachOf(rows, (row) => expireChange(deps, row))
}

async function expireChange(
  deps: BookingDeps,
  { id, booking_id: bookingId }: Pick<ChangeRow, 'id' | 'booking_id'>,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, bookingId)
    if (!row) return
    await lockPayment(tx, row.payment_row_id)
    const change = await findOpenChange(tx, bookingId)
    if (change?.id !== id || change.expires_at > deps.now()) return
    const payment = change.payment_id ? await findPayment(tx, change.payment_id) : undefined
    if (payment && isUnsettled(payment.state) && payment.provider_reference) return
    await endChange(deps, tx, row, change, { state: 'expired', by: null })
    await tellOf(deps, tx, row, change.id, { kind: 'expired' })
  })
}
