import { describe, expect, it } from 'vitest'
import { hasSlimFooter } from './slim-footer.ts'

describe('the slim footer', () => {
  it.each([
    '/book/harbour-light-pavilion',
    '/payment',
    '/success',
    '/bookings/token',
    '/bookings/token/pay',
    '/quotes/q/token',
    '/my-bookings',
    '/messages/1',
    '/dashboard',
    '/dashboard/bookings',
    '/operations',
    '/operations/payments/1',
  ])('appears on %s', (path) => {
    expect(hasSlimFooter(path)).toBe(true)
  })

  it.each([
    '/',
    '/venues',
    '/business/payment',
    '/cart',
    '/login',
    '/bookkeeping',
    '/paymentsuccess',
    '/advice-support',
  ])('stays off %s', (path) => {
    expect(hasSlimFooter(path)).toBe(false)
  })
})
