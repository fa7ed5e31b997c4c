import { expect, it } from 'vitest'
import { bringAxe, findViolations } from './axe.ts'
import { DESKTOP, main, PHONE, signUp, visit } from './browser.ts'
import { joinStage } from './stage.ts'

const PASSWORD = 'under the jacaranda'
const stage = joinStage()

it.each([
  ['phone', PHONE],
  ['desktop', DESKTOP],
] as const)('a person finds guesses of their password and what to do, on a %s', async (_name, viewport) => {
  const { page, leave } = await stage.arrive(viewport)
  await bringAxe(page)
  const email = await signUp(page, { origin: stage.server.origin, password: PASSWORD })
  const guesser = await stage.arrive(viewport, [/400/])
  await visit(guesser.page, '/login')
  for (const guess of ['a guess', 'another guess']) {
    await main(guesser.page).getByLabel('Email').fill(email)
    await guesser.page.getByLabel('Password', { exact: true }).fill(guess)
    const answered = guesser.page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().includes('/login'),
    )
    await main(guesser.page).getByRole('button', { name: 'Log In', exact: true }).click()
    expect((await answered).status()).toBe(400)
    await main(guesser.page).getByText('Email or password is not right.').first().waitFor()
  }
  await guesser.leave()

  await visit(page, '/settings-privacy')
  await main(page).getByRole('link', { name: 'See recent activity' }).click()
  await main(page).getByRole('heading', { name: 'Recent activity' }).waitFor()
  const refused = main(page).getByRole('listitem').filter({ hasText: 'Login refused: wrong password' })
  await refused.getByText('2 times').waitFor()
  await refused.getByText('the network you use now').waitFor()
  expect(await findViolations(page, 'recent activity')).toEqual([])
  await refused.getByRole('link', { name: /^This wasn’t me/ }).click()
  const advice = main(page).getByRole('region', { name: 'If it wasn’t you' })
  await expect
    .poll(() => advice.evaluate((node) => node.getBoundingClientRect().top < innerHeight))
    .toBe(true)
  const operator = await stage.arriveAs('operator@jubilee.example', viewport)
  await bringAxe(operator.page)
  await visit(operator.page, `/operations/accounts?q=${email}`)
  await main(operator.page).getByRole('link', { name: 'Activity of Imogen Hale' }).click()
  await main(operator.page).getByRole('heading', { name: 'Activity of Imogen Hale' }).waitFor()
  await main(operator.page).getByText('Login refused: wrong password').waitFor()
  expect(await findViolations(operator.page, 'activity of an account')).toEqual([])
  await operator.leave()
  await visit(page, '/settings-privacy/activity')
  await main(page).getByText('Our team looked at this list').waitFor()

  await advice.getByRole('link', { name: 'Change your password' }).click()
  const form = main(page).getByRole('region', { name: 'Password' })
  await form.getByLabel('Current password').fill(PASSWORD)
  await form.getByLabel('New password').fill('over the wattle')
  await form.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Your password is changed.').first().waitFor()
  await leave()
})
