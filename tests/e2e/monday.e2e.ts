import { expect, it } from 'vitest'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { fillEarnings } from '../earnings.ts'
import { bringAxe, findViolations } from './axe.ts'
import { DESKTOP, main, PHONE, visit } from './browser.ts'
import { openStage } from './stage.ts'

/** The operators' Monday: what to do first, a vendor's page, and the screens in groups. */

const stage = openStage()

const ADMIN = 'operator@jubilee.example'

/** Restricts the payouts of the demo's vendor, and has their bank return a payout of $2,345.00. @returns their account */
async function aBadMonday(): Promise<string> {
  const { db, now } = stage.server.services
  const { id: userId } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'vendor@jubilee.example')
    .executeTakeFirstOrThrow()
  const at = now()
  const account = { id: 'monday-account', vendor_user_id: userId, provider: 'sandbox', created_at: at }
  const restricted = {
    state: 'restricted' as const,
    requirements: JSON.stringify([
      {
        code: 'external_account',
        awaiting: 'vendor',
        dueAt: new Date(at.getTime() - 3 * DAY_MS).toISOString(),
      },
    ]),
    checked_at: at,
  }
  const known = await db
    .updateTable('payout_accounts')
    .set(restricted)
    .where('vendor_user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  if (!known)
    await db
      .insertInto('payout_accounts')
      .values({ ...account, provider_account: null, bank_last4: null, active_since: null, ...restricted })
      .execute()
  // Nobody need look at a vendor who is paused without money.
  await fillEarnings(db, [
    {
      ...{ vendorUserId: userId, totalCents: 10_000, progress: 'earned' },
      ...{ eventUntil: new Date(at.getTime() - 4 * DAY_MS), bookedAt: new Date(at.getTime() - 30 * DAY_MS) },
    },
  ])
  await db
    .insertInto('bank_payouts')
    .values({
      ...{ id: 'monday', payout_account_id: known?.id ?? account.id, provider_payout: 'monday' },
      ...{ amount_cents: 234_500, state: 'failed', failure_reason: null },
      ...{ arrives_at: at, checked_at: at, created_at: at },
    })
    .execute()
  return userId
}

it.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])('an operator takes the first task, writes a note and finds the vendor, on %s', async (_, size) => {
  const { db } = stage.server.services
  await db.deleteFrom('bank_payouts').where('id', '=', 'monday').execute()
  await db.deleteFrom('task_marks').execute()
  const vendorId = await aBadMonday()
  // A note that would overwrite a colleague's is refused.
  const { page, leave } = await stage.arriveAs(ADMIN, size, [/409 \(Conflict\).*\/operations\.data/])
  await bringAxe(page)
  await visit(page, '/operations')
  const rows = main(page)
    .getByRole('region', { name: /^Do first/ })
    .getByRole('listitem')
  const paused = rows.filter({ hasText: /^Payouts to .* are paused/ })
  const returned = rows.filter({ hasText: 'A bank returned a payout to' })
  await paused.getByText(/^Overdue since /).waitFor()
  await returned.getByText('$2,345.00').waitFor()
  await returned.getByText('Due tomorrow').waitFor()
  // The overdue task stands before the one that is due tomorrow.
  const texts = await rows.allTextContents()
  expect(texts.findIndex((text) => text.includes('are paused'))).toBeLessThan(
    texts.findIndex((text) => text.includes('A bank returned')),
  )
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width)
  expect(await findViolations(page, 'do first')).toEqual([])

  await paused.getByRole('button', { name: /^I have it/ }).click()
  await paused.getByText('You have it', { exact: true }).waitFor()
  await paused.locator('summary', { hasText: 'Add a note' }).click()
  await paused.getByLabel('Note').fill('Rang them.')
  await paused.getByRole('button', { name: /^Add a note/ }).click()
  await paused.getByText('Rang them. (operator@jubilee.example)').waitFor()
  await paused.getByRole('button', { name: /^Give it back/ }).click()
  await paused.getByRole('button', { name: /^I have it/ }).waitFor()

  await paused.getByRole('link', { name: /^See the vendor/ }).click()
  await page.waitForURL(`**/operations/vendors/${vendorId}`)
  for (const name of [
    'Account',
    'Listings',
    'Bookings ahead',
    'Money',
    'Disputes',
    'Reviews',
    'Conversations reported',
    'Log',
  ])
    await main(page).getByRole('heading', { level: 2, name, exact: true }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width)
  expect(await findViolations(page, 'vendor')).toEqual([])

  // Once the provider pays them again, the task leaves the open page. A colleague's note comes, and what is typed stays.
  await visit(page, '/operations')
  await paused.waitFor()
  await returned.locator('summary', { hasText: 'Add a note' }).click()
  await returned.getByLabel('Note').fill('Wrote to them.')
  await db
    .updateTable('payout_accounts')
    .set({ state: 'active', requirements: '[]' })
    .where('vendor_user_id', '=', vendorId)
    .execute()
  await paused.waitFor({ state: 'detached' })
  await db
    .insertInto('task_marks')
    .values({
      ...{ task: 'returned:monday', holder_user_id: null, holder_email: null, note: 'Rang the bank.' },
      ...{ noted_by_email: 'colleague@jubilee.example', changed_at: stage.server.services.now() },
    })
    .execute()
  await returned.getByText('Rang the bank.').waitFor()
  await returned.getByRole('button', { name: /^Change the note/ }).click()
  await page.getByText('This has changed since you opened the page.').first().waitFor()
  expect(await returned.getByLabel('Note').inputValue()).toBe('Wrote to them.')

  await main(page)
    .getByRole('searchbox', { name: /^Search everything/ })
    .fill('vendor@jubilee.example')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/operations/search?**')
  await main(page)
    .getByRole('heading', { name: /^Vendors/ })
    .waitFor()
  await main(page).locator(`a[href="/operations/vendors/${vendorId}"]`).click()
  await page.waitForURL(`**/operations/vendors/${vendorId}`)
  await leave()
})

it('the screens are in groups, which open by keyboard and close with Escape, with Tab and with a link', async () => {
  const { page, leave } = await stage.arriveAs(ADMIN, PHONE)
  await visit(page, '/operations')
  const nav = main(page).getByRole('navigation', { name: 'Operations' })
  const link = (name: string) => nav.getByRole('link', { name: new RegExp(`^${name}`) })
  const group = (name: string) => nav.locator('summary', { hasText: name })
  await link('Payments').waitFor({ state: 'hidden' })
  await group('Money').focus()
  await page.keyboard.press('Enter')
  await link('Payments').waitFor()
  await page.keyboard.press('Tab')
  expect(await link('Payments').evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await link('Payments').waitFor({ state: 'hidden' })
  expect(await group('Money').evaluate((element) => element === document.activeElement)).toBe(true)

  await page.keyboard.press('Enter')
  await link('Payments').waitFor()
  await group('Team').click()
  await link('Payments').waitFor({ state: 'hidden' })
  await link('Log').click()
  await page.waitForURL('**/operations/log')
  await link('Log').waitFor({ state: 'hidden' })
  await group('Team, with this page: Log').waitFor()
  await leave()
})
