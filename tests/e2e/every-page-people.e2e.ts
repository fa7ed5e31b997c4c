import { expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { checkEveryPage, findCutOff } from './every-page.ts'
import { visitItself } from './pages.ts'

const { stage } = checkEveryPage(['customer', 'vendor'])

it('an account with a long name and email fits a phone’s screen', async () => {
  const { db } = stage.server.services
  const customer = await stage.arriveAs('customer@jubilee.example', PHONE, [])
  const long = {
    name: 'Maximiliane-Konstantina Featherstonehaughington-Cholmondeley',
    email: `maximiliane.featherstonehaugh.${'cholmondeley'.repeat(3)}@bigpond.example.net.au`,
    email_verified: false,
  }
  const change = (to: typeof long, from: string) =>
    db.updateTable('users').set(to).where('email', '=', from).execute()
  const { name } = await db
    .selectFrom('users')
    .select('name')
    .where('email', '=', 'customer@jubilee.example')
    .executeTakeFirstOrThrow()
  await change(long, 'customer@jubilee.example')
  try {
    for (const path of ['/userdashboard/user', '/my-bookings']) {
      await visitItself(customer.page, path)
      await customer.page.getByText(long.email).first().waitFor()
      expect(await customer.page.evaluate(findCutOff)).toEqual([])
    }
  } finally {
    // The files of a lane share this account.
    await change({ name, email: 'customer@jubilee.example', email_verified: true }, long.email)
  }
  await customer.leave()
})
