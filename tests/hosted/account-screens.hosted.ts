import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmbeddedDatabase } from '../database.ts'
import { arrive, DESKTOP, main, visit } from '../e2e/browser.ts'
import {
  confirmByPassword,
  hasSdkUser,
  logIn,
  logOut,
  PASSWORD,
  REFUSED,
  signUpHosted,
} from '../e2e/hosted-person.ts'
import { laneBrowser } from '../e2e/stage.ts'
import { type EmulatedMail, type FirebaseEmulator, startFirebaseEmulator } from '../firebase-emulator.ts'
import { hostedSettings } from '../firebase-server.ts'
import { startServer, type TestServer } from '../server.ts'

/**
 * Every account screen of the built product with the official SDK in a real browser, against the service's own emulator.
 * tests/e2e/hosted-sign-in.e2e.ts has the cases that need a server of our own: renewal, outages, limits of mails.
 */

const OPERATOR = 'operator@jubilee.example'
const NAMED_ADMIN = 'ada.ward@example.com'
const NEW_PASSWORD = 'over the wattle'
/** The longest installation, on a slow network. */
const INSTALL_LIMIT_MS = 300_000

let browser: Browser
let emulator: FirebaseEmulator
let server: TestServer

beforeAll(async () => {
  emulator = await startFirebaseEmulator()
  const { installMs, startMs } = emulator.took
  process.stdout.write(`The emulator took ${installMs} ms to install and ${startMs} ms to start.\n`)
  browser = await laneBrowser()
  server = await startServer({
    openDatabase: openEmbeddedDatabase,
    listen: true,
    env: { ...hostedSettings(emulator), OPERATOR_EMAILS: NAMED_ADMIN },
  })
}, INSTALL_LIMIT_MS)
afterAll(async () => {
  await server?.close()
  await emulator?.stop()
})

const open = (expectedErrors = REFUSED) => arrive(browser, server.origin, DESKTOP, expectedErrors)
const see = (page: Page, text: string) => main(page).getByText(text, { exact: false }).first().waitFor()
const heading = (page: Page, name: string) => main(page).getByRole('heading', { name }).first().waitFor()

/** The link in the newest mail of this kind. Waits for it, because the browser asks for it and doesn't wait itself. */
async function linkOf(kind: EmulatedMail['kind'], email: string): Promise<string> {
  const find = async () =>
    (await emulator.mails()).findLast((mail) => mail.kind === kind && mail.email === email)
  await expect.poll(find).toBeDefined()
  return (await find())?.path ?? ''
}

async function confirmOwnEmail(page: Page, email: string): Promise<void> {
  await visit(page, await linkOf('VERIFY_EMAIL', email))
  await main(page).getByRole('button', { name: 'Confirm my email' }).click()
  await heading(page, 'Your email is confirmed')
}

async function changeEmail(page: Page, before: string, after: string): Promise<void> {
  await visit(page, '/my-profile')
  await main(page).getByText('Change my email').click()
  await main(page).getByLabel('New email').fill(after)
  await main(page).getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await main(page).getByRole('button', { name: 'Send the link' }).click()
  await see(page, 'We have sent a link')
  await visit(page, await linkOf('VERIFY_AND_CHANGE_EMAIL', before))
  await main(page).getByRole('button', { name: 'Confirm my email' }).click()
  await heading(page, 'Your email is changed')
}

async function changePassword(page: Page, from: string, to: string): Promise<void> {
  await visit(page, '/settings-privacy')
  await page.getByLabel('Current password').fill(from)
  await page.getByLabel('New password').fill(to)
  await page.getByRole('button', { name: 'Change the password' }).click()
}

/** The kinds of an account's events, oldest first, each with its detail. */
async function activityOf(email: string): Promise<string[]> {
  const events = await server.services.db
    .selectFrom('security_events')
    .innerJoin('users', 'users.id', 'security_events.user_id')
    .select(['kind', 'detail'])
    .where('users.email', '=', email)
    .orderBy('security_events.recorded_at')
    .execute()
  return events.map(({ kind, detail }) => (detail ? `${kind}: ${detail}` : kind))
}

describe('hosted sign-in with the service’s own emulator', () => {
  it('lets a page connect to the emulator, and to no other origin', async () => {
    const { page, leave } = await open()
    const response = await page.goto('/login')
    const policy = response?.headers()['content-security-policy'] ?? ''
    expect(policy).toContain(`connect-src 'self' ${emulator.url};`)
    expect(policy).not.toContain('googleapis')
    await leave()
  })

  it('signs a person up, but not with a weak password or an email in use', async () => {
    const { page, leave } = await open()
    await visit(page, '/signup')
    await page.getByLabel('Your name').fill('Isla Brennan')
    await main(page).getByLabel('Email').fill('isla@example.com')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await main(page).getByRole('button', { name: 'Sign Up' }).click()
    await see(page, 'Your password needs at least 6 characters.')
    expect(await emulator.emails()).not.toContain('isla@example.com')

    await signUpHosted(page, 'Isla Brennan', 'isla@example.com')
    await logOut(page, /Isla/)
    await visit(page, '/signup')
    await page.getByLabel('Your name').fill('Somebody Else')
    await main(page).getByLabel('Email').fill('isla@example.com')
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await main(page).getByRole('button', { name: 'Sign Up' }).click()
    await see(page, 'There is already an account with this email.')
    expect(await activityOf('isla@example.com')).toEqual(['sign-up', 'sign-out'])
    await leave()
  })

  it.each([
    ['hides', true, 'noah@example.com'],
    ['reveals', false, 'nia@example.com'],
  ])(
    'doesn’t reveal which emails have an account, even if the service %s it',
    async (_name, hidden, email) => {
      await emulator.hideAccounts(hidden)
      const { page, leave } = await open()
      await signUpHosted(page, 'Noah Fitzgerald', email)
      await logOut(page, /Noah/)
      const answers: string[] = []
      for (const [typed, password] of [
        [email, 'not this one'],
        ['nobody@example.com', PASSWORD],
      ] as const) {
        await visit(page, '/login?next=/notifications')
        await logIn(page, typed, password)
        await see(page, 'Email or password is not right. Check both and try again.')
        answers.push((await main(page).innerText()).replaceAll(typed, ''))
      }
      expect(answers[0]).toBe(answers[1])
      // The service alone saw these.
      expect(await activityOf(email)).toEqual(['sign-up', 'sign-out'])
      await logIn(page, email)
      await page.waitForURL(({ pathname }) => pathname === '/notifications')
      await heading(page, 'Notifications')
      expect(await activityOf(email)).toEqual(['sign-up', 'sign-out', 'sign-in: hosted'])
      await leave()
    },
  )

  it('confirms an email by one press, and in another browser only with its password', async () => {
    const { page, leave } = await open()
    await signUpHosted(page, 'Ruby Tan', 'ruby@example.com')
    const phone = await open()
    await visit(phone.page, await linkOf('VERIFY_EMAIL', 'ruby@example.com'))
    await confirmByPassword(phone.page, 'not this one')
    await see(phone.page, 'This isn’t that account’s password.')
    await phone.leave()
    await confirmOwnEmail(page, 'ruby@example.com')
    await visit(page, '/my-profile')
    await main(page).getByText('Confirmed', { exact: true }).waitFor()
    expect(await activityOf('ruby@example.com')).toEqual(['sign-up', 'email-confirmed'])
    await leave()
  })

  it('resets a forgotten password by a mailed link, which works once', async () => {
    const { page, leave } = await open()
    await signUpHosted(page, 'Tom Reilly', 'tom@example.com')
    const laptop = await open()
    for (const email of ['nobody@example.com', 'tom@example.com']) {
      await visit(laptop.page, '/forgot-password')
      await main(laptop.page).getByLabel('Email').fill(email)
      await laptop.page.getByRole('button', { name: 'Send the link' }).click()
      await heading(laptop.page, 'Check your email')
    }
    const link = await linkOf('PASSWORD_RESET', 'tom@example.com')
    await visit(laptop.page, link)
    await laptop.page.getByLabel('New password').fill(NEW_PASSWORD)
    await laptop.page.getByRole('button', { name: 'Change the password' }).click()
    await heading(laptop.page, 'Your password is changed')
    await visit(laptop.page, link)
    await laptop.page.getByLabel('New password').fill('a third password')
    await laptop.page.getByRole('button', { name: 'Change the password' }).click()
    await see(laptop.page, 'This link no longer works.')

    // The session that was open elsewhere has ended.
    await page.getByRole('link', { name: 'Log In' }).first().waitFor()
    await expect.poll(() => hasSdkUser(page)).toBe(false)
    await visit(laptop.page, '/login')
    await logIn(laptop.page, 'tom@example.com', PASSWORD)
    await see(laptop.page, 'Email or password is not right.')
    await logIn(laptop.page, 'tom@example.com', NEW_PASSWORD)
    await laptop.page.waitForURL(`${server.origin}/`)
    // The mailed link has proved the address, too.
    expect(await activityOf('tom@example.com')).toEqual([
      'sign-up',
      'password-reset-asked',
      'password-reset',
      'email-confirmed',
      'sign-in: hosted',
    ])
    await laptop.leave()
    await leave()
  })

  it('changes a password with the old one, and signs out the other browsers', async () => {
    const { page, leave } = await open()
    await signUpHosted(page, 'Grace Holloway', 'grace@example.com')
    const phone = await open()
    await visit(phone.page, '/login?next=/my-profile')
    await logIn(phone.page, 'grace@example.com')
    await heading(phone.page, 'My Profile')

    await changePassword(page, 'not this one', NEW_PASSWORD)
    await see(page, 'This isn’t your password. Try again, or reset it.')
    await changePassword(page, PASSWORD, 'short')
    await see(page, 'Your password needs at least 6 characters.')
    await changePassword(page, PASSWORD, NEW_PASSWORD)
    await page.getByText('Your password is changed.', { exact: false }).first().waitFor()
    await phone.page.getByRole('link', { name: 'Log In' }).first().waitFor()
    expect(await activityOf('grace@example.com')).toEqual(['sign-up', 'sign-in: hosted', 'password-changed'])
    await phone.leave()
    await leave()
  })

  it('changes an email by the link to the new address, which then logs in', async () => {
    const { page, leave } = await open()
    const [before, after] = ['kim@example.com', 'kim.lee@example.com']
    await signUpHosted(page, 'Kim Lee', before)
    await confirmOwnEmail(page, before)
    await changeEmail(page, before, after)
    expect(await emulator.emails()).toContain(after)
    expect(await activityOf(after)).toEqual([
      'sign-up',
      'email-confirmed',
      'email-change-asked',
      'email-changed',
    ])

    await visit(page, '/login?next=/my-profile')
    await logIn(page, after)
    await page.waitForURL(({ pathname }) => pathname === '/my-profile')
    await leave()
  })

  it('undoes a change of email that a thief made at the service, and voids the password', async () => {
    const [owners, thiefs] = ['wren@example.com', 'thief@example.com']
    const { page, leave } = await open()
    await signUpHosted(page, 'Wren Abbott', owners)
    await confirmOwnEmail(page, owners)
    await emulator.changeEmail({ email: owners, password: PASSWORD }, thiefs)
    expect(await emulator.emails()).not.toContain(owners)

    const laptop = await open()
    const link = await linkOf('RECOVER_EMAIL', owners)
    await visit(laptop.page, link)
    await see(laptop.page, `Your account gets ${owners} back.`)
    // Reading the link, as a mail scanner does, undoes nothing.
    expect(await emulator.emails()).toContain(thiefs)
    await main(laptop.page).getByRole('button', { name: 'Undo the change' }).click()
    await heading(laptop.page, 'The change is undone')
    expect(await emulator.emails()).toContain(owners)
    expect(await emulator.emails()).not.toContain(thiefs)
    await page.getByRole('link', { name: 'Log In' }).first().waitFor()

    // The thief knows the password, which the service still takes.
    await visit(laptop.page, '/login')
    await logIn(laptop.page, owners)
    await see(laptop.page, 'Email or password is not right.')
    await visit(laptop.page, await linkOf('PASSWORD_RESET', owners))
    await laptop.page.getByLabel('New password').fill(NEW_PASSWORD)
    await laptop.page.getByRole('button', { name: 'Change the password' }).click()
    await heading(laptop.page, 'Your password is changed')
    await visit(laptop.page, '/login?next=/my-profile')
    await logIn(laptop.page, owners, NEW_PASSWORD)
    await heading(laptop.page, 'My Profile')
    await visit(laptop.page, link)
    await see(laptop.page, 'This link')
    await laptop.leave()
    await leave()
  })

  it('signs a person out in every open browser', async () => {
    const { page, leave } = await open()
    await signUpHosted(page, 'Hugo Marsh', 'hugo@example.com')
    const phone = await open()
    await visit(phone.page, '/login?next=/my-profile')
    await logIn(phone.page, 'hugo@example.com')
    await heading(phone.page, 'My Profile')
    await visit(page, '/settings-privacy')
    await main(page).getByRole('button', { name: 'Log out everywhere' }).click()
    for (const one of [page, phone.page]) {
      await one.getByRole('link', { name: 'Log In' }).first().waitFor()
      await expect.poll(() => hasSdkUser(one)).toBe(false)
    }
    await phone.leave()
    await leave()
  })

  it('refuses an account that is disabled at the service alone', async () => {
    const { page, leave } = await open()
    await signUpHosted(page, 'Ivy Chandra', 'ivy@example.com')
    await logOut(page, /Ivy/)
    await emulator.disable('ivy@example.com')
    await visit(page, '/login')
    await logIn(page, 'ivy@example.com')
    await see(page, 'This account is disabled.')
    await leave()
  })

  it('leaves second factors and wrong passwords to the service, and says so', async () => {
    const { page, leave } = await open()
    await visit(page, '/login')
    expect(
      await main(page)
        .getByRole('button', { name: /passkey/i })
        .count(),
    ).toBe(0)
    await signUpHosted(page, 'Ada Quinn', 'ada@example.com')
    await visit(page, '/settings-privacy')
    await main(page).getByRole('region', { name: 'Password' }).waitFor()
    for (const name of ['Two-step login', 'Passkeys'])
      expect(await main(page).getByRole('region', { name }).count()).toBe(0)
    await main(page).getByRole('link', { name: 'See recent activity' }).click()
    await heading(page, 'Recent activity')
    await see(page, 'You created your account')
    await see(page, 'Wrong passwords are counted by our login service and aren’t listed here.')
    await leave()
  })

  it('lets in an operator once their email is confirmed, who sees an account’s activity', async () => {
    const { page, leave } = await open([...REFUSED, /status of 404/])
    await signUpHosted(page, 'Olive Reed', OPERATOR)
    expect((await page.goto('/operations'))?.status()).toBe(404)
    await confirmOwnEmail(page, OPERATOR)
    await signUpElsewhere('Max Rowe', 'max@example.com')
    await visit(page, '/operations/accounts?q=max@example.com')
    await main(page).getByRole('link', { name: 'Activity of Max Rowe' }).click()
    await heading(page, 'Activity of Max Rowe')
    await see(page, 'You created your account')
    await leave()
  })

  it('keeps an admin whom the settings name with another email, and takes nobody else by the old one', async () => {
    const after = 'ada.moved@example.com'
    const { page, leave } = await open([...REFUSED, /status of 404/])
    await signUpHosted(page, 'Ada Ward', NAMED_ADMIN)
    await confirmOwnEmail(page, NAMED_ADMIN)
    expect((await page.goto('/operations'))?.status()).toBe(200)
    await changeEmail(page, NAMED_ADMIN, after)
    await visit(page, '/login')
    await logIn(page, after)
    await page.waitForURL(({ pathname }) => pathname !== '/login')
    expect((await page.goto('/operations/people'))?.status()).toBe(200)
    await see(page, after)

    const stranger = await open([...REFUSED, /status of 404/])
    await signUpHosted(stranger.page, 'Sam Price', NAMED_ADMIN)
    await confirmOwnEmail(stranger.page, NAMED_ADMIN)
    expect((await stranger.page.goto('/operations'))?.status()).toBe(404)
    await stranger.leave()
    await leave()
  })

  it('deletes an account here and at the service, with its password', async () => {
    const { page, leave } = await open()
    const email = 'matilda@example.com'
    await signUpHosted(page, 'Matilda Okafor', email)
    const { id } = await server.services.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await visit(page, '/confirm-deletion')
    await page.getByLabel('Your password').fill('not this one')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await see(page, 'This isn’t your password. Try again, or reset it.')
    expect(await emulator.emails()).toContain(email)
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await heading(page, 'Your account is deleted')
    await expect.poll(() => emulator.emails()).not.toContain(email)
    await expect.poll(() => hasSdkUser(page)).toBe(false)
    const left = (table: 'users' | 'security_events') =>
      server.services.db
        .selectFrom(table)
        .selectAll()
        .where(table === 'users' ? 'id' : 'user_id', '=', id)
    expect(await left('users').execute()).toEqual([])
    expect((await left('security_events').execute()).map((event) => 'kind' in event && event.kind)).toContain(
      'account-deleted',
    )
    await visit(page, '/login')
    await logIn(page, email)
    await see(page, 'Email or password is not right.')
    await leave()
  })
})

async function signUpElsewhere(name: string, email: string): Promise<void> {
  const { page, leave } = await open()
  await signUpHosted(page, name, email)
  await leave()
}
