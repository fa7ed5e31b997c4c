import type { Page } from 'playwright-core'
import { main, sendSignUp, visit } from './browser.ts'

/** The steps of a person on a site with hosted sign-in. */

export const PASSWORD = 'under the jacaranda'
/** Console errors of refusals that these tests cause, such as a live stream that ends with its session. */
export const REFUSED = [/status of 40[013]/]

export async function signUpHosted(page: Page, name: string, email: string): Promise<void> {
  await visit(page, '/signup?next=/my-profile')
  await sendSignUp(page, { name, email, password: PASSWORD })
  await page.waitForURL(({ pathname }) => pathname === '/my-profile')
  await page.getByRole('heading', { level: 1, name: 'My Profile' }).waitFor()
}

export async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await main(page).getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
}

export async function logOut(page: Page, firstName: RegExp): Promise<void> {
  await page.getByRole('button', { name: firstName }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.getByRole('link', { name: 'Log In' }).first().waitFor()
}

export async function confirmByPassword(page: Page, password: string): Promise<void> {
  await main(page).getByLabel('Password of that account', { exact: true }).fill(password)
  await main(page).getByRole('button', { name: 'Confirm my email' }).click()
}

/** Whether the service's SDK has a signed-in user in this browser. */
export const hasSdkUser = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const opening = indexedDB.open('firebaseLocalStorageDb')
        opening.onsuccess = () => {
          const database = opening.result
          const asked = database.objectStoreNames.contains('firebaseLocalStorage')
            ? database.transaction('firebaseLocalStorage').objectStore('firebaseLocalStorage').count()
            : null
          if (!asked) return resolve(false)
          asked.onsuccess = () => resolve(asked.result > 0)
        }
      }),
  )
