import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { OUTCOME_MESSAGES, SANDBOX_CARDS } from '../../app/adapters/payments/sandbox-cards.ts'
import { openEmbeddedDatabase } from '../database.ts'
import { startServer } from '../server.ts'
import { arrive, DESKTOP, nextEventDate, OUTSIDE_PAGE, PHONE, payWith, visit } from './browser.ts'
import { openPayment } from './open-payment.ts'
import { joinStage } from './stage.ts'

const stage = joinStage()

/** Goes from the booking form to the card form. */
async function goToPayment(page: Page, name: string): Promise<void> {
  await visit(page, '/book/harbour-light-pavilion')
  await page.getByLabel('Full name').fill(name)
  await page
    .getByRole('group', { name: 'Your Information' })
    .getByLabel('Email')
    .fill(`${name.replaceAll(' ', '.').toLowerCase()}@example.com`)
  await page.getByLabel('Phone').fill('0491 570 110')
  await page.getByLabel('Date').fill(nextEventDate())
  await page.getByLabel('Start time').fill('16:00')
  await page.getByLabel('Number of Attendees').fill('10')
  await page.getByRole('button', { name: 'Proceed to Payment' }).click()
}

const bookingsOf = (customer: string) =>
  stage.server.services.db.selectFrom('bookings').select('id').where('customer_name', '=', customer).execute()

describe('each test card, in the browser', () => {
  const refused = SANDBOX_CARDS.filter(({ outcome }) => outcome !== 'approved' && outcome !== 'challenge')

  it('4242: the payment goes through', async () => {
    const guest = await stage.arrive(PHONE)
    await goToPayment(guest.page, 'Good Card')
    await payWith(guest.page, '4242 4242 4242 4242')
    await guest.page.getByRole('heading', { level: 1, name: 'Thank you, Good' }).waitFor()
    expect(await bookingsOf('Good Card')).toHaveLength(1)
    await guest.leave()
  })

  it.each(refused)(
    '$number ($outcome) is refused with its reason, and a good card works afterwards',
    async (card) => {
      const guest = await stage.arrive(DESKTOP)
      const { page } = guest
      const name = `Card ${card.label.replace(/\W+/g, ' ')}`
      await openPayment(page, name)
      await payWith(page, card.number)
      const alert = page.getByRole('alertdialog').or(page.getByRole('dialog'))
      await alert.getByText(OUTCOME_MESSAGES[card.outcome as keyof typeof OUTCOME_MESSAGES]).waitFor()
      expect(await bookingsOf(name)).toEqual([])
      await page.keyboard.press('Escape')
      await alert.waitFor({ state: 'hidden' })
      await payWith(page, '4242 4242 4242 4242')
      await page.getByRole('heading', { level: 1, name: /^Thank you/ }).waitFor()
      expect(await bookingsOf(name)).toHaveLength(1)
      await guest.leave()
    },
  )

  it('3184: failing the bank’s challenge is refused, approving it pays', async () => {
    const guest = await stage.arrive(PHONE)
    const { page } = guest
    await openPayment(page, 'Asked Card')
    await payWith(page, '4000 0027 6000 3184')
    const challenge = page.getByRole('dialog', { name: 'Your bank asks for your approval' })
    // On a phone it comes up from the bottom edge; without its styles it stood in the top corner.
    await expect
      .poll(async () => {
        const box = await challenge.boundingBox()
        return box && Math.round(box.y + box.height)
      })
      .toBe(PHONE.height)
    await challenge.getByRole('button', { name: 'Fail' }).click()
    await page.getByText(OUTCOME_MESSAGES.challenge_failed).waitFor()
    expect(await bookingsOf('Asked Card')).toEqual([])
    await page.keyboard.press('Escape')
    await payWith(page, '4000 0027 6000 3184')
    await challenge.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('heading', { level: 1, name: 'Thank you, Asked' }).waitFor()
    expect(await bookingsOf('Asked Card')).toHaveLength(1)
    await guest.leave()
  })
})

/** A fake of Stripe's script, which no test loads. It records the calls of our form. */
const STRIPE_STUB = `
window.asked = []
window.Stripe = Object.assign((key) => ({
  elements(options) {
    window.asked.push(['elements', key, options.clientSecret, options.locale])
    let ready
    const element = {
      on(event, handler) { if (event === 'ready') ready = handler; return element },
      mount(target) { target.textContent = 'The card form of Stripe'; setTimeout(() => ready({}), 0) },
      destroy() {},
      focus() { window.asked.push(['focus']) },
    }
    return { create(type, options) { window.asked.push(['create', type, options]); return element }, getElement: () => element }
  },
  async confirmPayment({ confirmParams, redirect }) {
    window.asked.push(['confirmPayment', confirmParams.return_url, redirect])
    return { error: { type: 'card_error', message: 'Your card was declined.' } }
  },
}), { version: 'endive' })
`

describe("Stripe's card form", () => {
  it('loads from Stripe’s site on the payment screen only, and a failure to load is shown', async () => {
    const stripe = await startServer({
      openDatabase: openEmbeddedDatabase,
      listen: true,
      demo: true,
      env: {
        STRIPE_SECRET_KEY: 'sk_test_0000000000',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_0000000000',
        STRIPE_WEBHOOK_SECRET: 'whsec_0000000000',
      },
    })
    const guest = await arrive(stage.browser, stripe.origin, DESKTOP, [
      /The card form couldn’t be loaded/,
      /Failed to load resource: net::ERR_FAILED/,
    ])
    const { page } = guest
    const scripts: string[] = []
    let isThere = false
    await page.route('https://js.stripe.com/**', async (route) => {
      scripts.push(route.request().url())
      if (isThere) await route.fulfill({ contentType: 'text/javascript', body: STRIPE_STUB })
      else await route.abort()
    })
    await page.route('**/create-payment-intent', (route) =>
      route.fulfill({
        json: {
          clientSecret: 'pi_000000000000_secret_000000000000',
          payment: 'pi_000000000000',
          provider: { provider: 'stripe', publishableKey: 'pk_test_0000000000' },
          expiresAt: '2037-01-01T00:00:00Z',
        },
      }),
    )
    await page.route('**/api/hold', (route) => route.fulfill({ json: { expiresAt: '2037-01-01T00:00:00Z' } }))
    await visit(page, '/book/harbour-light-pavilion')
    expect(scripts).toEqual([])
    const policy = (await page.request.get('/', OUTSIDE_PAGE)).headers()['content-security-policy']
    expect(policy).toContain(
      "frame-src 'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
    )

    await goToPayment(page, 'Stripe Card')
    await page.getByText('The card form couldn’t be loaded.', { exact: false }).waitFor()
    expect(scripts.length).toBeGreaterThan(0)
    isThere = true
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The card form of Stripe').waitFor()
    await page.getByRole('button', { name: /^Pay \$/ }).click()
    await page.getByText('Your card was declined.').waitFor()
    expect(await page.evaluate(() => (window as unknown as { asked: unknown }).asked)).toEqual([
      ['elements', 'pk_test_0000000000', 'pi_000000000000_secret_000000000000', 'en-AU'],
      [
        'create',
        'payment',
        { layout: 'tabs', wallets: { applePay: 'never', googlePay: 'never', link: 'never' } },
      ],
      ['confirmPayment', `${stripe.origin}/success`, 'if_required'],
    ])
    await guest.leave()
    await stripe.close()
  })
})
