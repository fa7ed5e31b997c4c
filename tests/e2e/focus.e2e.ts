import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startConversation } from '../../app/features/enquiries/commands.server.ts'
import { enquiryDeps } from '../../app/services/deps.server.ts'
import { newId } from '../../app/shared/ids.ts'
import { DESKTOP, gate, main, visit } from './browser.ts'
import { openPayment } from './open-payment.ts'
import { joinStage } from './stage.ts'

/** The place of the focus after a step: a browser moves the focus of a disabled or removed button to the page's top. */

const CUSTOMER = 'customer@jubilee.example'
const DECLINED_CARD = '4000 0000 0000 0002'

const stage = joinStage()

const expectFocus = (target: Locator) =>
  expect.poll(() => target.evaluate((element) => element === document.activeElement)).toBe(true)

/** Holds the POST requests to a path. @returns how many arrived, and how to let them go on */
async function holdPosts(page: Page, path: string) {
  const held = gate()
  let count = 0
  await page.route(
    ({ pathname }) => pathname.startsWith(path),
    async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      count++
      await held.opened
      await route.continue()
    },
  )
  return { sent: () => count, release: held.open }
}

async function aConversation(): Promise<string> {
  const { services } = stage.server
  const { id } = await services.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', CUSTOMER)
    .executeTakeFirstOrThrow()
  const started = await startConversation(enquiryDeps(services), {
    businessId: 'harbour-light-pavilion',
    wish: 'question',
    eventDate: null,
    guests: null,
    budgetCents: null,
    message: { body: 'Is there a cloakroom?', files: [], submitKey: newId() },
    customer: { userId: id, name: 'Isla Brennan', email: CUSTOMER },
    address: '198.51.100.77',
  })
  if (!started.ok) throw new Error(started.reason)
  return started.conversationId
}

describe('the keyboard focus', () => {
  it('moves to the card’s number after a declined card', async () => {
    const guest = await stage.arrive(DESKTOP)
    const { page } = guest
    await openPayment(page, 'Focus Declined')
    await page.getByLabel('Card number').fill(DECLINED_CARD)
    await page.getByLabel('Expiry date').fill('12 / 30')
    await page.getByLabel('Security code').fill('123')
    const pay = main(page).getByRole('button', { name: /^Pay \$/ })
    await pay.focus()
    const confirmation = await holdPosts(page, '/api/sandbox/confirm')
    await page.keyboard.press('Enter')
    const processing = main(page).getByRole('button', { name: 'Processing...', exact: true })
    await processing.waitFor()
    await expectFocus(processing)
    await page.keyboard.press('Enter')
    confirmation.release()
    const alert = page.getByRole('alertdialog', { name: 'Your card was declined.', exact: true })
    await alert.waitFor()
    await alert.getByText(/^Nothing was charged\. This time is held for you for \d+ more minutes\./).waitFor()
    await page.keyboard.press('Enter')
    await alert.waitFor({ state: 'detached' })
    await expectFocus(page.getByLabel('Card number'))
    expect(confirmation.sent()).toBe(1)
    await guest.leave()
  })

  it('stays in a message’s text once it is sent, and two quick presses send it once', async () => {
    const id = await aConversation()
    const customer = await stage.arriveAs(CUSTOMER, DESKTOP)
    const { page } = customer
    await visit(page, `/messages/${id}`)
    const text = main(page).getByRole('textbox', { name: /^Message to / })
    const sent = main(page).getByRole('log', { name: 'Messages' })
    const post = await holdPosts(page, `/messages/${id}`)
    await text.fill('Ninety coats, we think.')
    await main(page).getByRole('button', { name: 'Send' }).dblclick()
    await expectFocus(main(page).getByRole('button', { name: 'Sending...' }))
    await page.keyboard.press('Enter')
    post.release()
    await sent.getByText('Ninety coats, we think.').waitFor()
    await expectFocus(text)
    expect(await text.inputValue()).toBe('')
    expect(post.sent()).toBe(1)
    await customer.leave()
  })

  it('stays in a field where Enter is pressed twice, which sends its form once', async () => {
    const guest = await stage.arrive(DESKTOP)
    const { page } = guest
    await visit(page, '/help')
    const email = page.getByRole('contentinfo').getByLabel('Email')
    const post = await holdPosts(page, '/newsletter')
    await email.fill('enter.twice@example.com')
    await email.press('Enter')
    await page.getByRole('contentinfo').getByRole('button', { name: 'Submitting', disabled: true }).waitFor()
    await email.press('Enter')
    await expectFocus(email)
    post.release()
    await page.getByRole('contentinfo').getByRole('button', { name: 'Subscribe' }).waitFor()
    await expectFocus(email)
    expect(post.sent()).toBe(1)
    await guest.leave()
  })

  it('stays with a shortlist’s entry once its note is saved, and moves to the next when one is removed', async () => {
    const guest = await stage.arrive(DESKTOP)
    const { page } = guest
    for (const business of ['harbour-light-pavilion', 'riverbend-rooms']) {
      await visit(page, `/business/${business}`)
      await main(page)
        .getByRole('button', { name: /^Save .* to your shortlist$/ })
        .first()
        .click()
      await page.getByText(/saved to your shortlist\.$/).waitFor()
    }
    await visit(page, '/shortlist')
    const entries = main(page)
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { level: 3 }) })
    const [first, second] = [entries.first(), entries.nth(1)]
    await expect.poll(() => entries.count()).toBe(2)
    await first.getByText('Add a note').click()
    await first.getByLabel('Note').fill('Ask about the rain plan')
    const save = first.getByRole('button', { name: 'Save the note' })
    await save.focus()
    await page.keyboard.press('Enter')
    const summary = first.locator('summary', { hasText: 'Change the note' })
    await summary.waitFor()
    await expectFocus(summary)

    const kept = await second.getByRole('heading').innerText()
    await first.getByRole('button', { name: /^Remove / }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => entries.count()).toBe(1)
    await expect(first.getByRole('heading').innerText()).resolves.toBe(kept)
    await expectFocus(first)

    await first.getByRole('button', { name: /^Remove / }).focus()
    await page.keyboard.press('Enter')
    await main(page).getByRole('heading', { name: 'Nothing on your shortlist yet' }).waitFor()
    await expectFocus(main(page).getByRole('button', { name: 'Undo' }))
    await guest.leave()
  })
})
