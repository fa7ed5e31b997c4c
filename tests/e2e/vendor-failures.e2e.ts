import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { aBookingForm } from '../builders.ts'
import { nextEventDate, PHONE, signUp, visit } from './browser.ts'
import { bookAndPay } from './paid-booking.ts'
import { openStage } from './stage.ts'
import { aPicture, fillListing, fillRegistration } from './vendor-forms.ts'

/** A vendor's messages when something fails (Specification, section 8). Nothing typed is lost. */

const VENDOR = 'vendor@jubilee.example'
/** Console errors of requests that these tests let fail. */
const LET_FAIL = [/ERR_FAILED/, /status of 4\d\d/]
const VALID_ABN = '51824753556'

const stage = openStage()

const arriveOnPhone = () => stage.arrive(PHONE, LET_FAIL)
const arriveAsVendor = () => stage.arriveAs(VENDOR, PHONE, LET_FAIL)
const isPost = (address: RegExp) => (url: URL) => address.test(url.pathname)

/** Aborts POST requests to these paths until the returned function is called. */
async function cutOff(page: Page, address: RegExp): Promise<() => Promise<void>> {
  const matches = isPost(address)
  await page.route(matches, (route) =>
    route.request().method() === 'POST' ? route.abort('failed') : route.continue(),
  )
  return () => page.unroute(matches)
}

const newcomer = () => ({ origin: stage.server.origin, password: 'long enough' })

describe('registering a business', () => {
  it('covers the form while sending, explains a failure, keeps typed values, and clears the form on success', async () => {
    const { page, leave } = await arriveOnPhone()
    await signUp(page, { ...newcomer(), name: 'Oda Lind', email: 'oda.lind@example.com' })
    await visit(page, '/dashboard/register-business')
    await fillRegistration(page, { name: 'Oda Lind', email: 'oda.lind@example.com' })
    await page.getByLabel('ABN').fill(VALID_ABN)

    const reconnect = await cutOff(page, /register-business/)
    await page.getByRole('button', { name: 'Register Business' }).click()
    await page
      .getByText('Failed to register: we couldn’t be reached. Check your connection and try again.')
      .first()
      .waitFor()
    expect(await page.getByLabel('Business name').inputValue()).toBe('Nia & Co')
    expect(await page.getByLabel('Date of birth').inputValue()).toBe('1990-02-03')
    await reconnect()

    // The response waits until the overlay has appeared.
    let goOn = () => {}
    const seen = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route(isPost(/register-business/), async (route) => {
      if (route.request().method() === 'POST') await seen
      await route.continue()
    })
    await page.getByRole('button', { name: 'Register Business' }).click()
    await page.getByRole('status').filter({ hasText: 'Registering business, please wait...' }).waitFor()
    await page.getByRole('button', { name: 'Registering...' }).waitFor()
    goOn()
    await page.getByText('Business registered successfully!').waitFor()
    await page.getByLabel('Business name').waitFor({ state: 'detached' })
    await leave()
  })
})

describe('the form that changes a registration', () => {
  it('warns the second of two tabs, keeps what it typed, and saves it or shows what is saved', async () => {
    const SCREEN = '/dashboard/register-business'
    const [one, other] = [await arriveAsVendor(), await arriveAsVendor()]
    const industryOf = (page: Page) => page.getByLabel('Industry type')
    const gstOf = (page: Page) => page.getByLabel('GST registered')
    const warned = one.page.getByRole('alert').getByText('This registration has changed since')
    const openForm = async ({ page }: typeof one) => {
      await visit(page, SCREEN)
      await page.getByRole('button', { name: 'Edit' }).click()
      await industryOf(page).waitFor()
    }
    const save = async ({ page }: typeof one) => page.getByRole('button', { name: 'Save changes' }).click()
    const saved = ({ page }: typeof one) => page.getByRole('button', { name: 'Edit' }).waitFor()

    await openForm(one)
    await openForm(other)
    const gstBefore = await gstOf(one.page).isChecked()
    await gstOf(other.page).setChecked(!gstBefore)
    await save(other)
    await saved(other)

    await industryOf(one.page).fill('Piers')
    await save(one)
    await warned.waitFor()
    expect(await industryOf(one.page).inputValue()).toBe('Piers')
    expect(await gstOf(one.page).isChecked()).toBe(gstBefore)
    // Enter in a field is no choice to replace the other changes.
    await industryOf(one.page).press('Enter')
    await warned.waitFor({ state: 'detached' })
    await warned.waitFor()
    await one.page.getByRole('button', { name: 'Show saved registration' }).click()
    await saved(one)
    await one.page.getByRole('button', { name: 'Edit' }).click()
    expect(await gstOf(one.page).isChecked()).toBe(!gstBefore)
    expect(await industryOf(one.page).inputValue()).not.toBe('Piers')
    expect(await warned.count()).toBe(0)

    await openForm(other)
    await gstOf(other.page).setChecked(gstBefore)
    await save(other)
    await saved(other)
    await industryOf(one.page).fill('Piers')
    await save(one)
    await one.page.getByRole('button', { name: 'Save mine instead' }).click()
    await saved(one)
    await openForm(other)
    expect(await industryOf(other.page).inputValue()).toBe('Piers')
    expect(await gstOf(other.page).isChecked()).toBe(!gstBefore)
    await one.leave()
    await other.leave()
  })
})

describe('the listing form', () => {
  it('reports a failed request, keeps every value, and closes 1500 ms after it is saved', async () => {
    const { page, leave } = await arriveAsVendor()
    await visit(page, '/dashboard/list-business/new')
    await fillListing(page, 'Fernery for Failing')

    // One of two pictures fails, and the other is still uploaded.
    let refused = false
    await page.route('**/api/upload', async (route) => {
      const isSecond = route.request().postDataBuffer()?.includes('second.png') ?? false
      if (!isSecond || refused) return route.continue()
      refused = true
      await route.abort('failed')
    })
    await page
      .locator('input[type=file]')
      .setInputFiles([await aPicture('first.png', '#2f5d50'), await aPicture('second.png', '#c96f4a')])
    await page.getByText('Failed to upload second.png').waitFor()
    await expect.poll(() => page.locator('input[name=images]').count()).toBe(1)
    await page.getByRole('button', { name: /Try again/ }).click()
    await expect.poll(() => page.locator('input[name=images]').count()).toBe(2)

    const reconnect = await cutOff(page, /list-business\/new/)
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('Error submitting business. Please try again.').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Fernery for Failing')
    expect(await page.locator('input[name=images]').count()).toBe(2)
    await reconnect()

    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 3_600_000)
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('Your business is listed.').waitFor()
    await page.clock.runFor(1_499)
    expect(new URL(page.url()).pathname).toBe('/dashboard/list-business/new')
    await page.clock.runFor(1)
    await page.waitForURL('**/dashboard/list-business')
    await page.getByRole('heading', { level: 2, name: 'Fernery for Failing' }).waitFor()
    await leave()
  })

  it('warns the second of two tabs, keeps what it typed, and saves it or shows what is saved', async () => {
    const EDIT = '/dashboard/list-business/harbour-light-pavilion/edit'
    const [one, other] = [await arriveAsVendor(), await arriveAsVendor()]
    const descriptionOf = (page: Page) => page.getByLabel('Description')
    const servicesOf = (page: Page) => page.getByLabel('Services offered')
    const warned = one.page.getByRole('alert').getByText('This listing has changed since')
    const update = async (page: Page) => page.getByRole('button', { name: 'Update' }).click()
    await visit(one.page, EDIT)
    await visit(other.page, EDIT)
    const servicesBefore = await servicesOf(one.page).inputValue()
    await servicesOf(other.page).fill('A jetty, Heaters')
    await update(other.page)
    await other.page.getByText('Your changes are saved.').waitFor()
    await other.page.waitForURL('**/dashboard/list-business')

    await descriptionOf(one.page).fill('A pavilion on the water.')
    await update(one.page)
    await warned.waitFor()
    expect(await descriptionOf(one.page).inputValue()).toBe('A pavilion on the water.')
    // The draft is still one of the older version after the page was left.
    await visit(one.page, EDIT)
    await one.page.getByText('We kept what you typed earlier.').waitFor()
    expect(await servicesOf(one.page).inputValue()).toBe(servicesBefore)
    await update(one.page)
    await warned.waitFor()
    // Enter in a field is no choice to replace the other changes.
    await servicesOf(one.page).fill('A boat ramp')
    await servicesOf(one.page).press('Enter')
    await one.page.getByRole('button', { name: 'Saving...' }).waitFor({ state: 'detached' })
    await warned.waitFor()
    await one.page.getByRole('link', { name: 'Show saved listing' }).click()
    await expect.poll(() => servicesOf(one.page).inputValue()).toBe('A jetty, Heaters')
    expect(await descriptionOf(one.page).inputValue()).not.toBe('A pavilion on the water.')

    await visit(other.page, EDIT)
    await servicesOf(other.page).fill('A slipway')
    await update(other.page)
    await other.page.waitForURL('**/dashboard/list-business')
    await descriptionOf(one.page).fill('A pavilion on the water.')
    await update(one.page)
    await one.page.getByRole('button', { name: 'Save mine instead' }).click()
    await one.page.waitForURL('**/dashboard/list-business')
    await visit(other.page, EDIT)
    expect(await descriptionOf(other.page).inputValue()).toBe('A pavilion on the water.')
    expect(await servicesOf(other.page).inputValue()).toBe('A jetty, Heaters')
    await one.leave()
    await other.leave()
  })

  it('takes no more typing while it is saved, and none is lost when that fails', async () => {
    const { page, leave } = await arriveAsVendor()
    await visit(page, '/dashboard/list-business/harbour-light-pavilion/edit')
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route(isPost(/edit/), async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await held
      await route.abort('failed')
    })
    await page.getByLabel('Services offered').fill('A slipway')
    await page.getByRole('button', { name: 'Update' }).click()
    await page.getByRole('button', { name: 'Saving...' }).waitFor()
    const description = page.locator('textarea[name=description]')
    await description.evaluate((field) => field.focus())
    const before = await description.inputValue()
    await page.keyboard.type('More')
    expect(await description.inputValue()).toBe(before)
    goOn()
    await page.getByText('Error submitting business. Please try again.').waitFor()
    expect(await page.getByLabel('Services offered').inputValue()).toBe('A slipway')
    await description.fill('More')
    expect(await description.inputValue()).toBe('More')
    await leave()
  })

  it('names each file that the drop zone refuses', async () => {
    const { page, leave } = await arriveAsVendor()
    await visit(page, '/dashboard/list-business/new')
    await fillListing(page, 'Fernery for Refusing')
    const hand = (files: { name: string; mimeType: string; buffer: Buffer }[]) =>
      page.locator('input[type=file]').setInputFiles(files)
    await hand([{ name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }])
    await page.getByText('notes.pdf: File type must be JPEG, PNG, WebP, AVIF or GIF').waitFor()
    await hand([{ name: 'empty.png', mimeType: 'image/png', buffer: Buffer.alloc(0) }])
    await page.getByText('empty.png: File is empty').waitFor()
    await hand([{ name: 'vast.png', mimeType: 'image/png', buffer: Buffer.alloc(2_097_153, 1) }])
    await page.getByText('File vast.png exceeds 2MB and was skipped.').waitFor()
    await hand(await Promise.all(['a', 'b', 'c', 'd'].map((name) => aPicture(`${name}.png`, '#2f5d50'))))
    await page.getByText('You can only upload up to 3 images.').waitFor()
    // Files up to the limit are accepted.
    await expect.poll(() => page.locator('input[name=images]').count()).toBe(3)
    await leave()
  })

  it('accepts only one picture as the logo of a registration', async () => {
    const { page, leave } = await arriveOnPhone()
    await signUp(page, { ...newcomer(), name: 'Ivo Brandt', email: 'ivo.brandt@example.com' })
    await visit(page, '/dashboard/register-business')
    const drop = page.locator('input[type=file]')
    await drop.setInputFiles([
      { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1_048_576 + 1, 1) },
    ])
    await page.getByText('huge.png: File is larger than 5 MB').waitFor()
    // The file chooser allows one file. More can only be dropped.
    const two = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      for (const name of ['one.png', 'two.png'])
        transfer.items.add(new File(['x'], name, { type: 'image/png' }))
      return transfer
    })
    const area = page.getByRole('group', { name: /logo/i })
    await area.dispatchEvent('drop', { dataTransfer: two })
    await page.getByText('two.png: Too many files').waitFor()
    await leave()
  })
})

describe('lists', () => {
  it('keep a listing that failed to delete, and report it', async () => {
    const { page, leave } = await arriveAsVendor()
    await visit(page, '/dashboard/list-business')
    await cutOff(page, /list-business/)
    const remove = page.getByRole('button', { name: /^Delete / }).first()
    await remove.click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /Delete|Hide/ })
      .click()
    const told = page.getByRole('alertdialog').filter({ hasText: 'Failed to delete business.' })
    await told.getByRole('button', { name: 'OK' }).click()
    await remove.waitFor()
    await leave()
  })

  it('keep a booking whose decision failed to save, and report it', async () => {
    const { page, leave } = await arriveAsVendor()
    await bookAndPay(stage.server.services, {
      businessId: 'harbour-light-pavilion',
      amountCents: 1_305_000,
      booking: aBookingForm({ fullName: 'Ines Duarte', date: nextEventDate(), quantity: 90 }),
    })
    await visit(page, '/dashboard/bookings')
    await cutOff(page, /dashboard\/bookings/)
    const approve = page.getByRole('button', { name: 'Approve' }).first()
    await approve.click()
    await page.getByText('Error updating status').waitFor()
    await approve.waitFor()
    await leave()
  })

  it('hide a listing whose vendor agreed to that, although its last booking ended since, and say so', async () => {
    const { page, leave } = await arriveAsVendor()
    const { services } = stage.server
    const businessId = 'harbour-light-pavilion'
    await bookAndPay(services, {
      businessId,
      amountCents: 1_305_000,
      booking: aBookingForm({ date: nextEventDate(), quantity: 90 }),
    })
    await visit(page, '/dashboard/list-business')
    await services.db
      .updateTable('bookings')
      .set({ status: 'withdrawn' })
      .where('vendor_id', '=', businessId)
      .execute()
    const card = page.getByRole('article').filter({ has: page.locator(`[id="${businessId}-name"]`) })
    await card.getByRole('button', { name: /^Delete / }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Hide' }).click()
    const told = page.getByRole('alertdialog').filter({ hasText: 'It has no open bookings any more' })
    await told.getByRole('button', { name: 'OK' }).click()
    await card.getByText('Hidden', { exact: true }).waitFor()
    await card.getByRole('button', { name: 'Show again' }).click()
    await card.getByText('Hidden', { exact: true }).waitFor({ state: 'detached' })
    await leave()
  })
})
