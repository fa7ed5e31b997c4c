import { href } from 'react-router'
import type { DatabaseTransaction } from '../../../adapters/database/port.ts'
import type { Cents } from '../../../shared/money.ts'
import { addNotification } from '../../notifications/commands.server.ts'
import type { Replan } from '../../sales/replan-rules.ts'
import { findVendorContacts } from '../contact-queries.server.ts'
import type { BookingServices } from '../deps.server.ts'
import { DASHBOARD_BOOKINGS_PATH, mailed, sendMail } from '../notice-commands.server.ts'
import type { BookingRow } from '../row-queries.server.ts'
import { bookingLinkToken } from '../rules.ts'
import type { ChangeRow } from '../tables.server.ts'
import {
  type ChangeReader,
  changeAcceptedMail,
  changeDeclinedMail,
  changedMail,
  changeExpiredMail,
  changeProposedMail,
} from './mails.ts'
import type { ChangeSide } from './rules.ts'

/** The event of a change that its sides are notified of. */
export type ChangeNews =
  | { kind: 'proposed' | 'accepted'; plan: Replan }
  /** `waitingCents`: the part of its refund that waits for the customer's bank. */
  | { kind: 'paid'; plan: Replan; waitingCents: Cents }
  | { kind: 'declined' | 'taken_back' | 'expired' }

const TITLES = {
  proposed: (who: string) => `${who} proposes a change`,
  accepted: (who: string) => `${who} agreed to your change`,
  paid: (who: string) => `Your booking with ${who} has changed`,
  declined: (who: string) => `${who} declined your change`,
  taken_back: (who: string) => `${who} took a proposed change back`,
  expired: (who: string) => `A change with ${who} has expired`,
} as const satisfies Record<ChangeNews['kind'], (who: string) => string>

const BODIES = {
  proposed: 'See what changes, then agree or decline.',
  accepted: 'It takes effect once it is paid.',
  paid: 'Date, guests and payments are up to date.',
  declined: 'The booking stays as it is.',
  taken_back: 'The booking stays as it is.',
  expired: 'The booking stays as it is.',
} as const satisfies Record<ChangeNews['kind'], string>

/** The sides that are notified. A side isn't told of its own action, unless that changes the booking. */
function readersOf({ proposed_by: proposer }: ChangeRow, kind: ChangeNews['kind']): ChangeSide[] {
  const other = proposer === 'customer' ? 'vendor' : 'customer'
  if (kind === 'paid' || kind === 'expired') return ['customer', 'vendor']
  return kind === 'proposed' || kind === 'taken_back' ? [other] : [proposer]
}

/** Tells a change's news by mail and notification, in the transaction that makes them true. */
export async function tellOfChange(
  deps: BookingServices,
  tx: DatabaseTransaction,
  row: BookingRow,
  change: ChangeRow,
  news: ChangeNews,
): Promise<void> {
  const contact = (await findVendorContacts(tx, [row.owner_user_id])).get(row.owner_user_id)
  for (const side of readersOf(change, news.kind)) {
    const title = TITLES[news.kind](side === 'vendor' ? row.customer_name : row.vendor_name)
    const about = {
      kind: 'change',
      title,
      body: BODIES[news.kind],
      // Begins as all keys of a booking, so that it is forgotten with its customer.
      eventKey: `booking-change-${news.kind}:${row.id}:${change.id}:${side}`,
    }
    if (side === 'customer') {
      if (row.email) await sendMail(deps, tx, mailOf(deps, row, change, news, { side }))
      if (!row.customer_user_id) continue
      const linkToken = await bookingLinkToken(deps.secret, row.payment_row_id)
      const link = href('/bookings/:linkToken/change', { linkToken })
      await addNotification(tx, { ...about, userId: row.customer_user_id, link }, deps.now())
    } else {
      if (contact) await sendMail(deps, tx, mailOf(deps, row, change, news, { side, contact }))
      await addNotification(
        tx,
        { ...about, userId: row.owner_user_id, link: DASHBOARD_BOOKINGS_PATH },
        deps.now(),
      )
    }
  }
}

function mailOf(
  deps: BookingServices,
  row: BookingRow,
  change: ChangeRow,
  news: ChangeNews,
  reader: ChangeReader,
) {
  const booking = mailed(row)
  const about = {
    id: change.id,
    proposedBy: change.proposed_by,
    before: change.sale_before,
    after: change.sale_after,
    expiresAt: change.expires_at,
  }
  switch (news.kind) {
    case 'proposed':
      return changeProposedMail(booking, about, news.plan, reader, deps)
    case 'accepted':
      return changeAcceptedMail(booking, about, news.plan, reader, deps)
    case 'paid':
      return changedMail(booking, about, news, reader, deps)
    case 'expired':
      return changeExpiredMail(booking, about, reader, deps)
    case 'declined':
    case 'taken_back':
      return changeDeclinedMail(booking, about, news.kind, reader, deps)
  }
}
