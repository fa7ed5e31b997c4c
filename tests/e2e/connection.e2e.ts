import type { BrowserContext, Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { aBookingForm } from '../builders.ts'
import { sampleOfThisRun } from '../sample.ts'
import { scriptOf } from '../server.ts'
import { goOffline, hydrated, main, nextEventDate, PHONE, payWith, USUAL_SIZES, visit } from './browser.ts'
import { preparePages, type Visits } from './pages.ts'
import { bookAndPay } from './paid-booking.ts'
import { openStage } from './stage.ts'
import { addPictures, aPicture, fillListing, fillRegistration } from './vendor-forms.ts'

/** A lost connection loses nothing: the page and typed values stay, and the page explains what failed. */

const CUSTOMER = 'customer@jubilee.example'
const VENDOR = 'vendor@jubilee.example'
/** Console errors of requests that these tests let fail. */
const LET_FAIL = [/ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to load resource/]
const ACCOUNT_LOST = 'The login service can’t be reached. Check your connection and try again.'
const FORM_LOST =
  'The connection failed, so this may not have reached us. What you filled in is still here. Check your connection and try again.'
const SERVER_ERROR = /Something went wrong on our side/

const stage = openStage({ newContexts: true })
let visits: Visits
beforeAll(async () => {
  visits = await preparePages(stage.server.services)
})

const arrive = (size = PHONE) => stage.arrive(size, LET_FAIL)
const arriveAs = (email: string, size = PHONE) => stage.arriveAs(email, size, LET_FAIL)
const pathOf = (page: Page) => new URL(page.url()).pathname
const lost = (page: Page) => page.getByRole('status').filter({ hasText: 'Connection lost.' })
const notice = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

type Fault = {
  name: string
  cut(page: Page, context: BrowserContext): Promise<() => Promise<void>>
}

/** Gives every request for data or a document a faulty answer until the returned function is called. */
async function faultEach(page: Page, answer: (route: Route) => Promise<void>): Promise<() => Promise<void>> {
  const isData = (url: URL) =>
    url.pathname.endsWith('.data') || !/\.|\/api\/|\/illustrations/.test(url.pathname)
  await page.route(isData, answer)
  return () => page.unroute(isData)
}

const OFFLINE: Fault = {
  name: 'without a network',
  async cut(page, context) {
    await goOffline(page)
    return () => context.setOffline(false)
  },
}
const PROXY: Fault = {
  name: 'behind a proxy that has lost the server',
  cut: (page) =>
    faultEach(page, (route) =>
      route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>503 Service Unavailable</h1>' }),
    ),
}
const BROKEN_OFF: Fault = {
  name: 'with a truncated response',
  cut: (page) =>
    faultEach(page, (route) =>
      route.fulfill({ status: 200, contentType: 'text/x-script', body: '[{"_1":2},"ro' }),
    ),
}

describe.each(USUAL_SIZES)('a link pressed without a connection, at $width px', (size) => {
  it('keeps the page and typed values, explains why, and continues once the connection is back', async () => {
    const visitor = await arrive(size)
    const { page, context } = visitor
    await visit(page, '/login')
    await main(page).getByLabel('Email', { exact: true }).fill('grace@example.com')
    await goOffline(page)
    await main(page).getByRole('link', { name: 'Sign Up' }).click()
    await lost(page).waitFor()
    expect(pathOf(page)).toBe('/login')
    expect(await page.getByText(SERVER_ERROR).count()).toBe(0)
    expect(await main(page).getByLabel('Email', { exact: true }).inputValue()).toBe('grace@example.com')
    await main(page).getByRole('heading', { level: 1, name: 'Log In' }).waitFor()
    await context.setOffline(false)
    await page.waitForURL((url) => url.pathname === '/signup')
    await main(page).getByRole('heading', { level: 1, name: 'Sign Up' }).waitFor()
    await lost(page).waitFor({ state: 'detached' })
    await visitor.leave()
  })

  it('continues without a document load if the page’s script was loaded before', async () => {
    const visitor = await arrive(size)
    const { page, context } = visitor
    await visit(page, '/signup')
    await main(page).getByRole('link', { name: 'Log In' }).click()
    await page.waitForURL((url) => url.pathname === '/login')
    let documents = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents += 1
    })
    await goOffline(page)
    await main(page).getByRole('link', { name: 'Sign Up' }).click()
    await lost(page).waitFor()
    await context.setOffline(false)
    await page.waitForURL((url) => url.pathname === '/signup')
    await lost(page).waitFor({ state: 'detached' })
    expect(documents).toBe(0)
    await visitor.leave()
  })

  it('stops waiting when the person types, stays, or presses another link', async () => {
    const visitor = await arrive(size)
    const { page, context } = visitor
    await visit(page, '/signup')
    await main(page).getByRole('link', { name: 'Log In' }).click()
    await page.waitForURL((url) => url.pathname === '/login')
    const email = main(page).getByLabel('Email', { exact: true })
    await goOffline(page)
    await main(page).getByRole('link', { name: 'Sign Up' }).click()
    await lost(page).waitFor()
    await email.fill('grace@example.com')
    await lost(page).waitFor({ state: 'detached' })

    await main(page).getByRole('link', { name: 'Sign Up' }).click()
    await lost(page).getByRole('button', { name: 'Stay here' }).click()
    await lost(page).waitFor({ state: 'detached' })

    await main(page).getByRole('link', { name: 'Sign Up' }).click()
    await lost(page).waitFor()
    await main(page).getByRole('link', { name: 'Forgot your password?' }).click()
    await lost(page).waitFor()
    expect(await email.inputValue()).toBe('grace@example.com')
    await context.setOffline(false)
    await page.waitForURL((url) => url.pathname === '/forgot-password')
    await visitor.leave()
  })

  it('lets Back keep the page, too, and opens the previous one once the connection is back', async () => {
    const visitor = await arrive(size)
    const { page, context } = visitor
    await visit(page, '/signup')
    await main(page).getByRole('link', { name: 'Log In' }).click()
    await page.waitForURL((url) => url.pathname === '/login')
    await goOffline(page)
    await main(page).getByRole('link', { name: 'Forgot your password?' }).click()
    await lost(page).waitFor()
    await page.goBack()
    await main(page).getByRole('heading', { level: 1, name: 'Log In' }).waitFor()
    await lost(page).waitFor()
    await context.setOffline(false)
    await main(page).getByRole('heading', { level: 1, name: 'Sign Up' }).waitFor()
    expect(pathOf(page)).toBe('/signup')
    await hydrated(page)
    await page.goForward()
    await main(page).getByRole('heading', { level: 1, name: 'Log In' }).waitFor()
    await visitor.leave()
  })

  it('lets Back open the previous page even before the scripts of a reloaded one have arrived', async () => {
    const visitor = await arrive(size)
    const { page } = visitor
    await visit(page, '/signup')
    await main(page).getByRole('link', { name: 'Log In' }).click()
    await page.waitForURL((url) => url.pathname === '/login')
    const held = Promise.withResolvers<void>()
    await page.route('**/assets/entry.client-*', async (route) => {
      await held.promise
      await route.continue().catch(() => {})
    })
    await page.reload({ waitUntil: 'commit' })
    await main(page).getByRole('heading', { level: 1, name: 'Log In' }).waitFor()
    await page.goBack({ waitUntil: 'commit' })
    held.resolve()
    await main(page).getByRole('heading', { level: 1, name: 'Sign Up' }).waitFor()
    await hydrated(page)
    expect(pathOf(page)).toBe('/signup')
    await visitor.leave()
  })

  it('doesn’t bring a page to life that Back has left, when its last script arrives before the previous page', async () => {
    const visitor = await arrive(size)
    const { page } = visitor
    await visit(page, '/signup')
    await main(page).getByRole('link', { name: 'Log In' }).click()
    await page.waitForURL((url) => url.pathname === '/login')
    const script = Promise.withResolvers<void>()
    const document = Promise.withResolvers<void>()
    await page.route('**/assets/entry.client-*', async (route) => {
      await script.promise
      await route.continue().catch(() => {})
    })
    await page.reload({ waitUntil: 'commit' })
    // All but the last script have run, so it can't be stopped any more by taking them out of the document.
    await page.waitForFunction(() => '__reactRouterRouteModules' in window)
    await page.route('**/signup', async (route) => {
      await document.promise
      await route.continue().catch(() => {})
    })
    const asked = page.waitForRequest((request) => request.isNavigationRequest())
    await page.evaluate(() => history.back())
    await asked
    const arrived = page.waitForResponse(/entry\.client-/)
    script.resolve()
    await arrived
    // Long enough for the script to run, which nothing reports if it does nothing.
    await new Promise((done) => setTimeout(done, 500))
    document.resolve()
    await main(page).getByRole('heading', { level: 1, name: 'Sign Up' }).waitFor()
    await hydrated(page)
    await visitor.leave()
  })

  it.each([PROXY, BROKEN_OFF])('$name: the page stays, and Try again opens the next one', async ({ cut }) => {
    const visitor = await arrive(size)
    const { page, context } = visitor
    await visit(page, '/signup')
    await main(page).getByRole('link', { name: 'Log In' }).click()
    await page.waitForURL((url) => url.pathname === '/login')
    const mend = await cut(page, context)
    await main(page).getByRole('link', { name: 'Sign Up' }).click()
    await lost(page).waitFor()
    expect(pathOf(page)).toBe('/login')
    await mend()
    await lost(page).getByRole('button', { name: 'Try again' }).click()
    await page.waitForURL((url) => url.pathname === '/signup')
    await lost(page).waitFor({ state: 'detached' })
    await visitor.leave()
  })

  it('retries by itself while the browser believes it is connected', async () => {
    const visitor = await arrive(size)
    const { page, context } = visitor
    await visit(page, '/signup')
    await main(page).getByRole('link', { name: 'Log In' }).click()
    await page.waitForURL((url) => url.pathname === '/login')
    await page.clock.install()
    const mend = await PROXY.cut(page, context)
    await main(page).getByRole('link', { name: 'Sign Up' }).click()
    await lost(page).waitFor()
    await mend()
    await page.clock.runFor(2_000)
    await page.waitForURL((url) => url.pathname === '/signup')
    await visitor.leave()
  })

  it('keeps typed values inside the account', async () => {
    const customer = await arriveAs(CUSTOMER, size)
    const { page, context } = customer
    await visit(page, '/my-profile')
    const field = main(page).getByRole('textbox', { name: 'Your name' })
    await field.fill('Grace H.')
    await page.getByText('Change my email').click()
    await main(page).getByLabel('New email').fill('grace@example.com')
    await goOffline(page)
    await main(page).getByRole('link', { name: 'Notifications' }).click()
    await lost(page).waitFor()
    await field.waitFor()
    expect(await field.inputValue()).toBe('Grace H.')
    expect(await main(page).getByLabel('New email').inputValue()).toBe('grace@example.com')
    await context.setOffline(false)
    await page.waitForURL((url) => url.pathname === '/notifications')
    await customer.leave()
  })
})

describe('a refresh without a connection', () => {
  it('keeps the list, shows that it may be out of date, and refreshes it later', async () => {
    const vendor = await arriveAs(VENDOR)
    const { page } = vendor
    await visit(page, '/dashboard/calendar')
    const isData = (url: URL) => url.pathname.endsWith('/dashboard/calendar.data')
    // Lost until a press, so that no later update refreshes the page instead.
    await page.evaluate(() => {
      addEventListener('click', () => document.body.classList.add('pressed'), { capture: true, once: true })
    })
    await page.route(isData, async (route) =>
      (await page.locator('body.pressed').count()) ? route.continue() : route.abort('failed'),
    )
    await bookAndPay(stage.server.services, {
      businessId: 'harbour-light-pavilion',
      amountCents: 145_000,
      booking: aBookingForm({ fullName: 'Ines Duarte', date: nextEventDate() }),
    })
    const note = page.getByRole('status').filter({ hasText: 'This page may be out of date' })
    await note.waitFor()
    await main(page).getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByText(SERVER_ERROR).count()).toBe(0)
    // There is one notice, not two.
    expect(await lost(page).count()).toBe(0)
    await note.getByRole('button', { name: 'Try again' }).click()
    await note.waitFor({ state: 'detached' })
    await vendor.leave()
  })
})

describe('a script that never arrives', () => {
  it('gives way to a document load of its destination after 120 s', async () => {
    const visitor = await arrive()
    const { page } = visitor
    await visit(page, '/login')
    await page.clock.install()
    const asked = page.waitForRequest(scriptOf('routes/account/signup'))
    await page.route(scriptOf('routes/account/signup'), () => {})
    await main(page).getByRole('link', { name: 'Sign Up' }).click()
    await asked
    await page.clock.runFor(119_000)
    expect(pathOf(page)).toBe('/login')
    const loaded = page.waitForRequest((request) => request.isNavigationRequest())
    await page.clock.runFor(1_000)
    expect(new URL((await loaded).url()).pathname).toBe('/signup')
    await visitor.leave()
  })
})

type Form = {
  name: string
  /** The signed-in account, or none. */
  as?: string
  path: string | (() => string)
  fill(page: Page): Promise<void>
  send(page: Page): Promise<void>
  said: string
  kept(page: Page): Promise<string[]>
}

const press = (button: string) => (page: Page) =>
  main(page).getByRole('button', { name: button, exact: true }).click()
const valuesOf = (page: Page, ...labels: string[]) =>
  Promise.all(labels.map((label) => main(page).getByLabel(label, { exact: true }).inputValue()))

const FORMS: (Form & { keeps: string[] })[] = [
  {
    name: 'logging in',
    path: '/login',
    async fill(page) {
      await main(page).getByLabel('Email', { exact: true }).fill(CUSTOMER)
      await main(page).getByLabel('Password', { exact: true }).fill('celebrate')
    },
    send: press('Log In'),
    said: ACCOUNT_LOST,
    kept: (page) => valuesOf(page, 'Email', 'Password'),
    keeps: [CUSTOMER, 'celebrate'],
  },
  {
    name: 'signing up',
    path: '/signup',
    async fill(page) {
      await main(page).getByLabel('Your name').fill('Oda Lind')
      await main(page).getByLabel('Email', { exact: true }).fill('oda.lind@example.com')
      await main(page).getByLabel('Password', { exact: true }).fill('long enough')
    },
    send: press('Sign Up'),
    said: ACCOUNT_LOST,
    kept: (page) => valuesOf(page, 'Your name', 'Email', 'Password'),
    keeps: ['Oda Lind', 'oda.lind@example.com', 'long enough'],
  },
  {
    name: 'asking for a new password',
    path: '/forgot-password',
    fill: (page) => main(page).getByLabel('Email', { exact: true }).fill(CUSTOMER),
    send: press('Send the link'),
    said: ACCOUNT_LOST,
    kept: (page) => valuesOf(page, 'Email'),
    keeps: [CUSTOMER],
  },
  {
    name: 'changing the profile',
    as: CUSTOMER,
    path: '/my-profile',
    fill: (page) => main(page).getByRole('textbox', { name: 'Your name' }).fill('Grace H.'),
    send: press('Save'),
    said: ACCOUNT_LOST,
    kept: (page) => valuesOf(page, 'Your name'),
    keeps: ['Grace H.'],
  },
  {
    name: 'changing the password',
    as: CUSTOMER,
    path: '/settings-privacy',
    async fill(page) {
      await main(page).getByLabel('Current password', { exact: true }).fill('celebrate')
      await main(page).getByLabel('New password', { exact: true }).fill('long enough')
    },
    send: press('Change the password'),
    said: ACCOUNT_LOST,
    kept: (page) => valuesOf(page, 'Current password', 'New password'),
    keeps: ['celebrate', 'long enough'],
  },
  {
    name: 'writing a review',
    as: CUSTOMER,
    path: () => visits.customer.find((path) => path.endsWith('/review')) ?? '',
    async fill(page) {
      await main(page).getByRole('radio', { name: '4 stars' }).check({ force: true })
      await main(page).getByLabel('How was it?').fill('Light on the water.')
    },
    send: press('Send the review'),
    said: FORM_LOST,
    kept: (page) =>
      main(page)
        .getByLabel('How was it?')
        .inputValue()
        .then((text) => [text]),
    keeps: ['Light on the water.'],
  },
  {
    name: 'registering a business',
    as: CUSTOMER,
    path: '/dashboard/register-business',
    async fill(page) {
      await fillRegistration(page, { name: 'Oda Lind', email: 'oda.lind@example.com' })
      await page.getByLabel('ABN').fill('51824753556')
    },
    send: press('Register Business'),
    said: 'Failed to register: we couldn’t be reached. Check your connection and try again.',
    kept: (page) => valuesOf(page, 'Business name', 'Date of birth'),
    keeps: ['Nia & Co', '1990-02-03'],
  },
  {
    name: 'listing a business',
    as: VENDOR,
    path: '/dashboard/list-business/new',
    async fill(page) {
      await fillListing(page, 'Fernery for Failing')
      await addPictures(page, [await aPicture('first.png', '#2f5d50')])
    },
    send: press('Submit'),
    said: 'Error submitting business. Please try again. We couldn’t be reached. Check your connection.',
    kept: (page) => valuesOf(page, 'Name'),
    keeps: ['Fernery for Failing'],
  },
]

describe.each([OFFLINE, PROXY])('a form sent $name', ({ cut }) => {
  it.each(sampleOfThisRun(FORMS, 1 / 3))(
    '$name: reports that the connection failed, and keeps typed values',
    async (form) => {
      const person = form.as ? await arriveAs(form.as) : await arrive()
      const { page, context } = person
      await visit(page, typeof form.path === 'string' ? form.path : form.path())
      await form.fill(page)
      const before = pathOf(page)
      const mend = await cut(page, context)
      await form.send(page)
      await page.getByText(form.said).first().waitFor()
      expect(pathOf(page)).toBe(before)
      expect(await form.kept(page)).toEqual(form.keeps)
      expect(await page.getByText(SERVER_ERROR).count()).toBe(0)
      await mend()
      await person.leave()
    },
  )

  it('subscribing to the newsletter: reports it in the footer, and keeps the address', async () => {
    const visitor = await arrive()
    const { page, context } = visitor
    await visit(page, '/')
    const footer = page.getByRole('contentinfo')
    const scripted = page.waitForResponse(scriptOf('routes/site/newsletter'))
    await footer.getByLabel('Email').fill('letter@example.com')
    await scripted
    const mend = await cut(page, context)
    await footer.getByRole('button', { name: 'Subscribe' }).click()
    await footer.getByText('Subscription failed. Please try again.', { exact: true }).waitFor()
    await footer.getByText('We couldn’t be reached. Check your connection.').waitFor()
    expect(await footer.getByLabel('Email').inputValue()).toBe('letter@example.com')
    await mend()
    await footer.getByRole('button', { name: 'Subscribe' }).click()
    await footer.getByText('Thank you for subscribing!').waitFor()
    await visitor.leave()
  })

  it('deciding on a booking: reports it, and keeps the list', async () => {
    const vendor = await arriveAs(VENDOR)
    const { page, context } = vendor
    await bookAndPay(stage.server.services, {
      businessId: 'harbour-light-pavilion',
      amountCents: 145_000,
      booking: aBookingForm({ fullName: 'Ines Duarte', date: nextEventDate() }),
    })
    await visit(page, '/dashboard/bookings')
    const approve = page.getByRole('button', { name: 'Approve' }).first()
    await approve.waitFor()
    const mend = await cut(page, context)
    await approve.click()
    await page.getByText('Error updating status. We couldn’t be reached. Check your connection.').waitFor()
    await approve.waitFor()
    await mend()
    await vendor.leave()
  })
})

describe('a form that could not be sent', () => {
  it('goes out with the next press, and its message disappears', async () => {
    const visitor = await arrive()
    const { page, context } = visitor
    await visit(page, '/login')
    await main(page).getByLabel('Email', { exact: true }).fill(CUSTOMER)
    await main(page).getByLabel('Password', { exact: true }).fill('celebrate')
    await goOffline(page)
    await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
    await notice(page, ACCOUNT_LOST).waitFor()
    await context.setOffline(false)
    await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
    await page.waitForURL(`${stage.server.origin}/`)
    expect(await notice(page, ACCOUNT_LOST).count()).toBe(0)
    await visitor.leave()
  })

  it('shows the failure in that form only, on a page with several', async () => {
    const customer = await arriveAs(CUSTOMER)
    const { page } = customer
    await visit(page, '/settings-privacy')
    await goOffline(page)
    await main(page).getByRole('button', { name: 'Save', exact: true }).click()
    await notice(page, FORM_LOST).waitFor()
    expect(
      await page
        .getByRole('alert')
        .filter({ hasText: /connection/i })
        .count(),
    ).toBe(1)
    const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Save', exact: true }) })
    await form.getByRole('alert').filter({ hasText: FORM_LOST }).waitFor()
    await customer.leave()
  })

  it('leads from the booking form to the payment screen, which offers to try again and reports a declined card', async () => {
    const guest = await arrive()
    const { page, context } = guest
    await visit(page, '/book/harbour-light-pavilion')
    await main(page).getByLabel('Full name').fill('Grace Holloway')
    await main(page).getByLabel('Email').fill('grace@example.com')
    await main(page).getByLabel('Phone').fill('0491 570 110')
    await main(page).getByLabel('Date').fill(nextEventDate())
    await main(page).getByLabel('Start time').fill('16:00')
    await main(page).getByLabel('Number of Attendees').fill('10')
    await goOffline(page)
    await main(page).getByRole('button', { name: 'Proceed to Payment' }).click()
    await page.waitForURL(/\/payment$/)
    await page.getByText('Failed to initialize payment. Try again.').first().waitFor()
    expect(await page.getByText(SERVER_ERROR).count()).toBe(0)
    // The script of dialogs couldn't be fetched, so the first dialog is shown only now.
    await context.setOffline(false)
    const failed = page.getByRole('alertdialog', { name: 'Failed to initialize payment. Try again.' })
    await failed.getByRole('button', { name: 'OK' }).click()
    await page.getByRole('button', { name: 'Try again' }).click()
    await payWith(page, '4000 0000 0000 0002')
    await page.getByRole('alertdialog', { name: 'Your card was declined.' }).waitFor()
    await guest.leave()
  })
})

describe('a new listing whose answer was lost', () => {
  const NEW = '/dashboard/list-business/new'
  const listings = async (name: string) =>
    stage.server.services.db
      .selectFrom('businesses')
      .select(['id', 'description', 'deleted_at'])
      .where('name', '=', name)
      .execute()

  /** Submits the form. The server gets it and publishes, but its answer is lost. */
  async function loseAnswer(page: Page): Promise<void> {
    const isSubmission = (url: URL) => url.pathname.startsWith(NEW)
    await page.route(isSubmission, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.abort('failed')
    })
    await press('Submit')(page)
    await page.getByText('Error submitting business. Please try again.').first().waitFor()
    await page.unroute(isSubmission)
  }
  async function reloadForm(page: Page): Promise<void> {
    await visit(page, NEW)
    await page.getByText('We kept what you typed earlier.').waitFor()
  }

  it('appears once after a reload, keeps its pictures, and takes later changes', async () => {
    const vendor = await arriveAs(VENDOR)
    const { page } = vendor
    await visit(page, NEW)
    await fillListing(page, 'Fernery Listed Once')
    await addPictures(page, [await aPicture('first.png', '#2f5d50')])
    await loseAnswer(page)
    expect(await listings('Fernery Listed Once')).toHaveLength(1)
    await reloadForm(page)
    await page.getByLabel('Description').fill('A glasshouse for ninety.')
    await loseAnswer(page)
    await reloadForm(page)
    await press('Submit')(page)
    await page.waitForURL('**/dashboard/list-business')
    expect(await listings('Fernery Listed Once')).toMatchObject([{ description: 'A glasshouse for ninety.' }])

    // The next form is another listing's.
    await visit(page, NEW)
    await fillListing(page, 'Fernery Listed Once')
    await press('Submit')(page)
    await page.waitForURL('**/dashboard/list-business')
    expect(await listings('Fernery Listed Once')).toHaveLength(2)
    await vendor.leave()
  })

  it('becomes another listing under another name, and the first stays as it is', async () => {
    const vendor = await arriveAs(VENDOR)
    const { page } = vendor
    await visit(page, NEW)
    await fillListing(page, 'Fernery By The Sea')
    await loseAnswer(page)
    await reloadForm(page)
    await page.getByLabel('Name', { exact: true }).fill('Fernery On The Hill')
    await press('Submit')(page)
    await page.waitForURL('**/dashboard/list-business')
    expect(await listings('Fernery By The Sea')).toHaveLength(1)
    expect(await listings('Fernery On The Hill')).toHaveLength(1)
    await vendor.leave()
  })

  it('becomes another listing after Start again, or once the first is deleted', async () => {
    const vendor = await arriveAs(VENDOR)
    const { page } = vendor
    await visit(page, NEW)
    await fillListing(page, 'Fernery Listed Again')
    await loseAnswer(page)
    await reloadForm(page)
    await press('Start again')(page)
    await fillListing(page, 'Fernery Listed Again')
    await loseAnswer(page)
    expect(await listings('Fernery Listed Again')).toHaveLength(2)

    await stage.server.services.db
      .updateTable('businesses')
      .set({ deleted_at: new Date(), images: '[]' })
      .where('name', '=', 'Fernery Listed Again')
      .execute()
    await reloadForm(page)
    await press('Submit')(page)
    await page.getByText('Error submitting business. Please try again.').first().waitFor()
    await press('Submit')(page)
    await page.waitForURL('**/dashboard/list-business')
    const left = (await listings('Fernery Listed Again')).filter((listing) => !listing.deleted_at)
    expect(left).toHaveLength(1)
    await vendor.leave()
  })
})
