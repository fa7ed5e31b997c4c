import { expect, it } from 'vitest'
import { paymentRow, setBookingStage, world } from '../../../tests/booking-stage.ts'
import { aDepositBusiness, balanceOf, booksWithDeposit } from '../../../tests/instalment-stage.ts'
import type { MailedInstalment } from '../instalments/mails.ts'
import { findSavedCard, mailedInstalment } from '../instalments/queries.server.ts'
import type { MailedBooking } from './frame-mails.ts'
import { mailed } from './notice-commands.server.ts'
import { lockBooking } from './row-queries.server.ts'

setBookingStage()

/** Every field of the two. A new one is listed here, or the compiler complains. */
const BOOKING_FIELDS = {
  id: true,
  businessId: true,
  vendorName: true,
  customerName: true,
  customerEmail: true,
  customerPhone: true,
  date: true,
  time: true,
  timeZone: true,
  span: true,
  place: true,
  quantity: true,
  bookingType: true,
  stated: true,
  totalCents: true,
  takenOffCents: true,
  terms: true,
  paymentId: true,
} as const satisfies Record<keyof MailedBooking, true>
const INSTALMENT_FIELDS = {
  id: true,
  paymentId: true,
  businessId: true,
  vendorName: true,
  customerName: true,
  customerEmail: true,
  span: true,
  timeZone: true,
  amountCents: true,
  dueAt: true,
  card: true,
} as const satisfies Record<keyof MailedInstalment, true>

it('a booking paid in instalments sets each field that its mails state', async () => {
  const { id: businessId } = await aDepositBusiness(world, { facts: '{"byo": true}' })
  const { bookingId, paymentId } = await booksWithDeposit(world, { businessId })
  const row = await world.db.transaction().execute((tx) => lockBooking(tx, bookingId))
  if (!row) throw new Error('no booking')
  const first = await paymentRow(paymentId)
  const balance = await balanceOf(world, paymentId)
  const instalment = mailedInstalment(balance, first, await findSavedCard(world.db, paymentId))
  const isUnset = (value: unknown) => value == null || (Array.isArray(value) && value.length === 0)
  const unset = (fields: object, values: object) =>
    Object.keys(fields).filter((name) => isUnset((values as Record<string, unknown>)[name]))
  expect(unset(BOOKING_FIELDS, mailed(row))).toEqual([])
  expect(unset(INSTALMENT_FIELDS, instalment)).toEqual([])
})
