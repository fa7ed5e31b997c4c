import type { Page } from 'playwright-core'
import { toHandoff } from '../../app/features/bookings/checkout/browser/payment-handoff.ts'
import { aBookingForm } from '../builders.ts'
import { nextEventDate } from './browser.ts'

/**
 * Opens the payment screen with the hand-off of a valid booking form, for tests whose subject starts there. The booking
 * is for ten people at Harbour Light Pavilion.
 */
export async function openPayment(page: Page, fullName: string): Promise<void> {
  const email = `${fullName.replaceAll(' ', '.').toLowerCase()}@example.com`
  const booking = aBookingForm({ fullName, email, date: nextEventDate() })
  const vendor = { id: 'harbour-light-pavilion', name: 'Harbour Light Pavilion' }
  // React Router keeps a navigation's state in the history, where a reload finds it.
  await page.goto('/robots.txt')
  await page.evaluate(
    (state) => window.history.pushState({ usr: state, key: 'booked', idx: 1 }, '', '/payment'),
    toHandoff(booking, 145_000, vendor),
  )
  await page.reload()
}
