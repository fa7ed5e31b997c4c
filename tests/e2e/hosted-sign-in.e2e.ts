import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../app/shared/time-units.ts'
import { openEmbeddedDatabase } from '../database.ts'
import { type FirebaseServer, hostedSettings, startFirebaseServer } from '../firebase-server.ts'
import { startServer, type TestServer } from '../server.ts'
import { arrive, DESKTOP, main, visit } from './browser.ts'
import {
  confirmByPassword,
  hasSdkUser,
  logIn,
  logOut,
  PASSWORD,
  REFUSED,
  signUpHosted,
} from './hosted-person.ts'
import { laneBrowser } from './stage.ts'

/** The product with Firebase Auth: the official SDK in a real browser, against a server that implements its calls. */

const HOUR_S = 3_600
// The SDK renews a token five minutes before it expires, so this one is renewed after two seconds.
const SHORT_LIFE_S = 302

let browser: Browser
let firebase: FirebaseServer
let server: TestServer

beforeAll(async () => {
  browser = await laneBrowser()
  firebase = await startFirebaseServer()
  server = await startServer({
    openDatabase: openEmbeddedDatabase,
    listen: true,
    env: hostedSettings(firebase),
  })
})
afterAll(async () => {
  await server?.close()
  await firebase?.close()
})

/** The link in the newest mail of this kind to this address. */
function linkOf(kind: 'VERIFY_EMAIL' | 'PASSWORD_RESET', email: string): string {
  const mail = firebase.mails.findLast((sent) => sent.kind === kind && sent.email === email)
  const mode = kind === 'VERIFY_EMAIL' ? 'verifyEmail' : 'resetPassword'
  return `/account-action?mode=${mode}&oobCode=${mail?.code}`
}

const sessionEnd = async () =>
  (
    await server.services.db
      .selectFrom('sessions')
      .select('expires_at')
      .orderBy('created_at', 'desc')
      .executeTakeFirst()
  )?.expires_at.getTime() ?? 0

describe('hosted sign-in', () => {
  it('signs up, out and in again: no password reaches our server, and no visitor loads the SDK', async () => {
    const { page, leave } = await arrive(browser, server.origin, DESKTOP, REFUSED)
    const scripts: string[] = []
    const posted: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
      if (request.url().startsWith(server.origin)) posted.push(request.postData() ?? '')
    })
    await visit(page, '/')
    await page.waitForLoadState('networkidle')
    expect(scripts.filter((url) => /firebase/.test(url))).toEqual([])

    await signUpHosted(page, 'Isla Brennan', 'isla@example.com')
    await page.getByRole('button', { name: /Isla/ }).first().waitFor()
    expect(scripts.some((url) => /firebase/.test(url))).toBe(true)
    expect(firebase.mails).toMatchObject([{ kind: 'VERIFY_EMAIL', email: 'isla@example.com' }])

    await logOut(page, /Isla/)
    await expect.poll(() => hasSdkUser(page)).toBe(false)
    expect(await server.services.db.selectFrom('sessions').select('id').execute()).toEqual([])

    // The message does not reveal which of the two was wrong.
    await visit(page, '/login?next=/notifications')
    await logIn(page, 'isla@example.com', 'not this one')
    await page.getByText('Email or password is not right. Check both and try again.').first().waitFor()
    await logIn(page, 'nobody@example.com')
    await page.getByText('Email or password is not right. Check both and try again.').first().waitFor()
    await logIn(page, 'isla@example.com')
    await page.waitForURL(({ pathname }) => pathname === '/notifications')
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()

    expect(posted.filter((body) => body.includes('jacaranda') || body.includes('not this one'))).toEqual([])
    await logOut(page, /Isla/)
    await leave()
  })

  it('keeps the session by renewing its token, and restores an expired one', async () => {
    const { page, leave } = await arrive(browser, server.origin, DESKTOP, REFUSED)
    firebase.setTokenLife(SHORT_LIFE_S)
    await signUpHosted(page, 'Noah Fitzgerald', 'noah@example.com')
    const first = await sessionEnd()
    expect(first).toBeLessThan(Date.now() + SHORT_LIFE_S * 1_000)
    firebase.setTokenLife(HOUR_S)
    await expect.poll(sessionEnd, { timeout: 15_000 }).toBeGreaterThan(Date.now() + 50 * MINUTE_MS)
    expect(firebase.calls).toContain('POST /v1/token')
    // The browser stores the session's end after the server's response, which would overwrite the changes below.
    const markEnd = () =>
      page.evaluate(() => JSON.parse(localStorage.getItem('hosted-session') ?? '{}').endsAtMs ?? 0)
    await expect.poll(markEnd, { timeout: 15_000 }).toBeGreaterThan(Date.now() + 50 * MINUTE_MS)

    // As if the computer had been asleep for a while.
    const endAtServer = () =>
      server.services.db
        .updateTable('sessions')
        .set({ expires_at: new Date(Date.now() - 60_000) })
        .execute()
    await page.evaluate(() => {
      const mark = JSON.parse(localStorage.getItem('hosted-session') ?? '{}')
      localStorage.setItem('hosted-session', JSON.stringify({ ...mark, endsAtMs: 0 }))
    })
    await endAtServer()
    await visit(page, '/my-profile')
    await page.waitForURL(({ pathname }) => pathname === '/my-profile')
    await page.getByRole('heading', { level: 1, name: 'My Profile' }).waitFor()
    expect(await sessionEnd()).toBeGreaterThan(Date.now())

    // As if its clock were wrong: only the server sees that the session has expired.
    await endAtServer()
    await visit(page, '/my-profile')
    await page.waitForURL(({ pathname }) => pathname === '/my-profile')
    await page.getByRole('heading', { level: 1, name: 'My Profile' }).waitFor()
    expect(await sessionEnd()).toBeGreaterThan(Date.now())

    // The verification link is opened in another browser. This one shows it on the next visit.
    const phone = await arrive(browser, server.origin, DESKTOP, REFUSED)
    await visit(phone.page, linkOf('VERIFY_EMAIL', 'noah@example.com'))
    await confirmByPassword(phone.page, 'not this one')
    await main(phone.page)
      .getByText('This isn’t that account’s password.', { exact: false })
      .first()
      .waitFor()
    await confirmByPassword(phone.page, PASSWORD)
    await main(phone.page).getByRole('heading', { name: 'Your email is confirmed' }).waitFor()
    // The password proved ownership of the account, but signed nobody in.
    expect(await hasSdkUser(phone.page)).toBe(false)
    await phone.leave()
    await visit(page, '/my-profile')
    await main(page).getByText('Confirmed', { exact: true }).waitFor()
    await logOut(page, /Noah/)
    await leave()
  })

  it('confirms an address by a link and one press in the signed-in browser', async () => {
    const { page, leave } = await arrive(browser, server.origin, DESKTOP, REFUSED)
    await signUpHosted(page, 'Ruby Tan', 'ruby@example.com')
    await visit(page, linkOf('VERIFY_EMAIL', 'ruby@example.com'))
    await main(page).getByRole('button', { name: 'Confirm my email' }).click()
    await main(page).getByRole('heading', { name: 'Your email is confirmed' }).waitFor()
    await visit(page, '/my-profile')
    await main(page).getByText('Confirmed', { exact: true }).waitFor()
    await logOut(page, /Ruby/)
    await leave()
  })

  it('lets a person reclaim their address from a stranger’s account, with an empty one', async () => {
    const email = 'imogen@example.com'
    const attacker = await arrive(browser, server.origin, DESKTOP, REFUSED)
    await signUpHosted(attacker.page, 'Somebody Else', email)
    const { page, leave } = await arrive(browser, server.origin, DESKTOP, REFUSED)
    await visit(page, linkOf('VERIFY_EMAIL', email))
    await main(page).getByRole('heading', { name: 'Is this account yours?' }).waitFor()
    await main(page).getByRole('button', { name: 'Use this address for a new account' }).click()
    await main(page).getByRole('heading', { name: 'Check your email' }).waitFor()
    await visit(page, linkOf('PASSWORD_RESET', email))
    await page.getByLabel('New password').fill('the holder’s own')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByRole('heading', { name: 'Your password is changed' }).waitFor()
    await visit(page, '/login?next=/my-profile')
    await logIn(page, email, 'the holder’s own')
    await page.waitForURL(({ pathname }) => pathname === '/my-profile')
    await main(page).getByText('Confirmed', { exact: true }).waitFor()
    expect(await main(page).getByText('Somebody Else').count()).toBe(0)

    await visit(attacker.page, '/my-bookings')
    await main(attacker.page).getByRole('heading', { name: 'Give us another email' }).waitFor()
    await attacker.leave()
    await leave()
  })

  it('signs out an account that an operator disables', async () => {
    const { page, leave } = await arrive(browser, server.origin, DESKTOP, REFUSED)
    await signUpHosted(page, 'Grace Holloway', 'grace@example.com')
    await page.waitForFunction(() => localStorage.getItem('hosted-session'))
    // A renewal in the background would sign out first, on the page that is left here.
    await page.route('**/api/hosted-session', () => {})
    await server.services.db
      .updateTable('users')
      .set({ disabled_at: new Date() })
      .where('email', '=', 'grace@example.com')
      .execute()
    await visit(page, '/')
    await page.getByText('This account is disabled.', { exact: false }).first().waitFor()
    await page.getByRole('link', { name: 'Log In' }).first().waitFor()
    await expect.poll(() => hasSdkUser(page)).toBe(false)
    await leave()
  })

  it('asks for the old password before a new one, and resets a forgotten one by a link', async () => {
    const { page, leave } = await arrive(browser, server.origin, DESKTOP, REFUSED)
    await signUpHosted(page, 'Tom Reilly', 'tom@example.com')
    await visit(page, '/settings-privacy')
    await page.getByLabel('Current password').fill('not this one')
    await page.getByLabel('New password').fill('over the wattle')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('This isn’t your password. Try again, or reset it.').first().waitFor()
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill('over the wattle')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('Your password is changed.', { exact: false }).first().waitFor()
    await logOut(page, /Tom/)

    await visit(page, '/forgot-password')
    // The service sends two mails. The third request gets the same answer.
    const tom = 'tom@example.com'
    for (const email of ['nobody@example.com', tom, tom, tom]) {
      await visit(page, '/forgot-password')
      await main(page).getByLabel('Email').fill(email)
      await page.getByRole('button', { name: 'Send the link' }).click()
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    }
    const mail = firebase.mails.at(-1)
    expect(mail).toMatchObject({ kind: 'PASSWORD_RESET', email: 'tom@example.com' })
    await visit(page, `/account-action?mode=resetPassword&oobCode=${mail?.code}`)
    await page.getByLabel('New password').fill('by the river gums')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByRole('heading', { name: 'Your password is changed' }).waitFor()
    await expect.poll(() => hasSdkUser(page)).toBe(false)

    await visit(page, '/login')
    await logIn(page, 'tom@example.com', 'by the river gums')
    await page.waitForURL(`${server.origin}/`)
    await logOut(page, /Tom/)
    await leave()
  })

  it('reports when the service can’t be reached, and recovers', async () => {
    const { page, leave } = await arrive(browser, server.origin, DESKTOP, [
      /ERR_|Failed to fetch/,
      ...REFUSED,
    ])
    await signUpHosted(page, 'Kim Lee', 'kim@example.com')
    await logOut(page, /Kim/)
    await visit(page, '/login')
    firebase.setDown(true)
    await logIn(page, 'kim@example.com')
    await page.getByText('The login service can’t be reached.', { exact: false }).first().waitFor()
    firebase.setDown(false)
    await logIn(page, 'kim@example.com')
    await page.waitForURL(`${server.origin}/`)
    await logOut(page, /Kim/)
    await leave()
  })

  it('requires a recent sign-in for deletion, which also deletes the account at the service', async () => {
    const { page, leave } = await arrive(browser, server.origin, DESKTOP, REFUSED)
    await signUpHosted(page, 'Matilda Okafor', 'matilda@example.com')
    await visit(page, '/confirm-deletion')
    await page.getByLabel('Your password').fill('not this one')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByText('This isn’t your password. Try again, or reset it.').first().waitFor()
    expect(
      await server.services.db
        .selectFrom('users')
        .select('id')
        .where('email', '=', 'matilda@example.com')
        .execute(),
    ).toHaveLength(1)

    // A token from an old sign-in is refused, even when it is posted directly.
    const account = [...firebase.accounts.values()].find(({ email }) => email === 'matilda@example.com')
    const old = await firebase.sign({
      sub: account?.localId,
      email: 'matilda@example.com',
      auth_time: Math.floor(Date.now() / 1_000) - 600,
    })
    const status = await page.evaluate(async (password) => {
      const body = new URLSearchParams({ intent: 'delete', password })
      const answer = await fetch('/confirm-deletion', { method: 'POST', body })
      return answer.status
    }, old)
    expect(status).toBe(400)

    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor()
    await expect
      .poll(() => [...firebase.accounts.values()].map(({ email }) => email))
      .not.toContain('matilda@example.com')
    expect(firebase.calls).toContain('POST /v1/accounts:delete')
    expect(
      await server.services.db
        .selectFrom('users')
        .select('id')
        .where('email', '=', 'matilda@example.com')
        .execute(),
    ).toEqual([])
    await expect.poll(() => hasSdkUser(page)).toBe(false)
    await leave()
  })
})
