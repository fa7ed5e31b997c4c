import type { DatabaseTransaction } from '../../../adapters/database/port.ts'
import { freeSlot } from '../../availability/slot-commands.server.ts'
import { giveUpFollowingPayments } from '../../payments/payment-commands.server.ts'
import type { BookingServices } from '../deps.server.ts'
import type { BookingRow } from '../row-queries.server.ts'
import type { ChangeRow } from '../tables.server.ts'
import { findOpenChange } from './queries.server.ts'
import { type ChangeSide, OPEN_STATES } from './rules.ts'

/** Ends an open change whose booking is locked: frees the held time, and gives up its payment. */
export async function endChange(
  deps: BookingServices,
  tx: DatabaseTransaction,
  row: Pick<BookingRow, 'payment_row_id'>,
  change: ChangeRow,
  end: { state: 'declined' | 'expired'; by: ChangeSide | null },
): Promise<void> {
  await freeSlot(deps, tx, change.id)
  // A card that pays it all the same is refunded.
  if (change.payment_id) await giveUpFollowingPayments(tx, row.payment_row_id, change.payment_id)
  await tx
    .updateTable('changes')
    .set({ state: end.state, ended_by: end.by, ended_at: deps.now() })
    .where('id', '=', change.id)
    .where('state', 'in', OPEN_STATES)
    .execute()
}

/** Ends the open change of a booking that is called off. Its row is locked. Both sides learn of the booking's end instead. */
export async function endOpenChange(
  deps: BookingServices,
  tx: DatabaseTransaction,
  row: Pick<BookingRow, 'id' | 'payment_row_id'>,
): Promise<void> {
  const change = await findOpenChange(tx, row.id)
  if (change) await endChange(deps, tx, row, change, { state: 'expired', by: null })
}
