import { describe, expect, it } from 'vitest'
import { misplacedFiles } from './feature-structure.ts'

describe('the check of file names and folders', () => {
  it.each([
    'features/bookings/rules.ts',
    'features/bookings/month-layout-rules.ts',
    'features/bookings/settlement-commands.server.ts',
    'features/bookings/histories.test.ts',
    'features/bookings/screens/payment-screen.tsx',
    'features/bookings/screens/payment-sections.tsx',
    'features/bookings/components/booking-form.tsx',
    'features/bookings/components/booking-form.css',
    'features/bookings/browser/use-way-back.ts',
    'features/bookings/browser/booking-draft.ts',
    'ui/button.tsx',
    'shared/money.test.ts',
    'shared/signed-cookie.server.ts',
    'features/payments/providers.server.ts',
    'routes/checkout/book.tsx',
    'routes/public-pages.ts',
    'adapters/anything/at-all.ts',
  ])('accepts %s', (path) => {
    expect(misplacedFiles([path])).toEqual([])
  })

  it.each([
    'features/loose.ts',
    'features/bookings/queries.ts',
    'features/bookings/booking-form.tsx',
    'features/bookings/settlement.server.ts',
    'features/bookings/hooks/use-way-back.ts',
    'features/bookings/components/booking-csv.ts',
    'features/bookings/components/use-way-back.ts',
    'features/bookings/components/parts/booking-form.tsx',
    'features/bookings/components/payment-screen.tsx',
    'features/bookings/components/BookingForm.tsx',
    'features/bookings/screens/payment.tsx',
    'features/bookings/browser/booking-form.tsx',
    'features/bookings/browser/storage.ts',
    'features/bookings/browser/use-way-back.server.ts',
    'features/bookings/components/index.tsx',
    'ui/form-utils.ts',
    'shared/money.tsx',
    'shell/parts/header.tsx',
    'routes/shop/book.tsx',
    'routes/checkout/parts/book.tsx',
  ])('names %s', (path) => {
    expect(misplacedFiles([path])).toEqual([path])
  })

  it('names a test of a component that is no longer there', () => {
    const test = 'features/bookings/components/booking-status.test.ts'
    expect(misplacedFiles([test])).toEqual([test])
    expect(misplacedFiles([test, 'features/bookings/components/booking-status.tsx'])).toEqual([])
  })
})
