import type { Page } from 'playwright-core'
import { matchRoutes } from 'react-router'
import { expect, it } from 'vitest'
import { builtRoutes } from '../server.ts'
import { DESKTOP, logIn, PHONE, visit } from './browser.ts'
import { preparePages, type Visits, WHO } from './pages.ts'
import { openStage } from './stage.ts'

/** Analytics starts only after consent and stops when it is withdrawn (Decision 23). The test plays Google. */

const stage = openStage({
  env: {
    FIREBASE_API_KEY: 'test-key',
    FIREBASE_AUTH_DOMAIN: 'jubilee-test.firebaseapp.com',
    FIREBASE_PROJECT_ID: 'jubilee-test',
    FIREBASE_APP_ID: '1:1:web:1',
    FIREBASE_MEASUREMENT_ID: 'G-TEST123',
  },
})

/** Responds as Google's services do. Returns the list of requested hosts, and adds to `sent` all that reached them. */
async function playGoogle(page: Page, sent: string[] = []): Promise<string[]> {
  const asked: string[] = []
  await page.route(/^https:\/\/(?!localhost)/, async (route) => {
    const url = new URL(route.request().url())
    asked.push(url.host)
    const request = route.request()
    sent.push(url.href, JSON.stringify(await request.allHeaders()), request.postData() ?? '')
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (route.request().method() === 'OPTIONS') return route.fulfill({ status: 200, headers })
    if (url.host === 'firebaseinstallations.googleapis.com') {
      return route.fulfill({
        headers,
        json: {
          fid: 'c1234567890123456789ab',
          refreshToken: 'refresh',
          authToken: { token: 'token', expiresIn: '604800s' },
        },
      })
    }
    if (url.host === 'firebase.googleapis.com')
      return route.fulfill({ headers, json: { appId: '1:1:web:1', measurementId: 'G-TEST123' } })
    return route.fulfill({ headers, contentType: 'text/javascript', body: '/* the tag */' })
  })
  return asked
}

/** All that the page has passed to Google's tag. */
const allTold = (page: Page) =>
  page.evaluate(() =>
    JSON.stringify(
      ((window as unknown as { dataLayer?: ArrayLike<unknown>[] }).dataLayer ?? []).map((entry) =>
        Array.from(entry),
      ),
    ),
  )

const pagesTold = (page: Page) =>
  page.evaluate(() =>
    (((window as unknown as { dataLayer?: ArrayLike<unknown>[] }).dataLayer ?? []) as ArrayLike<unknown>[])
      .map((entry) => Array.from(entry))
      .filter(([kind, name]) => kind === 'event' && name === 'page_view')
      .map(([, , parameters]) => (parameters as { page_location: string }).page_location),
  )

it('analytics don’t load before consent or after a refusal', async () => {
  const { page, leave } = await stage.arrive(PHONE)
  const asked = await playGoogle(page)
  await visit(page, '/')
  const bar = page.getByRole('region', { name: 'Counting visits' })
  await bar.waitFor()
  await page.waitForLoadState('networkidle')
  expect(asked).toEqual([])
  await bar.getByRole('button', { name: 'No thanks' }).click()
  await bar.waitFor({ state: 'detached' })
  await visit(page, '/venues')
  await page.waitForLoadState('networkidle')
  expect(await bar.count()).toBe(0)
  expect(asked).toEqual([])
  await leave()
})

it('page views are counted after consent, without queries, until it is withdrawn in the settings', async () => {
  const { page, context, leave } = await stage.arrive(DESKTOP)
  const asked = await playGoogle(page)
  await visit(page, '/venues-vendors?q=secret+party')
  await page.getByRole('region', { name: 'Counting visits' }).getByRole('button', { name: 'Allow' }).click()
  await expect
    .poll(() => pagesTold(page), { timeout: 10_000 })
    .toEqual([`${stage.server.origin}/venues-vendors`])
  expect([...new Set(asked)].sort()).toEqual([
    'firebase.googleapis.com',
    'firebaseinstallations.googleapis.com',
    'www.googletagmanager.com',
  ])
  await page.evaluate(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: as the tag does it
    document.cookie = '_ga_TEST123=1; Path=/'
  })

  await logIn(page, 'customer@jubilee.example')
  await visit(page, '/settings-privacy')
  const choice = page.getByRole('region', { name: 'Counting visits' })
  await choice.getByText('This browser’s visits are counted', { exact: false }).waitFor()
  await expect
    .poll(() => pagesTold(page), { timeout: 10_000 })
    .toEqual([`${stage.server.origin}/settings-privacy`])
  await choice.getByRole('button', { name: 'Stop counting' }).click()
  await choice.getByText('This browser’s visits aren’t counted.').waitFor()
  await expect
    .poll(async () => (await context.cookies()).filter(({ name }) => name.startsWith('_ga')).length)
    .toBe(0)
  expect(
    await page.evaluate(() => (window as unknown as Record<string, unknown>)['ga-disable-G-TEST123']),
  ).toBe(true)

  asked.length = 0
  await visit(page, '/venues')
  await page.waitForLoadState('networkidle')
  expect(asked).toEqual([])
  await leave()
})

/** The pages with a parameter, as the router's own table has them: one visit for each, with as many parameters as it takes. */
function visitsWithParameters(visits: Visits) {
  const routes = builtRoutes.filter(({ isPage }) => isPage).map(({ path }) => ({ path }))
  const found = new Map<string, { who: (typeof WHO)[number]; path: string; values: string[] }>()
  for (const who of WHO)
    for (const path of visits[who]) {
      const match = matchRoutes(routes, path.split('?')[0] ?? '')?.at(-1)
      const values = Object.values(match?.params ?? {}).filter((value) => value !== undefined)
      const known = match && found.get(match.route.path)
      if (match && values.length > (known?.values.length ?? 0))
        found.set(match.route.path, { who, path, values })
    }
  return found
}

it('analytics receive no parameter of any page’s address', {
  timeout: 180_000,
}, async () => {
  const visits = await preparePages(stage.server.services)
  // It only leads back, and would be told with its parameter if it ever showed a page.
  const operator = [...visits.operator, '/operations/see-as/stop']
  const found = visitsWithParameters({ ...visits, operator })
  const expected = builtRoutes
    .filter(({ isPage, path }) => isPage && /[:*]/.test(path))
    .map(({ path }) => path)
  expect([...found.keys()].toSorted()).toEqual(expected.toSorted())
  const told: string[] = []
  for (const who of WHO) {
    const anyAnswer = [/4\d\d \(/]
    const { page, leave } =
      who === 'everybody'
        ? await stage.arrive(DESKTOP, anyAnswer)
        : await stage.arriveAs(`${who}@jubilee.example`, DESKTOP, anyAnswer)
    const sent: string[] = []
    await playGoogle(page, sent)
    await page.addInitScript(() => localStorage.setItem('analytics-consent', 'granted'))
    for (const [pattern, { who: owner, path, values }] of found) {
      if (owner !== who) continue
      sent.length = 0
      await visit(page, path)
      await expect.poll(() => pagesTold(page), { timeout: 10_000 }).toHaveLength(1)
      const all = [await allTold(page), ...sent].join('\n')
      told.push(...values.filter((value) => all.includes(value)).map((value) => `${pattern}: ${value}`))
    }
    await leave()
  }
  expect(told).toEqual([])
})
