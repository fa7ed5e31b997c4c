import { expect, it } from 'vitest'
import { PHONE, visit } from './browser.ts'
import { openStage } from './stage.ts'
import { fillRegistration } from './vendor-forms.ts'

/** The Australian Business Register in the registration form and on the saved page. The ABNs are of the sandbox's table. */

const stage = openStage()

const CANCELLED = '47999999901'
const TRUST = '79999999904'
const OUTAGE = '60999999905'

it('the form shows the register’s answer below ‘Valid ABN’, and fills in only what is empty', async () => {
  const { page, leave } = await stage.arriveAs('customer@jubilee.example', PHONE, [/503/])
  await visit(page, '/dashboard/register-business')
  const abn = page.getByLabel('ABN')
  const name = page.getByLabel('Business name')
  const structure = page.getByLabel('Business structure')
  await abn.fill(OUTAGE)
  await page.getByText('Valid ABN', { exact: true }).waitFor()
  await page.getByText('doesn’t answer now. You can save all the same.').waitFor()
  await abn.fill(CANCELLED)
  await page.getByText('CLOSED DOORS PTY LTD. Cancelled on 1 October 2026.').waitFor()
  expect([await name.inputValue(), await structure.inputValue()]).toEqual(['', ''])

  await abn.fill(TRUST)
  await page.getByText('Filled in from there: business name and business structure.').waitFor()
  await page.getByText('Valid ABN', { exact: true }).waitFor()
  expect([await name.inputValue(), await structure.inputValue()]).toEqual(['Tall Poppies Flowers', 'Trust'])
  await abn.fill('')
  await name.fill('Poppies')
  await abn.fill(TRUST)
  await page.getByText('Tall Poppies Flowers. Active since').waitFor()
  expect([await name.inputValue(), await structure.inputValue()]).toEqual(['Poppies', 'Trust'])
  await expect.poll(() => page.getByText('Filled in from there').count()).toBe(0)
  await leave()
})

it('a vendor whose ABN is cancelled reads what to do, corrects it, and asks again', async () => {
  const { page, leave } = await stage.arriveAs('customer@jubilee.example', PHONE)
  await visit(page, '/dashboard/register-business')
  await fillRegistration(page, { name: 'Kim Lee', email: 'customer@jubilee.example' })
  await page.getByLabel('ABN').fill(CANCELLED)
  await page.getByRole('button', { name: 'Register Business' }).click()
  await page.getByText('Business registered successfully!').waitFor()
  // A job asks.
  await expect
    .poll(async () => {
      await visit(page, '/dashboard/register-business')
      return page.getByText('Your ABN is cancelled', { exact: true }).count()
    })
    .toBe(1)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('ABN').fill('98999999903')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Your registration is saved.').waitFor()
  await page.getByRole('button', { name: 'Ask again' }).click()
  await page.getByText('The register has answered.').waitFor()
  await page.getByText('Active since 1 July 2000. Not registered for GST.').waitFor()
  await page.getByText('The name there isn’t the one in your registration.', { exact: false }).waitFor()
  expect(await page.getByText('Your ABN is cancelled').count()).toBe(0)
  await leave()
})
