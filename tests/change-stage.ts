import {
  acceptChange,
  type ChangeParty,
  declineChange,
  proposeChange,
} from '../app/features/bookings/changes/commands.server.ts'
import { openChangePayment } from '../app/features/bookings/changes/payment-commands.server.ts'
import {
  findOpenChange,
  findPlan,
  findProposedChange,
} from '../app/features/bookings/changes/queries.server.ts'
import { amountsText, type ProposedEvent } from '../app/features/bookings/changes/rules.ts'
import type { BookingDeps } from '../app/features/bookings/deps.server.ts'
import { findRowByLink } from '../app/features/bookings/row-queries.server.ts'
import { reportPayment } from '../app/features/payments/settlement-commands.server.ts'
import type { aBookingWorld } from './builders.ts'
import { confirms, GOOD_CARD } from './instalment-stage.ts'

/** The steps of a change, as both sides take them on their screens: each side has seen the present amounts. */

type World = Awaited<ReturnType<typeof aBookingWorld>>
export type Changeable = { bookingId: string; linkToken: string }

export const asCustomer = ({ linkToken }: Pick<Changeable, 'linkToken'>): ChangeParty => ({
  side: 'customer',
  by: { linkToken },
})
export const asVendor = (userId: string): ChangeParty => ({ side: 'vendor', userId })

export async function rowOf(world: Pick<World, 'db'>, { linkToken }: Pick<Changeable, 'linkToken'>) {
  const row = await findRowByLink(world.db, linkToken)
  if (!row) throw new Error('There is no such booking.')
  return row
}

/** The amounts that the form shows before a press (`amountsText`); '' if it refuses the change. */
export async function amountsBefore(deps: BookingDeps, booking: Changeable, proposed: ProposedEvent) {
  const { payoutTimes } = deps
  const row = await rowOf(deps, booking)
  const found = await findProposedChange(deps.db, row, proposed, { now: deps.now(), payoutTimes })
  return found.ok ? amountsText(found.after, found.plan) : ''
}

/** Proposes another date, time or number; the rest stays. */
export async function proposes(
  deps: BookingDeps,
  booking: Changeable,
  party: ChangeParty,
  change: Partial<ProposedEvent>,
) {
  const { date, time, quantity } = await rowOf(deps, booking)
  const proposed = { date, time, quantity, ...change }
  const shown = await amountsBefore(deps, booking, proposed)
  return proposeChange(deps, { bookingId: booking.bookingId, party, proposed, expectedAmounts: shown })
}

/** Reads the open proposal as its page shows it. @returns what the buttons of that page do, whatever has happened since */
export async function opensProposal(deps: BookingDeps, booking: Changeable) {
  const { bookingId } = booking
  const change = await findOpenChange(deps.db, bookingId)
  if (!change) throw new Error('There is no open change.')
  const plan = await findPlan(deps.db, await rowOf(deps, booking), change.sale_after, deps.now())
  const shown = plan.ok ? amountsText(change.sale_after, plan) : ''
  return {
    agree: (party: ChangeParty) =>
      acceptChange(deps, { bookingId, changeId: change.id, party, expectedAmounts: shown }),
    decline: (party: ChangeParty) => declineChange(deps, { bookingId, changeId: change.id, party }),
  }
}

/** Agrees to the open proposal. */
export async function agrees(deps: BookingDeps, booking: Changeable, party: ChangeParty) {
  const page = await opensProposal(deps, booking)
  return page.agree(party)
}

/** Declines the open change, or takes it back. */
export async function declines(deps: BookingDeps, booking: Changeable, party: ChangeParty) {
  const page = await opensProposal(deps, booking)
  return page.decline(party)
}

/** Pays the agreed change with a card. */
export async function paysChange(
  world: World,
  { linkToken }: Pick<Changeable, 'linkToken'>,
  card: string = GOOD_CARD,
) {
  const opened = await openChangePayment(world.deps, linkToken)
  if (!opened.ok) throw new Error(JSON.stringify(opened))
  await confirms(world, opened.clientSecret, card)
  return { ...opened, settled: await reportPayment(world.deps, { clientSecret: opened.clientSecret }) }
}
