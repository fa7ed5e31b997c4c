import { describe, expect, it } from 'vitest'
import { csvRows } from '../../../shared/csv.ts'
import type { InstalmentState } from '../../sales/plan-rules.ts'
import { type RefundView, type StoredBooking, toListedBooking, type VendorBooking } from '../rules.ts'
import {
  BOOKING_COLUMNS,
  bookingCells,
  filterBookings,
  listQuery,
  readListFilter,
  shownBookings,
  stepsIn,
  type VendorPlace,
} from './vendor-list-rules.ts'

const place = (changes: Partial<VendorPlace>): VendorPlace => ({
  id: 'ana',
  status: 'pending',
  name: 'Ana Reyes',
  date: '2027-03-20',
  time: '16:00',
  timeZone: 'Australia/Melbourne',
  waits: changes.status === undefined || changes.status === 'pending',
  isUntold: false,
  decideBy: '2027-03-12T00:00:00.000Z',
  ...changes,
})

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
    waiting: null,
    cancellation: null,
    off: { refundedCents: 0, ourCents: 0, isGone: true, takenOffCents: 0 },
    payments: null,
    leftCents: 0,
    bank: { isDeciding: false, returns: [] },
    due: null,
    change: null,
    canChange: false,
    left: null,
    timeZone: 'Australia/Melbourne',
    decisions: [],
  }
}

describe('filterBookings', () => {
  const ana = place({})
  const zoe = place({ name: 'Zoë Ångström', status: 'approved' })

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

  it('lists undecided bookings by the time that is left to answer them, and all others as they come', () => {
    const soon = place({ id: 'soon', decideBy: '2027-03-10T02:00:00.000Z' })
    expect(filterBookings([ana, soon], { status: 'pending', name: '' })).toEqual([soon, ana])
    expect(filterBookings([ana, soon], { status: 'all', name: '' })).toEqual([ana, soon])
  })

  it('keeps a decline that can be undone in the list in which it was pressed', () => {
    const untold = place({ id: 'untold', status: 'declined', isUntold: true })
    const told = place({ id: 'told', status: 'declined' })
    const idsOf = (status: 'pending' | 'approved' | 'declined') =>
      filterBookings([untold, told, ana], { status, name: '' }).map(({ id }) => id)
    expect(idsOf('pending')).toEqual(['untold', 'ana'])
    expect(idsOf('declined')).toEqual(['untold', 'told'])
    expect(idsOf('approved')).toEqual([])
  })
})

describe('the address of the list', () => {
  const read = (query: string) => readListFilter(new URLSearchParams(query))

  it('holds the business, the filter and how much is shown', () => {
    const query = listQuery('the-quay', { status: 'approved', name: ' Zoë & Co ' }, 2)
    expect(query).toBe('?business=the-quay&status=approved&name=Zo%C3%AB+%26+Co&more=2')
    expect(read(query)).toEqual({ status: 'approved', name: 'Zoë & Co' })
  })

  it('needs no query for the whole list', () => {
    expect(listQuery(null, { status: 'all', name: ' ' })).toBe('')
    expect(read('')).toEqual({ status: 'all', name: '' })
  })

  it('filters nothing by a status that the list doesn’t have', () => {
    expect(read('?status=withdrawn').status).toBe('all')
    expect(read('?status=toString').status).toBe('all')
    expect(read(`?name=${'x'.repeat(500)}`).name).toHaveLength(200)
  })
})

describe('shownBookings', () => {
  const now = new Date('2027-03-10T00:00:00.000Z')
  const old = Array.from({ length: 60 }, (_, index) =>
    place({ id: `old-${index}`, status: 'approved', date: '2026-03-20' }),
  )
  const show = (places: VendorPlace[], steps = 0) => shownBookings(places, { steps, now }).map(({ id }) => id)

  it('begins with the newest, and adds as many with each step', () => {
    expect(show(old)).toEqual(old.slice(0, 25).map(({ id }) => id))
    expect(show(old, 1)).toHaveLength(50)
    expect(show(old, 2)).toHaveLength(60)
  })

  it('includes every booking that waits, however long ago it was made, in the order of the list', () => {
    const unpaid = place({ id: 'unpaid', status: 'approved', date: '2027-06-01', waits: true })
    // More events come sooner than this one.
    const soon = Array.from({ length: 5 }, (_, index) =>
      place({ id: `soon-${index}`, status: 'approved', date: '2027-03-15' }),
    )
    expect(show([...old, place({ id: 'pending' }), unpaid, ...soon]).slice(25)).toEqual([
      'pending',
      'unpaid',
      ...soon.map(({ id }) => id),
    ])
  })

  it('includes the next five events, today’s with them', () => {
    const ahead = ['2027-09-01', '2027-08-01', '2027-07-01', '2027-06-01', '2027-05-01', '2027-03-10'].map(
      (date) => place({ id: date, status: 'approved', date }),
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

describe('a row of the CSV', () => {
  const rowOf = (each: VendorBooking) => csvRows([bookingCells(each)])

  it('contains the booking, its customer and its payment', () => {
    expect(rowOf(booking({}))).toBe(
      '2027-03-20,16:00,pending,Ana Reyes,ana@example.com,0400 000 000,The Quay,40,person,1200.50,paid,sb_1,2027-03-01T01:00:00.000Z,,,,,,1200.50,\r\n',
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
    const row = rowOf(cancelled)
    expect(row).toMatch(/^2027-03-20,16:00,cancelled,/)
    expect(row).toMatch(/,customer,2027-03-02T01:00:00\.000Z,610\.25,,,1200\.50,\r\n$/)
    const changed: RefundView = { ...refund, reason: 'changed' }
    const afterChange = rowOf({
      ...booking({}),
      otherRefunds: [changed],
      off: { refundedCents: 0, ourCents: 0, isGone: true, takenOffCents: 5_000 },
      bank: { isDeciding: false, returns: [{ cents: 120_050, at: '2027-03-02T01:00:00.000Z' }] },
    })
    expect(afterChange, 'a change has lowered the total already').toMatch(/,,50\.00,1200\.50,1200\.50,\r\n$/)
    const ours = rowOf({
      ...booking({}),
      otherRefunds: [{ ...refund, amount: '10.00', reason: 'operator' }],
      off: { refundedCents: 0, ourCents: 1_000, isGone: true, takenOffCents: 0 },
    })
    expect(ours, 'a refund that we bear costs the vendor nothing').toMatch(/,,,,1200\.50,\r\n$/)
    // The record of the specification keeps its four statuses.
    expect(cancelled.stored.status).toBe('withdrawn')
  })

  it('says what is paid and what is still due of a price in parts', () => {
    const deposit = { cents: 24_010, at: '2027-03-01T01:00:00.000Z', state: 'paid' } as const
    const moneyOf = (state: InstalmentState, more: Partial<VendorBooking> = {}) => {
      const balance = { cents: 96_040, at: '2027-03-10T01:00:00.000Z', state }
      const cells = bookingCells({ ...booking({}), payments: [deposit, balance], ...more })
      const columns = ['Payment', 'Paid (AUD)', 'Still due (AUD)'] as const
      return columns.map((column) => cells[BOOKING_COLUMNS.indexOf(column)])
    }
    expect(moneyOf('scheduled')).toEqual(['deposit paid', '240.10', '960.40'])
    expect(moneyOf('failed')).toEqual(['balance unpaid', '240.10', '960.40'])
    expect(moneyOf('overdue')).toEqual(['balance overdue', '240.10', '960.40'])
    expect(moneyOf('ended')).toEqual(['deposit paid', '240.10', ''])
    expect(moneyOf('paid')).toEqual(['paid', '1200.50', ''])
    const { stored } = booking({ paymentStatus: 'refunded' })
    expect(moneyOf('ended', { stored })).toEqual(['refunded', '240.10', ''])
    const bank = { isDeciding: false, returns: [{ cents: 120_050, at: '2027-03-02T01:00:00.000Z' }] }
    expect(moneyOf('paid', { bank })).toEqual(['returned by the bank', '1200.50', ''])
  })

  it('escapes texts that would be formulas or break the table', () => {
    const row = rowOf(booking({ customerName: '=1+1', phone: '+61 400', vendorName: 'Tea, "cake"' }))
    expect(row).toContain(",'=1+1,")
    expect(row).toContain(",'+61 400,")
    expect(row).toContain(',"Tea, ""cake""",')
  })
})
