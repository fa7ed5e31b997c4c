import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findTime } from '../../app/features/availability/slot-queries.server.ts'
import { sendQuote, withdrawQuote } from '../../app/features/quotes/commands.server.ts'
import { bookingDeps } from '../../app/services/deps.server.ts'
import { addDays } from '../../app/shared/dates.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { aGuestConversation, anOffer } from '../builders.ts'
import { bringAxe, findViolations } from './axe.ts'
import { DESKTOP, goOffline, main, OUTSIDE_PAGE, PHONE, payWith, visit, WAIT_MS } from './browser.ts'
import { joinStage } from './stage.ts'

/** A vendor quotes in the inbox. The customer chooses, accepts and pays, by the mailed link alone. */

const stage = joinStage({ newContexts: true })

/** A free Saturday some weeks ahead, near enough to be paid in full. Each test takes its own. */
async function freeSaturday(fromWeek: number): Promise<string> {
  for (let week = fromWeek; ; week++) {
    const day = new Date(Date.now() + week * 7 * DAY_MS)
    day.setUTCDate(day.getUTCDate() + ((6 - day.getUTCDay() + 7) % 7))
    const date = day.toISOString().slice(0, 10)
    const { db, now } = stage.server.services
    const slotRequest = { date, time: '16:00', bookingType: 'perPerson', quantity: 80, minutes: 300 } as const
    const found = await findTime(db, { businessId: BUSINESS, slotRequest, now: now(), exceptPayments: [] })
    if (found?.ok) return date
  }
}

const BUSINESS = 'harbour-light-pavilion'
const CUSTOMER = 'customer@jubilee.example'

async function aTalk() {
  const { services } = stage.server
  const business = await services.db
    .selectFrom('businesses')
    .select(['id', 'user_id'])
    .where('id', '=', BUSINESS)
    .executeTakeFirstOrThrow()
  return aGuestConversation(bookingDeps(services), business)
}

async function writesLine(page: Page, number: number, [what, quantity, price]: [string, string, string]) {
  const nth = number - 1
  await main(page).getByLabel('What', { exact: true }).nth(nth).fill(what)
  await main(page).getByLabel('Quantity').nth(nth).fill(quantity)
  await main(page).getByLabel('Price each').nth(nth).fill(price)
}

async function sendsQuote(page: Page, conversationId: string, date: string) {
  await visit(page, `/dashboard/inbox/${conversationId}`)
  await main(page).getByRole('link', { name: 'Write a quote' }).click()
  await writesLine(page, 1, ['Long-table dinner', '80', '55'])
  await main(page).getByRole('button', { name: 'Add a line' }).click()
  await writesLine(page, 2, ['Floral arch', '1', '450'])
  await main(page).getByLabel('Optional', { exact: true }).nth(1).check()
  await main(page).getByRole('button', { name: 'Add a line' }).click()
  await writesLine(page, 3, ['Waiting staff', '3', '130'])
  await main(page).getByLabel('Day', { exact: true }).fill(date)
  await main(page).getByLabel('Starts').fill('16:00')
  await main(page).getByLabel('Ends').fill('21:00')
  await main(page).getByLabel('Guests').fill('80')
  await main(page)
    .getByLabel('Message to the customer')
    .fill('We would love to have you.\nThe arch is optional.')
  await main(page).getByLabel('Hold the time').selectOption('48')
  await main(page).getByText('Total from $4,790.00').waitFor()
  await main(page).getByRole('button', { name: 'Send the quote' }).click()
  await main(page).getByRole('article', { name: 'Quote, Sent' }).waitFor()
  const { db } = stage.server.services
  const { id } = await db
    .selectFrom('quotes')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .executeTakeFirstOrThrow()
  return id
}

it('a long link in a quote’s note can be followed, and fits a phone', async () => {
  const talk = await aTalk()
  const { user_id: userId } = await stage.server.services.db
    .selectFrom('businesses')
    .select('user_id')
    .where('id', '=', BUSINESS)
    .executeTakeFirstOrThrow()
  const link = `https://harbour-light-pavilion.example/menus/${'a-very-long-name-'.repeat(8)}.pdf`
  const sent = await sendQuote(bookingDeps(stage.server.services), {
    userId,
    conversationId: talk.id,
    version: 1,
    offer: anOffer({
      date: await freeSaturday(6),
      validTo: addDays(new Date().toISOString().slice(0, 10), 3),
      note: `Our menus: ${link}\n${'x'.repeat(200)}`,
    }),
  })
  if (!sent.ok) throw new Error(sent.reason)
  const { page } = await stage.arrive(PHONE)
  await visit(page, `/quotes/${sent.quoteId}/${talk.linkToken}`)
  const shown = main(page).getByRole('link', { name: link })
  expect([await shown.getAttribute('href'), await shown.getAttribute('rel')]).toEqual([
    link,
    'nofollow noopener noreferrer ugc',
  ])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
})

it('a guest on a phone leaves an optional line of $450.00 unticked and pays $4,790.00, and a second tab is refused', async () => {
  const talk = await aTalk()
  const vendor = await stage.arriveAs('vendor@jubilee.example', DESKTOP)
  const quoteId = await sendsQuote(vendor.page, talk.id, await freeSaturday(6))

  const guest = await stage.arrive(PHONE, [/409/, /422/])
  const { page } = guest
  await bringAxe(page)
  const path = `/quotes/${quoteId}/${talk.linkToken}`
  await visit(page, path)
  await main(page).getByRole('heading', { level: 1, name: 'Quote from Harbour Light Pavilion' }).waitFor()
  expect(await findViolations(page, 'the quote')).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
  const other = await page.context().newPage()
  other.setDefaultTimeout(WAIT_MS)
  await visit(other, path)

  expect(await main(page).getByLabel('Floral arch').isChecked()).toBe(false)
  await main(page).getByText('$4,790.00').first().waitFor()
  await main(page).getByLabel('Floral arch').check()
  await main(page).getByText('$5,240.00').first().waitFor()
  await main(page).getByLabel('Floral arch').uncheck()
  await main(page).getByText('$4,790.00').first().waitFor()
  // A reload keeps the choice and the typed number.
  const phone = main(page).getByLabel('Phone')
  await phone.fill('0411 222 333')
  await visit(page, path)
  await main(page).getByText('$4,790.00').first().waitFor()
  expect(await main(page).getByLabel('Floral arch').isChecked()).toBe(false)
  await expect.poll(() => phone.inputValue()).toBe('0411 222 333')
  await phone.fill('')
  // The phone number is missing.
  await main(page).getByRole('button', { name: 'Accept and pay' }).click()
  await main(page).getByRole('alert').waitFor()
  await main(page).getByLabel('Phone').fill('0411 222 333')
  await main(page).getByRole('button', { name: 'Accept and pay' }).click()
  await main(page).getByRole('heading', { name: 'Complete Your Payment' }).waitFor()
  await main(page).getByText('your booking is confirmed once you have paid').waitFor()
  expect(await main(page).getByRole('link', { name: 'Back to the quote' }).getAttribute('href')).toBe(path)

  // The tab that was open before follows, and another choice of it is refused.
  await main(other).getByRole('button', { name: 'Continue to payment' }).waitFor()
  const { origin } = stage.server
  const refused = await page.context().request.post(origin + path, {
    form: {
      intent: 'accept',
      line: '2',
      fullName: 'Kim Lee',
      email: 'kim@example.com',
      phone: '0411 222 333',
    },
    headers: { origin },
    ...OUTSIDE_PAGE,
  })
  expect(refused.status()).toBe(409)
  expect(await refused.text()).toContain('You have accepted this quote with other lines in another tab.')

  await main(page).getByLabel('Card number').waitFor()
  await payWith(page, '4242 4242 4242 4242')
  await page.waitForURL(/\/success/)
  await main(page).getByText('$4,790.00').first().waitFor()
  await visit(other, path)
  await main(other).getByText('You have accepted this quote. Your booking is confirmed.').waitFor()
  await main(other).getByRole('link', { name: 'See your booking' }).click()
  await main(other)
    .getByRole('heading', { level: 1, name: /Harbour Light Pavilion/ })
    .waitFor()

  await visit(vendor.page, `/dashboard/inbox/${talk.id}`)
  await main(vendor.page).getByRole('article', { name: 'Quote, Booked' }).waitFor()
  await visit(vendor.page, `/quotes/${quoteId}`)
  await main(vendor.page).getByText('This is your quote as your customer sees it.').waitFor()
  await guest.leave()
  await vendor.leave()
})

it('without JavaScript a guest updates the total, is told of a changed one, and reaches the payment', async () => {
  const talk = await aTalk()
  const vendor = await stage.arriveAs('vendor@jubilee.example', PHONE)
  const quoteId = await sendsQuote(vendor.page, talk.id, await freeSaturday(6))
  await vendor.leave()
  const context = await stage.browser.newContext({
    baseURL: stage.server.origin,
    viewport: DESKTOP,
    locale: 'en-AU',
    javaScriptEnabled: false,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  await page.goto(`/quotes/${quoteId}/${talk.linkToken}`)
  await main(page).getByLabel('Floral arch').check()
  await main(page).getByLabel('Phone').fill('0411 222 333')
  await main(page).getByRole('button', { name: 'Accept and pay' }).click()
  await main(page).getByText('The total has changed with your choice.').waitFor()
  await main(page).getByText('$5,240.00').first().waitFor()
  await main(page).getByLabel('Floral arch').uncheck()
  await main(page).getByRole('button', { name: 'Update the total' }).click()
  await main(page).getByText('$4,790.00').first().waitFor()
  expect(await main(page).getByLabel('Phone').inputValue()).toBe('0411 222 333')
  await main(page).getByRole('button', { name: 'Accept and pay' }).click()
  await page.waitForURL(/\/payment$/)
  await context.close()
})

it('a time that is sold meanwhile is said before and after the press, with three other times', async () => {
  const talk = await aTalk()
  const vendor = await stage.arriveAs('vendor@jubilee.example', DESKTOP)
  const date = await freeSaturday(6)
  const quoteId = await sendsQuote(vendor.page, talk.id, date)
  await vendor.leave()
  const guest = await stage.arrive(DESKTOP, [/409/, /ERR_FAILED/])
  const { page } = guest
  await visit(page, `/quotes/${quoteId}/${talk.linkToken}`)
  const { db } = stage.server.services
  // A refresh would name the sold time before the press. Seeing the quote for the first time refreshes the page, and so
  // does a live update.
  const stateOf = () => db.selectFrom('quotes').select('state').where('id', '=', quoteId).executeTakeFirst()
  await expect.poll(async () => (await stateOf())?.state).toBe('viewed')
  await page.route('**/api/live*', (route) => route.abort())
  await visit(page, `/quotes/${quoteId}/${talk.linkToken}`)
  await db
    .updateTable('slots')
    .set({ payment_id: 'of-somebody-else', expires_at: null })
    .where('payment_id', '=', quoteId)
    .execute()
  await main(page).getByLabel('Phone').fill('0411 222 333')
  await main(page).getByRole('button', { name: 'Accept and pay' }).click()
  await main(page)
    .getByText(/This time can’t be booked any more/)
    .waitFor()
  expect(await main(page).getByRole('alert').getByRole('listitem').count()).toBe(3)
  await guest.leave()
})

it('an unsent quote outlives a reload and a lost connection, and closing the conversation says first that it withdraws the sent one', async () => {
  const talk = await aTalk()
  const vendor = await stage.arriveAs('vendor@jubilee.example', DESKTOP, [/ERR_INTERNET_DISCONNECTED/])
  const { page } = vendor
  await visit(page, `/dashboard/inbox/${talk.id}`)
  await main(page).getByRole('link', { name: 'Write a quote' }).click()
  await writesLine(page, 1, ['Long-table dinner', '80', '55'])
  await main(page).getByRole('button', { name: 'Add a line' }).click()
  await writesLine(page, 2, ['Floral arch', '1', '450'])
  await main(page).getByLabel('Optional', { exact: true }).nth(1).check()
  await main(page).getByLabel('Message to the customer').fill('The arch is optional.')
  await main(page).getByLabel('Hold the time').selectOption('24')
  await page.reload()
  await main(page).getByText('Total from $4,400.00').waitFor()
  expect(await main(page).getByLabel('What', { exact: true }).nth(1).inputValue()).toBe('Floral arch')
  expect(await main(page).getByLabel('Optional', { exact: true }).nth(1).isChecked()).toBe(true)
  expect(await main(page).getByLabel('Message to the customer').inputValue()).toBe('The arch is optional.')
  expect(await main(page).getByLabel('Hold the time').inputValue()).toBe('24')
  // A press that didn't reach the server loses nothing, and neither does leaving the form then.
  await goOffline(page)
  await main(page).getByRole('button', { name: 'Send the quote' }).click()
  await main(page).getByText('What you filled in is still here.').waitFor()
  await page.context().setOffline(false)
  await main(page).getByRole('link', { name: 'Back to messages' }).click()
  await main(page).getByRole('link', { name: 'Write a quote' }).click()
  await main(page).getByText('Total from $4,400.00').waitFor()
  expect(await main(page).getByLabel('Message to the customer').inputValue()).toBe('The arch is optional.')
  await main(page)
    .getByLabel('Day', { exact: true })
    .fill(await freeSaturday(6))
  await main(page).getByLabel('Starts').fill('16:00')
  await main(page).getByLabel('Ends').fill('21:00')
  await main(page).getByLabel('Guests').fill('80')
  await main(page).getByRole('button', { name: 'Send the quote' }).click()
  await main(page).getByRole('article', { name: 'Quote, Sent' }).waitFor()
  const kept = await page.evaluate(() =>
    Object.keys(sessionStorage).filter((key) => key.startsWith('quote:')),
  )
  expect(kept).toEqual([])
  // The next one begins with what was sent, not with what was kept.
  await main(page).getByRole('link', { name: 'Change the quote' }).click()
  await main(page).getByRole('button', { name: 'Send the new quote' }).waitFor()
  expect(await main(page).getByLabel('Message to the customer').inputValue()).toBe('')

  await visit(page, `/dashboard/inbox/${talk.id}`)
  await main(page).getByLabel('More about this conversation').click()
  await main(page)
    .getByText('Closing or blocking withdraws your open quote and frees the time that it holds.')
    .waitFor()
  await main(page).getByRole('button', { name: 'Close the conversation' }).click()
  await main(page).getByRole('article', { name: 'Quote, Withdrawn' }).waitFor()
  await vendor.leave()
})

it('a customer’s notification of a withdrawn quote is read once they open the conversation, or the quote', async () => {
  const talk = await aTalk()
  const { services } = stage.server
  const { db } = services
  const deps = bookingDeps(services)
  const { id: customerId } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', CUSTOMER)
    .executeTakeFirstOrThrow()
  const { owner_user_id: userId } = await db
    .updateTable('conversations')
    .set({ customer_user_id: customerId, customer_email: CUSTOMER })
    .where('id', '=', talk.id)
    .returning('owner_user_id')
    .executeTakeFirstOrThrow()
  const withdrawn = async (version: number) => {
    const date = await freeSaturday(8)
    const offer = anOffer({ date, validTo: addDays(services.now().toISOString().slice(0, 10), 2) })
    const sent = await sendQuote(deps, { userId, conversationId: talk.id, version, offer })
    if (!sent.ok) throw new Error(JSON.stringify(sent))
    await withdrawQuote(deps, { userId, quoteId: sent.quoteId })
    const isRead = async () => {
      const { read_at } = await db
        .selectFrom('notifications')
        .select('read_at')
        .where('event_key', '=', `quote-withdrawn:${sent.quoteId}`)
        .executeTakeFirstOrThrow()
      return read_at !== null
    }
    return { quoteId: sent.quoteId, isRead }
  }
  const customer = await stage.arriveAs(CUSTOMER, PHONE)
  const first = await withdrawn(1)
  expect(await first.isRead()).toBe(false)
  await visit(customer.page, `/messages/${talk.id}`)
  await expect.poll(first.isRead, { timeout: WAIT_MS }).toBe(true)
  await visit(customer.page, '/')
  const second = await withdrawn(2)
  await visit(customer.page, `/quotes/${second.quoteId}`)
  await expect.poll(second.isRead, { timeout: WAIT_MS }).toBe(true)
  await customer.leave()
})

it('a quote by the hour for an enquiry of 110 guests is filled from the price, and its album waits for a tick', async () => {
  const talk = await aTalk()
  const { db } = stage.server.services
  const [{ price_unit, price_cents } = { price_unit: 'perPerson' as const, price_cents: 0 }] = await db
    .selectFrom('businesses')
    .select(['price_unit', 'price_cents'])
    .where('id', '=', BUSINESS)
    .execute()
  const setPrice = (price: { price_unit: 'perHour' | 'perPerson'; price_cents: number }) =>
    db
      .updateTable('businesses')
      .set({ ...price, booking_types: ['perPerson', 'perHour'], second_price_cents: null })
      .where('id', '=', BUSINESS)
      .execute()
  await setPrice({ price_unit: 'perHour', price_cents: 32_000 })
  await db.updateTable('conversations').set({ guests: 110 }).where('id', '=', talk.id).execute()
  const vendor = await stage.arriveAs('vendor@jubilee.example', PHONE)
  const { page } = vendor
  await visit(page, `/dashboard/inbox/${talk.id}`)
  await main(page).getByRole('link', { name: 'Write a quote' }).click()
  await expect.poll(() => main(page).getByLabel('Guests').inputValue()).toBe('110')
  await main(page)
    .getByLabel('Day', { exact: true })
    .fill(await freeSaturday(6))
  await main(page).getByRole('button', { name: 'Start from my price' }).click()
  await main(page).getByLabel('Starts').fill('13:00')
  // The listing's usual length, until an end is typed.
  await expect.poll(() => main(page).getByLabel('Ends').inputValue()).not.toBe('')
  await main(page).getByLabel('Ends').fill('23:00')
  await main(page).getByText('From 1:00 pm to 11:00 pm · 10 hours · 110 guests').waitFor()
  expect(await main(page).getByLabel('Quantity').inputValue()).toBe('10')
  await main(page).getByText('Total $3,200.00').waitFor()
  await main(page).getByRole('button', { name: 'Add a line' }).click()
  await writesLine(page, 2, ['Album', '1', '450'])
  await main(page).getByLabel('Optional', { exact: true }).nth(1).check()
  await main(page).getByRole('button', { name: 'Send the quote' }).click()
  const sent = main(page).getByRole('article', { name: 'Quote, Sent' })
  await sent.getByText('from $3,200.00').waitFor()
  await vendor.leave()
  await setPrice({ price_unit, price_cents: Number(price_cents) })

  const guest = await stage.arrive(PHONE)
  await visit(guest.page, `/conversations/${talk.linkToken}`)
  const waiting = main(guest.page).getByRole('article', { name: /^Quote, Waiting for you, until \d/ })
  await waiting.getByRole('link', { name: 'See the quote' }).click()
  await main(guest.page).getByText('10 hours · 110 guests').waitFor()
  expect(await main(guest.page).getByLabel('Album').isChecked()).toBe(false)
  await main(guest.page).getByText('$3,200.00').first().waitFor()
  await guest.leave()
})
