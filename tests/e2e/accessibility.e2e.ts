import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { issueLink } from '../../app/adapters/accounts/account-links.server.ts'
import { newPlaceholderEmail } from '../../app/shared/placeholder-email.ts'
import { aUser } from '../builders.ts'
import { ageProofs } from '../proofs.ts'
import { bringAxe, findViolations } from './axe.ts'
import { main, nextEventDate, payWith, USUAL_SIZES, visit } from './browser.ts'
import { showFewBusinesses } from './pages.ts'
import { openStage } from './stage.ts'

const stage = openStage()
beforeAll(() => showFewBusinesses(stage.server.services.db))

// All logins come from one address, more often than its limit allows.
beforeEach(async () => {
  await sql`delete from sign_in_limits`.execute(stage.server.services.db)
})

describe.each(USUAL_SIZES)('no rule of axe is broken at $width px', (size) => {
  it('in any state of a visit that ends with a booking', async () => {
    const visitor = await stage.arrive(size, [/402|404/])
    const { page } = visitor
    await bringAxe(page)
    const found: string[] = []
    const look = async (state: string) => void found.push(...(await findViolations(page, state)))

    await visit(page, '/business/harbour-light-pavilion')
    await main(page).getByRole('button', { name: 'Add to Cart' }).click()
    await page.getByText('added to cart!').waitFor()
    await look('a toast')
    const header = page.getByRole('banner')
    if (size.width <= 768) {
      await header.getByRole('button', { name: 'Open menu' }).click()
      await page.getByRole('dialog', { name: 'Menu' }).waitFor()
      await look('the drawer')
      await page.keyboard.press('Escape')
    } else {
      await header.getByRole('button', { name: 'Categories' }).click()
      await look('the categories')
      await page.keyboard.press('Escape')
    }
    await header.getByRole('button', { name: 'Open search' }).click()
    await look('the search')
    await header.getByRole('searchbox', { name: 'Search venues and vendors' }).fill('har')
    await header.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await look('suggestions')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await header.getByRole('link', { name: /^Cart/ }).click()
    await main(page).getByRole('link', { name: 'Book Harbour Light Pavilion' }).waitFor()
    await look('a cart')
    await main(page).getByRole('button', { name: 'Clear the cart' }).click()
    await main(page).getByRole('button', { name: 'Undo' }).waitFor()
    await look('a cleared cart')

    const contents = page.getByRole('contentinfo')
    await contents.getByLabel('Email').fill(`axe-${size.width}@example.com`)
    await contents.getByRole('button', { name: 'Subscribe' }).click()
    await contents.getByText('Thank you for subscribing!').waitFor()
    await look('a newsletter answer')

    await visit(page, '/book/no-such-business')
    await page.getByRole('alertdialog').waitFor()
    await look('an alert')

    await visit(page, '/business/harbour-light-pavilion?guests=500&date=2020-02-01')
    await main(page).getByLabel('Date').scrollIntoViewIfNeeded()
    await main(page).getByText('This vendor takes at most 220 guests.').waitFor()
    await main(page).getByText('The nearest free days:').waitFor()
    await look('a day and a number that can’t be booked')
    await main(page).getByLabel('Guests').fill('90')
    await main(page)
      .getByRole('button', { name: /, free$/ })
      .first()
      .click()
    await main(page)
      .getByText(/^Free on /)
      .waitFor()
    await look('a free day and its total')

    await visit(page, '/book/harbour-light-pavilion')
    await look('an empty booking form')
    await main(page).getByRole('button', { name: 'Proceed to Payment' }).click()
    await look('a booking form with errors')
    await main(page).getByLabel('Full name').fill('Grace Holloway')
    await main(page).getByLabel('Email').fill('grace@example.com')
    await main(page).getByLabel('Phone').fill('0491 570 110')
    await main(page).getByLabel('Date').fill(nextEventDate())
    await main(page).getByLabel('Start time').fill('16:00')
    await main(page).getByRole('radio', { name: '4:00 – 11:00 pm' }).waitFor()
    await main(page).getByText('(7 hours)').waitFor()
    await look('free days and times')
    await main(page).getByLabel('Start time').fill('23:30')
    await main(page).getByText('The nearest free times:').waitFor()
    await look('a time that is refused')
    await main(page).getByLabel('Start time').fill('16:00')
    await main(page).getByRole('button', { name: 'Proceed to Payment' }).click()
    await main(page)
      .getByRole('button', { name: /^Pay \$/ })
      .waitFor()
    await look('the payment')
    await payWith(page, '4000 0000 0000 0002')
    await page.getByRole('alertdialog').waitFor()
    await look('a refused card')
    await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
    await payWith(page, '4242 4242 4242 4242')
    await main(page).getByRole('heading', { name: 'Thank you, Grace' }).waitFor()
    await look('the success screen')
    await main(page).getByRole('link', { name: 'See your booking' }).click()
    await page.waitForURL(/\/bookings\//)
    await main(page).getByRole('heading', { level: 1 }).waitFor()
    await look('the booking')
    expect(found.join('\n')).toBe('')
    await visitor.leave()
  })

  it('in forms with errors, with invalid links and for closed accounts', async () => {
    const person = await stage.arrive(size, [/4\d\d \(/])
    const { page } = person
    await bringAxe(page)
    const found: string[] = []
    const look = async (state: string) => void found.push(...(await findViolations(page, state)))
    const send = async (path: string, button: string) => {
      await visit(page, path)
      await main(page).getByRole('button', { name: button, exact: true }).click()
      await main(page).locator('[aria-invalid=true]').first().waitFor()
      await look(`${path} with errors`)
    }
    await send('/login', 'Log In')
    await send('/signup', 'Sign Up')
    await send('/forgot-password', 'Send the link')
    await send('/reset-password?token=no-such-token', 'Change the password')
    await main(page).getByLabel('New password').fill('long enough for us')
    await main(page).getByRole('button', { name: 'Change the password' }).click()
    await main(page).getByRole('alert').waitFor()
    await look('an invalid link')
    for (const path of ['/verify-email', '/undo-email-change']) {
      await visit(page, `${path}?token=no-such-token`)
      await main(page).getByRole('alert').waitFor()
      await look(`${path} with a dead link`)
    }
    const { db } = stage.server.services
    const mailedLink = async (user: { id: string; email: string }) => {
      const link = { kind: 'verify-email', userId: user.id, email: user.email, now: new Date() } as const
      return `/verify-email?token=${await issueLink(db, link)}`
    }
    await send(await mailedLink(await aUser(db, { email_verified: false })), 'Confirm my email')
    await main(page).getByRole('button', { name: 'Use this address for a new account' }).click()
    await main(page).getByRole('heading', { level: 1, name: 'Sign Up' }).waitFor()
    await look('an address that is free for a new account')
    await visit(page, '/newsletter/unsubscribe')
    await main(page).getByRole('button', { name: 'Unsubscribe' }).click()
    await main(page).getByRole('alert').waitFor()
    await look('a newsletter that did not end')

    const email = `over-${size.width}@example.com`
    await visit(page, '/signup')
    await main(page).getByLabel('Your name').fill('Imogen Hale')
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill('long enough')
    await main(page).getByRole('button', { name: 'Sign Up' }).click()
    await page.waitForURL(`${stage.server.origin}/`)
    await send('/dashboard/register-business', 'Register Business')
    await visit(page, '/my-profile')
    await main(page).getByLabel('Your name').fill('')
    await main(page).getByRole('button', { name: 'Save' }).click()
    await main(page).locator('[aria-invalid=true]').first().waitFor()
    await look('a profile with errors')
    await send('/settings-privacy', 'Change the password')
    await ageProofs(db, 11, email)
    await send('/confirm-deletion', 'Delete my account')
    const user = await db
      .selectFrom('users')
      .select(['id', 'email'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await visit(page, await mailedLink(user))
    await main(page).getByRole('button', { name: 'Confirm my email' }).waitFor()
    await look('an address that can be confirmed')
    const setEmail = (columns: { email: string; detached_email: string | null }) =>
      db.updateTable('users').set(columns).where('id', '=', user.id).execute()
    await setEmail({ email: newPlaceholderEmail(), detached_email: email })
    await visit(page, '/my-profile')
    await page.waitForURL(/new-email/)
    await send('/new-email', 'Send the link')
    await setEmail({ email, detached_email: null })

    await visit(page, '/confirm-deactivation')
    await main(page)
      .getByRole('button', { name: /Deactivate/ })
      .click()
    await page.waitForURL(/account-closed/)
    await visit(page, '/login')
    await main(page).getByLabel('Email', { exact: true }).fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill('long enough')
    await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
    await main(page).getByRole('button', { name: 'Reactivate my account' }).waitFor()
    await look('an account that is deactivated')
    // The page submits its form on its own. Here, that request never completes.
    await page.route('**/logout*', (route) =>
      route.request().method() === 'POST' ? undefined : route.continue(),
    )
    await visit(page, '/logout')
    await look('signing out')
    expect(found.join('\n')).toBe('')
    await person.leave()
  })

  it('in a listing with errors, and where a time is no longer held', async () => {
    const vendor = await stage.arriveAs('vendor@jubilee.example', size, [/4\d\d \(/])
    const { page } = vendor
    await bringAxe(page)
    const found: string[] = []
    const look = async (state: string) => void found.push(...(await findViolations(page, state)))
    await visit(page, '/dashboard/list-business/new')
    await main(page).locator('form').getByRole('button').last().waitFor()
    await main(page).locator('button[type=submit]').click()
    await main(page).locator('[aria-invalid=true]').first().waitFor()
    await look('a listing with errors')

    await page.clock.install()
    await visit(page, '/book/harbour-light-pavilion')
    await main(page).getByLabel('Full name').fill('Grace Holloway')
    await main(page).getByLabel('Email').fill('grace@example.com')
    await main(page).getByLabel('Phone').fill('0491 570 110')
    await main(page).getByLabel('Date').fill(nextEventDate())
    await main(page).getByLabel('Start time').fill('16:00')
    await main(page).getByRole('button', { name: 'Proceed to Payment' }).click()
    await page.getByRole('timer').waitFor()
    await page.clock.fastForward('15:00')
    await main(page).getByRole('heading', { name: 'This time is no longer held for you' }).waitFor()
    await look('a time that is no longer held')
    expect(found.join('\n')).toBe('')
    await vendor.leave()
  })

  it('in the menu of a signed-in user', async () => {
    const vendor = await stage.arriveAs('vendor@jubilee.example', size)
    const { page } = vendor
    await bringAxe(page)
    await visit(page, '/events')
    const header = page.getByRole('banner')
    if (size.width <= 768) await header.getByRole('button', { name: 'Open menu' }).click()
    else await header.getByRole('button', { name: /^Account of/ }).click()
    await page.getByText('Settings & Privacy').filter({ visible: true }).first().waitFor()
    expect((await findViolations(page, 'the menu')).join('\n')).toBe('')
    await vendor.leave()
  })

  it('on a vendor’s calendar and availability screens', async () => {
    const vendor = await stage.arriveAs('vendor@jubilee.example', size)
    const { page } = vendor
    await bringAxe(page)
    const found: string[] = []
    const look = async (state: string) => void found.push(...(await findViolations(page, state)))
    const business = 'business=harbour-light-pavilion'
    await stage.server.services.db.deleteFrom('calendar_feeds').execute()

    await visit(page, `/dashboard/calendar?${business}`)
    for (const view of ['Agenda', 'Month']) {
      await main(page).getByText(view, { exact: true }).click()
      await look(`the calendar, ${view}`)
    }
    await main(page)
      .getByRole('button', { name: /, 1 blocked/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Block time' }).waitFor()
    await look('a day')
    await page.getByRole('dialog').getByRole('button', { name: 'Block time' }).click()
    await page.getByRole('dialog', { name: 'Block time' }).getByLabel('Last day').fill('')
    await page.getByRole('dialog').getByRole('button', { name: 'Block this time' }).click()
    await look('blocking with an error')

    await visit(page, `/dashboard/availability?${business}`)
    await look('the availability')
    await main(page).getByText('Guests, set-up, notice and more').click()
    await main(page).getByLabel('Bookings at once').fill('0')
    await main(page).getByRole('button', { name: 'Add hours on Friday' }).click()
    await main(page).getByRole('button', { name: 'Save', exact: true }).click()
    await look('the availability with errors')
    await main(page).getByRole('button', { name: 'Copy Monday’s hours to other days' }).click()
    await look('copying hours')
    await page.keyboard.press('Escape')
    await main(page).getByRole('button', { name: 'Add days off or other hours' }).click()
    await page
      .getByRole('dialog', { name: 'Days off or other hours' })
      .getByText('Open', { exact: true })
      .click()
    await look('special dates')
    await page.keyboard.press('Escape')
    await main(page).getByRole('button', { name: 'Make a secret address' }).click()
    await main(page).getByLabel('Your secret address').waitFor()
    await look('a secret address')
    expect(found.join('\n')).toBe('')
    await vendor.leave()
  })
})
