import { expect, it } from 'vitest'
import { DESKTOP, visit } from './browser.ts'
import { joinStage } from './stage.ts'

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
