import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { takenOffText } from '../messages.ts'
import type { CustomerBooking } from '../rules.ts'
import { BookingReceipt } from './booking-receipt.tsx'
import { nextSentence, refundSentence, shownAmount } from './booking-status.tsx'

const booking: CustomerBooking = {
  id: 'b1',
  stored: {
    vendorId: 'quay',
    vendorName: 'The Quay',
    customerName: 'Ana Reyes',
    email: 'ana@example.com',
    phone: '0400 000 000',
    date: '2027-03-20',
    time: '16:00',
    quantity: 40,
    bookingType: 'perPerson',
    totalPrice: '1200.50',
    paymentStatus: 'paid',
    paymentId: 'sb_1',
    createdAt: '2027-03-01T01:00:00.000Z',
    status: 'pending',
  },
  refund: null,
  otherRefunds: [],
  refundAccount: null,
  declineReason: null,
  cancellation: null,
  terms: null,
  due: null,
  change: null,
  canWithdraw: true,
  takenOffCents: 0,
  leftCents: 120_050,
  bank: { isDeciding: false, returns: [] },
  decidedBy: '2027-03-03T01:00:00.000Z',
  timeZone: 'Australia/Sydney',
  span: 'Saturday 20 March 2027, 4:00 pm to 11:00 pm, Sydney time',
  event: { from: '2027-03-20T05:00:00.000Z', until: '2027-03-20T12:00:00.000Z' },
  place: 'Sydney NSW',
  stated: [],
  contact: null,
  link: '/bookings/x',
}
it('a booking states what its vendor stated', () => {
  const stated = [
    { label: 'BYO drinks', text: 'Yes' },
    { label: 'Access from', text: '120 minutes before' },
  ]
  const html = renderToStaticMarkup(createElement(BookingReceipt, { booking: { ...booking, stated } }))
  expect(html).toMatch(/<dt[^>]*>BYO drinks<\/dt><dd[^>]*>Yes<\/dd>/)
  expect(html).toMatch(/<dt[^>]*>Access from<\/dt><dd[^>]*>120 minutes before<\/dd>/)
})

it('a booking names what was taken off its price, and otherwise nothing', () => {
  const shown = (takenOffCents: number) =>
    renderToStaticMarkup(createElement(BookingReceipt, { booking: { ...booking, takenOffCents } }))
  expect(shown(20_000)).toMatch(/Taken off the price.*\$200\.00/)
  expect(shown(0)).not.toContain('Taken off')
  expect(takenOffText(20_000)).toBe('of which $200.00 was taken off')
  expect(takenOffText(0)).toBeNull()
})

const refund = {
  state: 'due' as const,
  resolution: null,
  amount: '1200.50',
  waitingCents: 0,
  dueAt: '2027-03-02T01:00:00.000Z',
  doneAt: null,
  reason: 'declined' as const,
}

const now = new Date('2027-03-01T12:00:00.000Z')

describe('sentences to the customer', () => {
  it('name the time by which the vendor will answer, in the venue’s zone', () => {
    // Paid at noon in Sydney, two days before.
    expect(nextSentence(booking, now)).toContain('The Quay will answer by Wednesday 3 March 2027, 12:00 pm.')
  })

  it('promise nothing of an approved booking whose event is over, but a refund', () => {
    const approved = { ...booking, stored: { ...booking.stored, status: 'approved' as const } }
    const over = new Date(booking.event.until)
    expect(nextSentence(approved, over)).toBe('The event is over.')
    expect(nextSentence({ ...approved, otherRefunds: [{ ...refund, state: 'claimed' }] }, over)).toBe(
      'The event is over. Your refund of $1,200.50 is on its way.',
    )
  })

  it('say what is due of an approved booking whose card was refused, and when it ends the booking', () => {
    const approved = { ...booking, stored: { ...booking.stored, status: 'approved' as const } }
    const due = { cents: 96_040, at: '2027-02-18T22:00:00.000Z', endsAt: '2027-03-05T22:00:00.000Z' }
    const sentence = (state: 'reminded' | 'failed' | 'needs_customer' | 'overdue') =>
      nextSentence({ ...approved, due: { ...due, state } }, now)
    expect(sentence('reminded')).toBe('The Quay has confirmed your booking.')
    for (const state of ['failed', 'needs_customer'] as const)
      expect(sentence(state)).toBe(
        'The Quay has confirmed your booking. Your card wasn’t charged, and $960.40 is due. Pay by Saturday 6 March 2027, 9:00 am, or we’ll cancel the booking. Its cancellation terms then say what you get back.',
      )
    expect(sentence('overdue')).toContain('$960.40 is overdue, so your booking is about to end.')
  })

  it('promise nothing for a time that has passed', () => {
    const late = new Date('2027-03-04T12:00:00.000Z')
    expect(nextSentence(booking, late)).toBe('The Quay didn’t answer in time, so you’ll get a full refund.')
    const declined = { ...booking, refund, stored: { ...booking.stored, status: 'declined' as const } }
    expect(nextSentence(declined, late)).toBe(
      'The Quay can’t take this booking. We’re sending your refund of $1,200.50.',
    )
    const approved = { ...booking, stored: { ...booking.stored, status: 'approved' as const } }
    const due = { cents: 96_040, at: '2027-02-18T22:00:00.000Z', state: 'needs_customer' as const }
    for (const endsAt of [null, '2027-02-25T22:00:00.000Z'])
      expect(nextSentence({ ...approved, due: { ...due, endsAt } }, new Date(booking.event.until))).toBe(
        'The event is over. Your card wasn’t charged, and $960.40 is due.',
      )
  })

  it('state how far the refund of a declined booking is', () => {
    const declined = { ...booking, refund, stored: { ...booking.stored, status: 'declined' as const } }
    expect(nextSentence(declined, now)).toBe(
      'The Quay can’t take this booking. We’ll send your refund of $1,200.50 by Tuesday 2 March 2027, 12:00 pm.',
    )
    expect(nextSentence({ ...declined, declineReason: 'The roof leaks.' }, now)).toContain(
      'The Quay can’t take this booking. The reason: ‘The roof leaks.’ We’ll send your refund',
    )
    expect(refundSentence({ ...refund, state: 'claimed' }, booking.timeZone)).toBe(
      'Your refund of $1,200.50 is on its way.',
    )
    expect(
      refundSentence({ ...refund, state: 'done', doneAt: '2027-03-02T02:00:00.000Z' }, booking.timeZone),
    ).toContain('We sent your refund of $1,200.50 on Tuesday 2 March 2027, 1:00 pm')
  })

  it('state who cancelled an approved booking, what is kept, and what is never charged', () => {
    const stored = { ...booking.stored, status: 'withdrawn' as const }
    const amounts = {
      at: '2027-03-02T01:00:00.000Z',
      refundCents: 0,
      keptCents: 24_010,
      uncollectedCents: 96_040,
      reason: null,
    }
    expect(nextSentence({ ...booking, stored, cancellation: { by: 'customer', ...amounts } }, now)).toBe(
      'You have cancelled this booking. The Quay keeps $240.10 under its cancellation policy. $960.40 won’t be charged. You get nothing back.',
    )
    expect(nextSentence({ ...booking, stored, cancellation: { by: 'overdue', ...amounts } }, now)).toContain(
      'This booking was cancelled because its balance wasn’t paid.',
    )
    expect(nextSentence({ ...booking, stored }, now)).toBe('You have withdrawn this booking.')
  })

  it('promise no refund while the bank is deciding about its payment', () => {
    const waits = { ...refund, waitingCents: 120_050 }
    const deciding = { ...booking, bank: { isDeciding: true, returns: [] } }
    const declined = { ...deciding, stored: { ...booking.stored, status: 'declined' as const } }
    const text = 'Your bank is deciding about this payment. If it stays with us, we refund $1,200.50.'
    for (const state of ['due', 'claimed', 'failed'] as const)
      expect(nextSentence({ ...declined, refund: { ...waits, state } }, now)).toBe(
        `The Quay can’t take this booking. ${text}`,
      )
    expect(nextSentence(deciding, now)).toContain(
      'Your bank is deciding about this payment. Until it has, we can’t send a refund of it.',
    )
    // Of two charges, one is disputed.
    const done = { ...refund, state: 'done' as const, waitingCents: 24_010 }
    expect(refundSentence(done, booking.timeZone)).toMatch(
      /^We sent your refund of \$960\.40 on .* Your bank is deciding about this payment\. If it stays with us, we refund \$240\.10\.$/,
    )
  })

  it('say that the bank returned a payment, and promise nothing more', () => {
    const bank = { isDeciding: false, returns: [{ cents: 120_050, at: '2027-03-02T01:00:00.000Z' }] }
    const returned = { ...booking, bank, leftCents: 0 }
    expect(nextSentence(returned, now)).toBe(
      'The Quay will answer by Wednesday 3 March 2027, 12:00 pm. Your bank returned $1,200.50 to you.',
    )
    const stored = { ...booking.stored, status: 'withdrawn' as const }
    const amounts = { at: '2027-03-02T01:00:00.000Z', keptCents: 60_025, uncollectedCents: 0, reason: null }
    const by = 'customer' as const
    for (const refundCents of [0, 60_025])
      expect(nextSentence({ ...returned, stored, cancellation: { by, ...amounts, refundCents } }, now)).toBe(
        'You have cancelled this booking. Your bank returned $1,200.50 to you.',
      )
  })

  it('format numeric strings as money', () => {
    expect(shownAmount('1200.50')).toBe('$1,200.50')
  })
})
