import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'

/** A PNG picture as a file for upload. */
export async function aPicture(name: string, background: string) {
  const buffer = await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .png()
    .toBuffer()
  return { name, mimeType: 'image/png', buffer }
}

/** Fills in the required fields of the registration form, except the ABN. */
export async function fillRegistration(page: Page, owner: { name: string; email: string }): Promise<void> {
  await page.getByLabel('Business name').fill('Nia & Co')
  await page.getByLabel('Business structure').selectOption('Sole Trader')
  await page.getByLabel('Industry type').fill('Venue hire')
  await page.getByLabel('Principal address').fill('1 Sample Street, Geelong VIC')
  await page.getByLabel('Business phone').fill('(03) 5550-1234')
  await page.getByLabel('Business email').fill('shop@example.com')
  await page.getByLabel('Owner name').fill(owner.name)
  await page.getByLabel('Date of birth').fill('1990-02-03')
  await page.getByLabel('Owner phone').fill('0491 570 110')
  await page.getByLabel('Owner email').fill(owner.email)
}

/** Fills in the listing form, except its images. */
export async function fillListing(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Category').selectOption('Venues')
  await page.getByLabel('Description').fill('A glasshouse for eighty, among ferns.')
  await page.getByLabel('Services offered').fill('Tables, Heaters')
  await page.getByLabel('Location').pressSequentially('geel')
  await page
    .getByRole('listbox')
    .getByRole('option', { name: /Geelong/ })
    .first()
    .waitFor()
  await page.getByLabel('Location').press('ArrowDown')
  await page.getByLabel('Location').press('Enter')
  await page.getByLabel('Price', { exact: true }).fill('$20')
}

/** Adds pictures to the listing form and waits until all are uploaded. */
export async function addPictures(
  page: Page,
  pictures: readonly Awaited<ReturnType<typeof aPicture>>[],
): Promise<void> {
  await page.locator('input[type=file]').setInputFiles([...pictures])
  await expect.poll(() => page.locator('input[name=images]').count()).toBe(pictures.length)
}
