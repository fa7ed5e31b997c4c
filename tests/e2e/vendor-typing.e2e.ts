import { expect, it } from 'vitest'
import { DESKTOP, visit } from './browser.ts'
import { joinStage } from './stage.ts'
import { addPictures, aPicture } from './vendor-forms.ts'

/** Typing and selecting in a vendor's forms, with real keys and the mouse. */

const stage = joinStage()

it('Backspace and Delete beside a space of the ABN delete the digit beyond it, and the cursor stays', async () => {
  const { page, leave } = await stage.arriveAs('customer@jubilee.example', DESKTOP)
  await visit(page, '/dashboard/register-business')
  const abn = page.getByLabel('ABN')
  const cursor = () => abn.evaluate((input: HTMLInputElement) => input.selectionStart)
  const press = async (...keys: string[]) => {
    for (const key of keys) await abn.press(key)
  }
  await abn.pressSequentially('51824753556')
  expect(await abn.inputValue()).toBe('51 824 753 556')
  // Just after the space behind 824.
  await press('Home', ...Array<string>(7).fill('ArrowRight'))
  await press('Backspace')
  expect([await abn.inputValue(), await cursor()]).toEqual(['51 827 535 56', 5])
  await press('Backspace', 'Backspace')
  expect([await abn.inputValue(), await cursor()]).toEqual(['51 753 556', 2])
  // Just before the space behind 51.
  await press('Delete')
  expect([await abn.inputValue(), await cursor()]).toEqual(['51 535 56', 2])
  // A key that changes nothing leaves the cursor where it is.
  await press('x', '8')
  expect([await abn.inputValue(), await cursor()]).toEqual(['51 853 556', 4])
  await leave()
})

it('the mouse selects the text of a picture’s description, and drags the picture itself to another place', async () => {
  const { page, leave } = await stage.arriveAs('vendor@jubilee.example', DESKTOP)
  await visit(page, '/dashboard/list-business/new')
  await addPictures(page, [await aPicture('front.png', '#2f5d50'), await aPicture('inside.png', '#c96f4a')])
  const pictures = page.getByRole('list', { name: 'Images in order' }).getByRole('listitem')
  const names = () =>
    pictures.getByRole('img').evaluateAll((images) => images.map((image) => image.getAttribute('alt')))
  const field = pictures.first().getByRole('textbox')
  await field.fill('A glasshouse among ferns')
  await field.scrollIntoViewIfNeeded()
  const box = await field.boundingBox()
  if (!box) throw new Error('The field isn’t shown.')
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width - 10, y)
  await page.mouse.down()
  await page.mouse.move(box.x + 60, y, { steps: 5 })
  await page.mouse.move(box.x + 2, y, { steps: 5 })
  await page.mouse.up()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('A glasshouse among ferns')
  expect(await names()).toEqual(['front.png', 'inside.png'])

  await pictures.nth(1).getByRole('img').dragTo(pictures.first().getByRole('img'))
  await expect.poll(names).toEqual(['inside.png', 'front.png'])
  await leave()
})
