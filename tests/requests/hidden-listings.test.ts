import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness, aUser } from '../builders.ts'
import { Client } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { linkIn, mailTo } from '../sent-mails.ts'
import { startServer, type TestServer } from '../server.ts'

const LISTINGS = '/operations/listings'
let server: TestServer
let operator: Client

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { TRUSTED_PROXY: '1', OPERATOR_EMAILS: 'boss@example.com' },
  })
  operator = new Client(server)
  const email = 'boss@example.com'
  await operator.signUp(email)
  const link = linkIn(await mailTo(server, email, /^Confirm your email/))
  await operator.post(link, {
    intent: 'confirm',
    token: new URLSearchParams(link.split('?')[1]).get('token') ?? '',
  })
})
afterAll(() => server.close())

const statusOf = async (id: string) => (await new Client(server).get(`/business/${id}`)).status
async function press(path: string, fields: Record<string, string>): Promise<string> {
  const answer = await operator.post(path, fields)
  expect(answer.status).toBe(200)
  return answer.text()
}

describe('an operator who shows a listing again', () => {
  it('publishes none of a disabled account, until that is enabled', async () => {
    const vendor = await aUser(server.services.db)
    const { id } = await aBusiness(server.services.db, { user_id: vendor.id })
    expect(await statusOf(id)).toBe(200)
    await press(LISTINGS, { intent: 'hide-listing', id, reason: 'Fraud' })
    await press('/operations/accounts', { intent: 'disable-account', id: vendor.id, reason: 'Fraud' })
    expect(await press(LISTINGS, { intent: 'show-listing', id })).toContain(
      'Still hidden: its account is disabled.',
    )
    expect(await statusOf(id)).toBe(410)
    await press('/operations/accounts', { intent: 'enable-account', id: vendor.id })
    expect(await statusOf(id)).toBe(200)
  })

  it('publishes none that its owner had hidden', async () => {
    const { id } = await aBusiness(server.services.db, { hidden_at: new Date(), hidden_by: 'owner' })
    await press(LISTINGS, { intent: 'hide-listing', id, reason: 'Fraud' })
    expect(await press(LISTINGS, { intent: 'show-listing', id })).toContain(
      'Still hidden: its owner had hidden it.',
    )
    expect(await statusOf(id)).toBe(410)
  })
})
