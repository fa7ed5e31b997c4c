import { describe, expect, it } from 'vitest'
import { type RefundView, type StoredBooking, toListedBooking, type VendorBooking } from './rules.ts'
import { bookingsCsv, filterBookings, shownBookings, stepsIn } from './vendor-list-rules.ts'

function booking(changes: Partial<StoredBooking>): VendorBooking {
  const stored: StoredBooking = {
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
    ...changes,
  }
  const span = 'Saturday 20 March 2027, 4:00 pm to 11:00 pm, Sydney time'
  return {
    id: stored.paymentId,
    stored,
    listed: toListedBooking(stored),
    span,
    refund: null,
    otherRefunds: [],
    declineReason: null,
    cancellation: null,
    paidCents: 0,
    due: null,
    change: null,
    canChange: false,
    timeZone: 'Australia/Melbourne',
    decisions: [],
  }
}

const ana = booking({})
const zoe = booking({ customerName: 'Zoë Ångström', status: 'approved' })

describe('filterBookings', () => {
  it.each([
    ['all', '', [ana, zoe]],
    ['pending', '', [ana]],
    ['declined', '', []],
    ['all', ' zoe ', [zoe]],
    ['all', 'ANGSTROM', [zoe]],
    ['pending', 'zoe', []],
  ] as const)('filters by the status %s and the name "%s"', (status, name, found) => {
    expect(filterBookings([ana, zoe], { status, name })).toEqual(found)
  })
})

describe('shownBookings', () => {
  const now = '2027-03-10T00:00:00.000Z'
  const old = Array.from({ length: 60 }, (_, index) =>
    booking({ paymentId: `old-${index}`, status: 'approved', date: '2026-03-20' }),
  )
  const show = (bookings: VendorBooking[], steps = 0) =>
    shownBookings(bookings, { steps, now }).map(({ id }) => id)

  it('begins with the newest, and adds as many with each step', () => {
    expect(show(old)).toEqual(old.slice(0, 25).map(({ id }) => id))
    expect(show(old, 1)).toHaveLength(50)
    expect(show(old, 2)).toHaveLength(60)
  })

  it('has what waits, however long ago it was booked, in the order of the list', () => {
    const unpaid = { ...booking({ paymentId: 'unpaid', status: 'approved', date: '2027-06-01' }) }
    unpaid.due = { standing: 'failing' } as VendorBooking['due']
    const changing = { ...booking({ paymentId: 'changing', status: 'approved', date: '2027-06-01' }) }
    changing.change = { id: 'change' } as VendorBooking['change']
    const pending = booking({ paymentId: 'pending' })
    // More events come sooner than these two.
    const soon = Array.from({ length: 5 }, (_, index) =>
      booking({ paymentId: `soon-${index}`, status: 'approved', date: '2027-03-15' }),
    )
    expect(show([...old, pending, unpaid, changing, ...soon]).slice(25)).toEqual([
      'pending',
      'unpaid',
      'changing',
      ...soon.map(({ id }) => id),
    ])
  })

  it('has the next five events, today’s with them', () => {
    const ahead = ['2027-09-01', '2027-08-01', '2027-07-01', '2027-06-01', '2027-05-01', '2027-03-10'].map(
      (date) => booking({ paymentId: date, status: 'approved', date }),
    )
    expect(show([...old, ...ahead]).slice(25)).toEqual(ahead.slice(1).map(({ id }) => id))
  })

  it.each([
    [null, 0],
    ['3', 3],
    ['99', 40],
    ['-1', 0],
    ['1e9', 0],
    ['x', 0],
  ])('reads %s as %i steps', (text, steps) => {
    expect(stepsIn(text)).toBe(steps)
  })
})

describe('bookingsCsv', () => {
  it('writes a row for each booking', () => {
    expect(bookingsCsv([ana]).split('\r\n')[1]).toBe(
      '2027-03-20,16:00,pending,Ana Reyes,ana@example.com,0400 000 000,The Quay,40,person,1200.50,paid,sb_1,2027-03-01T01:00:00.000Z,,,',
    )
  })

  it('says of a cancelled booking by whom and when, with its refunds', () => {
    const refund = { amount: '600.25', state: 'done', reason: 'withdrawn' } as RefundView
    const cancelled: VendorBooking = {
      ...booking({ status: 'withdrawn' }),
      cancellation: {
        by: 'customer',
        at: '2027-03-02T01:00:00.000Z',
        refundCents: 60_025,
        keptCents: 60_025,
        uncollectedCents: 0,
        reason: null,
      },
      refund,
      otherRefunds: [{ ...refund, amount: '10.00', reason: 'operator' }],
    }
    const row = bookingsCsv([cancelled]).split('\r\n')[1] ?? ''
    expect(row).toMatch(/^2027-03-20,16:00,cancelled,/)
    expect(row).toMatch(/,customer,2027-03-02T01:00:00\.000Z,610\.25$/)
    // The record of the specification keeps its four statuses.
    expect(cancelled.stored.status).toBe('withdrawn')
  })

  it('escapes texts that would be formulas or break the table', () => {
    const row = bookingsCsv([booking({ customerName: '=1+1', phone: '+61 400', vendorName: 'Tea, "cake"' })])
    expect(row).toContain(",'=1+1,")
    expect(row).toContain(",'+61 400,")
    expect(row).toContain(',"Tea, ""cake""",')
  })
})
