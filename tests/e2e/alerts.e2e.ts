import { expect, it } from 'vitest'
import { linkIn, mailTo } from '../sent-mails.ts'
import { main, PHONE, visit } from './browser.ts'
import { joinStage } from './stage.ts'

const stage = joinStage()

it('a search that finds nobody is followed, confirmed by its mail, and ended there', async () => {
  const visitor = await stage.arrive(PHONE)
  const { page } = visitor
  const email = 'follower-on-a-phone@example.com'
  await visit(page, '/photographers?guests=40&place=Coober+Pedy%2C+SA')
  const offer = main(page).getByRole('region', { name: 'None yet: tell me when one does' })
  await offer.getByLabel('Email').fill(email)
  await offer.getByRole('button', { name: 'Tell me' }).click()
  await offer.getByText(`open the email that we’ve sent to ${email}`).waitFor()
  await visit(page, linkIn(await mailTo(stage.server, email, /^Confirm your saved search/)))
  await main(page).getByRole('button', { name: 'Yes, tell me' }).click()
  await main(page).getByRole('heading', { name: 'These emails are on' }).waitFor()
  await main(page).getByRole('button', { name: 'End these emails' }).click()
  await main(page).getByText('This search is ended.').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
  await visitor.leave()
})
