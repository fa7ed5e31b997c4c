import { expect, it } from 'vitest'
import { decideBooking } from '../../app/features/bookings/decisions/commands.server.ts'
import { performDueRefunds } from '../../app/features/payments/refund-sending-commands.server.ts'
import { bookingDeps } from '../../app/services/deps.server.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { aBookingForm, aBusiness } from '../builders.ts'
import { DESKTOP, main, PHONE, WAIT_MS } from './browser.ts'
import { bookAndPay } from './paid-booking.ts'
import { joinStage } from './stage.ts'

/** A customer cancels an approved booking of $8,700.00, 20 days ahead, under the policy 'moderate'. */

const stage = joinStage()

async function approvedBooking() {
  const { services } = stage.server
  const deps = bookingDeps(services)
  const business = await aBusiness(services.db, { name: 'The Sail Loft', price_cents: 14_500 })
  const { bookingId, paymentId, path } = await bookAndPay(services, {
    businessId: business.id,
    amountCents: 870_000,
    booking: aBookingForm({
      date: new Date(Date.now() + 20 * DAY_MS).toISOString().slice(0, 10),
      quantity: 60,
    }),
  })
  await decideBooking(deps, { userId: business.user_id, bookingId, decision: 'approved' })
  // The time to change one's mind is over.
  const paidAt = new Date(Date.now() - 5 * DAY_MS)
  await services.db.updateTable('payments').set({ paid_at: paidAt }).where('id', '=', paymentId).execute()
  async function refundedCents(): Promise<number> {
    await performDueRefunds(deps)
    const { provider_reference: reference } = await services.db
      .selectFrom('payments')
      .select('provider_reference')
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow()
    const found = await services.sandbox?.retrieve(reference ?? '')
    return found?.ok ? found.snapshot.refundedCents : -1
  }
  return { path, refundedCents }
}

it('a customer sees what comes back, cancels, and gets exactly that', async () => {
  const { path, refundedCents } = await approvedBooking()
  const { page, leave } = await stage.arrive(PHONE)
  await page.goto(path)
  await main(page).getByRole('link', { name: 'Cancel booking' }).click()
  await page.waitForURL(/\/cancel$/)
  await main(page).getByText('If you cancel now, you get $4,350.00 back.').waitFor()
  expect(await main(page).locator('dl').textContent()).toBe(
    'Paid so far$8,700.00You get back$4,350.00Kept by the vendor under the cancellation policy$4,350.00',
  )
  await main(page).getByRole('button', { name: 'Cancel and refund' }).click()
  await page.waitForURL((url) => url.pathname === path)
  await main(page)
    .getByText('You have cancelled this booking. The Sail Loft keeps $4,350.00', { exact: false })
    .waitFor()
  expect(await main(page).getByRole('link', { name: 'Cancel booking' }).count()).toBe(0)
  expect(await refundedCents()).toBe(435_000)
  await page.goto(`${path}/cancel`)
  await main(page).getByText('This booking no longer takes place').waitFor()
  await leave()
})

it('cancelling works without JavaScript, and an unknown link leads nowhere', async () => {
  const { path, refundedCents } = await approvedBooking()
  const context = await stage.browser.newContext({
    baseURL: stage.server.origin,
    viewport: DESKTOP,
    javaScriptEnabled: false,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  expect((await page.goto(`/bookings/${'x'.repeat(43)}/cancel`))?.status()).toBe(404)
  await page.goto(`${path}/cancel`)
  await main(page).getByRole('button', { name: 'Cancel and refund' }).click()
  await page.waitForURL((url) => url.pathname === path)
  await main(page).getByText('You have cancelled this booking.', { exact: false }).waitFor()
  expect(await refundedCents()).toBe(435_000)
  await context.close()
})
