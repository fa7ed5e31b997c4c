import { existsSync, statfsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { expect, onTestFailed } from 'vitest'
import { newId } from '../../app/shared/ids.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { QUOTED_DATE } from '../conversation-stage.ts'
import { sampleOfThisRun } from '../sample.ts'
import { browserProgram } from './browser-program.ts'

/** Lanes share the machine, so a slow page is not yet a failure. */
export const WAIT_MS = 30_000

export const PHONE = { width: 390, height: 844 }
export const DESKTOP = { width: 1440, height: 900 }
/** For tests that no layout decides: a phone, and a desktop too by night. */
export const USUAL_SIZES = process.env.NIGHT ? [PHONE, DESKTOP] : [PHONE]
/** For tests that a layout decides: a phone or a desktop, drawn anew in each run, and both in `.ci/run`. */
export const EITHER_SIZE = sampleOfThisRun([PHONE, DESKTOP], 1 / 2)

/**
 * Launches a real browser: the machine's own Chrome or Chromium, or the Chromium from npm.
 * @param switches additional command-line switches
 */
export async function openBrowser(switches: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: await browserProgram(),
    // The package's own arguments are not used: they run everything in one process, which crashes when a context
    // closes, and disable web security, which sometimes drops cookies from a navigation.
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-quic', ...switches],
    // Playwright defaults to the disk, for containers with little shared memory.
    ...(hasSharedMemory() ? { ignoreDefaultArgs: ['--disable-dev-shm-usage'] } : {}),
    headless: true,
  })
}

/** Whether the browser can use shared memory, which is faster than files on disk. 512 MB are plenty. */
function hasSharedMemory(): boolean {
  if (!existsSync('/dev/shm')) return false
  const { bavail, bsize } = statfsSync('/dev/shm')
  return bavail * bsize > 512 * 1_048_576
}

/** Draws WebGL in software, for the map. Without them, a browser of the tests has none. */
export const WEBGL_SWITCHES = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
] as const

const FIRST_WEEK = 27
/** Vendors can be booked up to two years ahead, so later dates would be refused. */
const LAST_WEEK = 100
let datesGiven = 0

/**
 * Returns another date each time, since a venue's date can be booked once. All files of one worker share the dates: a week apart, from
 * half a year to almost two years ahead, and then the same weeks one weekday later.
 */
export function nextEventDate(): string {
  const weeks = LAST_WEEK - FIRST_WEEK + 1
  const days = (FIRST_WEEK + (datesGiven % weeks)) * 7 + Math.floor(datesGiven / weeks)
  datesGiven += 1
  const date = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
  return date === QUOTED_DATE ? nextEventDate() : date
}

export type Person = { page: Page; context: BrowserContext; leave(): Promise<void> }

/**
 * Opens a browser context for a person. Any console error and any exception in the page fails the test when
 * they leave.
 * @param expectedErrors console errors that the test causes, such as failed requests
 * @param options further options of the context, such as cookies
 */
export async function arrive(
  browser: Browser,
  origin: string,
  viewport: { width: number; height: number },
  expectedErrors: RegExp[] = [],
  options: BrowserContextOptions = {},
): Promise<Person> {
  const context = await openContext(browser, origin, { ...options, viewport })
  return meet(await context.newPage(), expectedErrors, () => context.close())
}

/** Opens a context of a person in Melbourne. A narrow one has a touch screen. */
export function openContext(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  return browser.newContext({
    ...options,
    baseURL: origin,
    locale: 'en-AU',
    timezoneId: 'Australia/Melbourne',
    hasTouch: isNarrow(options.viewport),
  })
}

/** Whether a phone or a tablet has a window of this size. */
export const isNarrow = (viewport: { width: number } | null | undefined) => (viewport?.width ?? 0) < 769

/** The person at an open page. `leave` calls `close` and counts their errors as in `arrive`. */
export function meet(page: Page, expectedErrors: RegExp[], close: () => Promise<void>): Person {
  page.setDefaultTimeout(WAIT_MS)
  onTestFailed(async ({ task }) => {
    if (page.isClosed()) return
    const shown = await describePage(page)
    for (const error of task.result?.errors ?? []) error.message += shown
    await page.screenshot({ path: `test-results/${Date.now()}.png`, fullPage: true })
  })
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  return {
    page,
    context: page.context(),
    async leave() {
      await close()
      expect(errors.filter((error) => !expectedErrors.some((known) => known.test(error)))).toEqual([])
    },
  }
}

const SHOWN_CHARACTERS = 1_500

/** Describes a page whose test failed, since the screenshots of some machines can't be opened. */
async function describePage(page: Page): Promise<string> {
  const texts = async (selector: string) => {
    const found = await page.locator(selector).filter({ visible: true }).allInnerTexts()
    return found.filter(Boolean).join(' | ')
  }
  const notices = await texts('[role=alert], [role=status], .toasts, dialog[open]')
  const content = (await texts('main')).replace(/\s+/g, ' ').slice(0, SHOWN_CHARACTERS)
  return `\nThe page at ${page.url()} shows the notices '${notices}' and the content '${content}'.`
}

export const main = (page: Page) => page.getByRole('main')
export const header = (page: Page) => page.getByRole('banner')

/** A promise that the test resolves by `open`, to hold a response back. */
export function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

/**
 * Takes the network away from a page. The browser answers before the switch is in force, so a request right after it can
 * still reach the server: this returns once one has failed.
 */
export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await page.waitForFunction(() =>
    fetch('/robots.txt', { cache: 'no-store' }).then(
      () => false,
      () => true,
    ),
  )
}

/** Goes to an address and waits until the page is interactive, not just visible. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await hydrated(page)
}

/**
 * Waits until React has hydrated the document, deferred parts included. Until then, a link in such a part loads a
 * document. React adds a property of its own to each hydrated element.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.locator('html[data-ready=true]').waitFor()
  await page.waitForFunction(() =>
    [...document.querySelectorAll('main :is(a, button, input)')].every((element) =>
      Object.keys(element).some((key) => key.startsWith('__reactProps$')),
    ),
  )
}

export async function logIn(page: Page, email: string, password = 'celebrate'): Promise<void> {
  await visit(page, '/login')
  await page.getByLabel('Email', { exact: true }).first().fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
}

/**
 * Options of a request outside the page. The server closes idle connections; a browser sends again if one closes under a
 * request, Playwright only if it is told to.
 */
export const OUTSIDE_PAGE = { maxRetries: 2 }

type SignUp = { name?: string; email?: string; password: string }

/** Signs a new person up by the form. @returns their email address */
export async function signUp(page: Page, how: SignUp & { origin: string }): Promise<string> {
  const { email = `${newId(10)}@example.com` } = how
  await visit(page, '/signup')
  await sendSignUp(page, { ...how, email })
  await page.waitForURL(`${how.origin}/`)
  return email
}

/** Fills in and sends the form of an open /signup. Without `email`, the address stays as it is. */
export async function sendSignUp(page: Page, { name = 'Imogen Hale', email, password }: SignUp) {
  await page.getByLabel('Your name').fill(name)
  if (email !== undefined) await main(page).getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await main(page).getByRole('button', { name: 'Sign Up' }).click()
}

/** Signs in to a demo account by the form's request alone, for tests whose subject starts after sign-in. */
export async function signIn(page: Page, origin: string, email: string): Promise<void> {
  const answer = await page.context().request.post(`${origin}/login`, {
    form: { email, password: 'celebrate' },
    headers: { origin },
    maxRedirects: 0,
    ...OUTSIDE_PAGE,
  })
  expect(answer.status(), `${email} is signed in`).toBe(302)
}

/** Fills in the sandbox's card form, as a person would, and presses 'Pay $'. */
export async function payWith(page: Page, cardNumber: string): Promise<void> {
  await page.getByLabel('Card number').fill(cardNumber)
  await page.getByLabel('Expiry date').fill('12 / 30')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}
