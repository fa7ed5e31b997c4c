import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness } from '../builders.ts'
import { Client, sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { DECLINE_AFTER_SECONDS: String(36 * 3_600), REMIND_VENDOR_AFTER_SECONDS: String(12 * 3_600) },
  })
  await aBusiness(server.services.db, { id: 'saltbush-hall' })
})
afterAll(() => server.close())

describe('with 36 hours to answer a booking', () => {
  it.each([
    ['/', ['hear back within 36 hours', 'Hear back in 36 hours', 'Approve or decline within 36 hours']],
    ['/business/saltbush-hall', ['The vendor answers within 36 hours']],
    [
      '/advice-support',
      ['A vendor has 36 hours to answer', '36 hours, or until', 'We remind you after 12 hours'],
    ],
  ])('%s says so', async (path, texts) => {
    const response = await sendTo(server, path)
    const page = (await response.text()).replaceAll('<!-- -->', '')
    for (const text of texts) expect(page).toContain(text)
    expect(page).not.toMatch(/within two days|two days to answer|in two days/i)
  })

  it('the screen that deactivates an account says so', async () => {
    const email = 'vendor@example.com'
    const browser = new Client(server)
    await browser.signUp(email)
    const { db } = server.services
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await aBusiness(db, { user_id: id })
    const page = (await (await browser.get('/confirm-deactivation')).text()).replaceAll('<!-- -->', '')
    expect(page).toContain('that wait for your answer after 36 hours')
  })
})
