import { describe, expect, it } from 'vitest'
import { handedTotalCents, newSubmitKey, parseHandoff, toHandoff } from './payment-handoff.ts'

const booking = {
  fullName: 'Ana Reyes',
  email: 'ana@example.com',
  phone: '0400 000 000',
  date: '2027-03-14',
  time: '16:00',
  quantity: 40,
  bookingType: 'perPerson' as const,
}
const vendor = { id: 'quay', name: 'The Quay' }

describe('the hand-off to the payment screen', () => {
  it('survives navigation state unchanged', () => {
    const handoff = toHandoff(booking, 120_050, vendor)
    expect(handoff.totalPrice).toBe('1200.50')
    expect(parseHandoff(structuredClone(handoff))).toEqual(handoff)
    expect(handedTotalCents(handoff)).toBe(120_050)
  })

  it('gets a new submit key for each press', () => {
    expect(toHandoff(booking, 100, vendor).submitKey).not.toBe(toHandoff(booking, 100, vendor).submitKey)
    expect(newSubmitKey()).toMatch(/^[A-Za-z0-9_-]{20,64}$/)
  })

  it.each([
    null,
    undefined,
    'state',
    {},
    { booking, vendor },
    { booking, totalPrice: '10.00' },
    { vendor, totalPrice: '10.00' },
    { booking, vendor, totalPrice: '0.00' },
    { booking, vendor, totalPrice: 'ten' },
    { booking: { ...booking, quantity: '40' }, vendor, totalPrice: '10.00' },
    { booking: { ...booking, bookingType: 'perDay' }, vendor, totalPrice: '10.00' },
    { booking, vendor: { id: 'quay' }, totalPrice: '10.00' },
  ])('refuses the state %j', (state) => {
    expect(parseHandoff(state)).toBeNull()
  })
})
