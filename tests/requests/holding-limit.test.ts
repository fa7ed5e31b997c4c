import { afterAll, beforeAll, expect, it } from 'vitest'
import { OPERATIONS_ZONE } from '../../app/features/operators/messages.ts'
import { formatInstant } from '../../app/shared/dates.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { Client } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { aPayoutAccount, fillEarnings } from '../earnings.ts'
import { startServer, type TestServer } from '../server.ts'

/** The operators' screens while money reaches the day until which it may be held (`HOLD_LIMIT_DAYS`, 85). */

const OPERATOR = 'operator@example.com'
// Near the real time, which sessions expire by.
let now = new Date()
const PAID_AT = new Date(now.getTime() - 85 * DAY_MS)
const LIMIT = formatInstant(now, OPERATIONS_ZONE)
let server: TestServer
beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { PAYOUTS: 'sandbox', TRUSTED_PROXY: '1', OPERATOR_EMAILS: OPERATOR },
    now: () => now,
  })
})
afterAll(() => server.close())

async function arrives(email: string): Promise<Client> {
  const browser = new Client(server)
  await browser.signUp(email)
  const { db } = server.services
  await db.updateTable('users').set({ email_verified: true }).where('email', '=', email).execute()
  return browser
}

it('money is near the limit until the limit, and overdue after it', async () => {
  const { db } = server.services
  await arrives('vendor@example.com')
  const operator = await arrives(OPERATOR)
  const { id: vendorUserId } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'vendor@example.com')
    .executeTakeFirstOrThrow()
  const accountId = await aPayoutAccount(db, vendorUserId)
  const eventUntil = new Date(PAID_AT.getTime() + 30 * DAY_MS)
  await fillEarnings(db, [
    {
      vendorUserId,
      accountId,
      bookedAt: PAID_AT,
      eventUntil,
      progress: 'due',
      heldReason: 'operator',
      customerName: 'Tom',
    },
  ])
  const textOf = async (path: string) => {
    const html = await (await operator.get(path)).text()
    return html
      .replaceAll(/<script[\s\S]*?<\/script>|<!-- -->/g, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
  }
  const near = await textOf('/operations/payouts')
  expect(near).toContain('Near the holding limit')
  expect(near).toContain(`Hold until ${LIMIT} at most`)
  expect(near).not.toContain('Past the holding limit')
  const before = await textOf('/operations')
  expect(before).toContain('Nothing is overdue.')
  expect(before).toContain('1 Payouts to look at')

  now = new Date(now.getTime() + 1)
  const past = await textOf('/operations/payouts')
  expect(past).toContain('Past the holding limit')
  expect(past).toContain(`The limit was ${LIMIT}`)
  expect(past).not.toContain('Near the holding limit')
  const after = await textOf('/operations')
  expect(after).toContain('1 Money held past its limit')
  expect(after).not.toContain('Nothing is overdue.')
})
