import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../app/adapters/database/migrate.server.ts'
import {
  forgetAdminClaims,
  isNamedAdmin,
  listNamedEmails,
} from '../../app/features/operators/named-admin-queries.server.ts'
import { Client } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { linkIn, mailTo } from '../sent-mails.ts'
import { startServer, type TestServer } from '../server.ts'

const PEOPLE = '/operations/people'

let server: TestServer
let named = 0
const NAMES = Array.from({ length: 12 }, (_, index) => `named-${index}@example.com`)

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { TRUSTED_PROXY: '1', OPERATOR_EMAILS: NAMES.join(',') },
  })
})
afterAll(() => server.close())

/** An address of the settings that no account has had. */
const aNamedEmail = () => NAMES[named++] ?? ''

async function aPerson(email: string, { isProved = true } = {}): Promise<Client> {
  const browser = new Client(server)
  await browser.signUp(email)
  if (isProved)
    await server.services.db
      .updateTable('users')
      .set({ email_verified: true })
      .where('email', '=', email)
      .execute()
  return browser
}

/** Changes the address by the form and the mailed link, as a person does. */
async function changesEmail(browser: Client, to: string): Promise<void> {
  await browser.post('/my-profile', { intent: 'email', email: to })
  const token = linkIn(await mailTo(server, to, /.*/)).split('token=')[1] ?? ''
  expect((await browser.post('/verify-email', { intent: 'confirm', token })).status).toBeLessThan(400)
  browser.email = to
}

const isAdmin = async (browser: Client) => (await browser.get(PEOPLE)).status === 200

describe('an admin whom the settings name', () => {
  it('keeps the role with another address, and only the settings can take it', async () => {
    const admin = await aPerson(aNamedEmail())
    expect(await isAdmin(admin)).toBe(true)
    await changesEmail(admin, 'moved-1@example.com')
    expect(await isAdmin(admin)).toBe(true)
    const page = await (await admin.get(PEOPLE)).text()
    expect(page).toContain('moved-1@example.com')
    expect(page).toContain('Named in the settings')
    // As after a start with settings that name others alone.
    const present = { uid: (await admin.user())?.uid ?? '', email: admin.email }
    const { db } = server.services
    expect(await isNamedAdmin(db, present, new Set(NAMES))).toBe(true)
    expect(await isNamedAdmin(db, present, new Set(['someone@example.com']))).toBe(false)
  })

  it('can’t be looked at or disabled by support with another address', async () => {
    const admin = await aPerson(aNamedEmail())
    expect(await isAdmin(admin)).toBe(true)
    await changesEmail(admin, 'moved-2@example.com')
    const support = await aPerson('support@example.com')
    await server.services.db
      .updateTable('users')
      .set({ operator_role: 'support' })
      .where('email', '=', support.email)
      .execute()
    const { id } = await server.services.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', admin.email)
      .executeTakeFirstOrThrow()
    const disable = { intent: 'disable-account', id, reason: 'Because.' }
    expect((await support.post('/operations/accounts', disable)).status).toBe(409)
    const view = await support.post('/operations/see-as', { id, reason: 'Because.' })
    expect(view.headers.get('set-cookie') ?? '').not.toContain('view')
    expect(await isAdmin(admin)).toBe(true)
  })

  it('gets the mails to admins at the new address, and the old one gets none', async () => {
    const old = aNamedEmail()
    const admin = await aPerson(old)
    expect(await isAdmin(admin)).toBe(true)
    await changesEmail(admin, 'moved-3@example.com')
    const person = await aPerson('to-be-named@example.com')
    await admin.post(PEOPLE, { intent: 'name-operator', email: person.email, role: 'support' })
    expect((await mailTo(server, 'moved-3@example.com', /operator|support/i)).text).toContain(person.email)
    // All admins get theirs in one transaction. Once no mail waits, the old address would have it too.
    const waiting = async () =>
      (await server.services.jobs.count()).filter(({ name }) => name === 'send-mail')
    await expect.poll(waiting, { timeout: 20_000 }).toEqual([])
    const sent = (await server.services.outbox?.list(100)) ?? []
    expect(sent.filter(({ to, subject }) => to === old && /operator|support/i.test(subject))).toEqual([])
  })
})

describe('the address by which the settings name an admin', () => {
  const claims = () => server.services.db.selectFrom('admin_claims').select(['email', 'user_id']).execute()

  it('appears in the export of its account alone', async () => {
    const admin = await aPerson(aNamedEmail())
    const named = admin.email
    expect(await isAdmin(admin)).toBe(true)
    await changesEmail(admin, 'moved-4@example.com')
    const exported = async (browser: Client) =>
      (await (await browser.get('/settings-privacy/my-data.json')).json()) as { adminAddresses: unknown }
    expect((await exported(admin)).adminAddresses).toEqual([{ email: named, claimedAt: expect.any(String) }])
    const other = await aPerson('no-admin@example.com')
    expect((await exported(other)).adminAddresses).toEqual([])
    const nobody = await new Client(server).get('/settings-privacy/my-data.json')
    expect(nobody.headers.get('location')).toContain('/login')
  })

  it('outlives its account without a person, until the settings no longer name it', async () => {
    const { db } = server.services
    const admin = await aPerson(aNamedEmail())
    expect(await isAdmin(admin)).toBe(true)
    const kept = await aPerson(aNamedEmail())
    expect(await isAdmin(kept)).toBe(true)
    expect((await admin.post('/confirm-deletion', { intent: 'delete' })).status).toBe(302)
    await forgetAdminClaims(db, new Set(NAMES))
    expect(await claims()).toContainEqual({ email: admin.email, user_id: null })
    await forgetAdminClaims(db, new Set(NAMES.filter((email) => email !== admin.email)))
    expect((await claims()).map(({ email }) => email)).not.toContain(admin.email)
    // The settings no longer name it, but its account could be named again.
    await forgetAdminClaims(db, new Set())
    expect((await claims()).map(({ email }) => email)).toContain(kept.email)
  })
})

describe('the first start after the upgrade', () => {
  it('gives each address of the settings to the account that had proved it before', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jubilee-migrations-'))
    cpSync('database/migrations', folder, { recursive: true })
    for (const name of readdirSync(folder)) if (name >= '0055_admin_claims.sql') rmSync(join(folder, name))
    const connection = await openTestDatabase('nothing')
    const { db } = connection
    await migrate(connection, folder)
    rmSync(folder, { recursive: true })
    const person = (id: string, email: string, isProved: boolean) =>
      sql`insert into users (id, name, email, email_verified, created_at, updated_at)
        values (${id}, 'Robin Vale', ${email}, ${isProved}, now(), now())`.execute(db)
    await person('proved', 'Proved@example.com', true)
    await person('typed', 'typed@example.com', false)
    const named = new Set(['proved@example.com', 'typed@example.com', 'nobody@example.com'])
    const upgraded = await startServer({
      openDatabase: async () => connection,
      env: { OPERATOR_EMAILS: [...named].join(',') },
    })
    try {
      // The account leaves its address before it has sent a request, and a stranger proves it.
      await sql`update users set email = 'moved@example.com' where id = 'proved'`.execute(db)
      await person('stranger', 'proved@example.com', true)
      const isNamed = (uid: string, email: string) => isNamedAdmin(db, { uid, email }, named)
      expect(await isNamed('proved', 'moved@example.com')).toBe(true)
      expect(await isNamed('stranger', 'proved@example.com')).toBe(false)
      expect(await isNamed('typed', 'typed@example.com')).toBe(false)
      expect(await listNamedEmails(db, named)).toEqual(
        new Set(['moved@example.com', 'typed@example.com', 'nobody@example.com']),
      )
    } finally {
      await upgraded.close()
    }
  })
})

describe('a stranger with an address that the settings name', () => {
  it('becomes no admin before the address is proved', async () => {
    const stranger = await aPerson(aNamedEmail(), { isProved: false })
    expect(await isAdmin(stranger)).toBe(false)
  })

  it.each(['has left', 'has deleted with their account'] as const)(
    'becomes no admin, proved or not, if an admin %s it',
    async (how) => {
      const email = aNamedEmail()
      const admin = await aPerson(email)
      expect(await isAdmin(admin)).toBe(true)
      if (how === 'has left') await changesEmail(admin, `left-${email}`)
      else expect((await admin.post('/confirm-deletion', { intent: 'delete' })).status).toBe(302)
      const stranger = await aPerson(email, { isProved: false })
      expect(await isAdmin(stranger)).toBe(false)
      await server.services.db
        .updateTable('users')
        .set({ email_verified: true })
        .where('email', '=', email)
        .execute()
      expect(await isAdmin(stranger)).toBe(false)
      expect(await stranger.user()).toMatchObject({ isOperator: false })
      // An admin can name them like anybody else.
      const other = await aPerson(aNamedEmail())
      await other.post(PEOPLE, { intent: 'name-operator', email, role: 'support' })
      expect((await stranger.get('/operations')).status).toBe(200)
      expect(await isAdmin(stranger)).toBe(false)
    },
  )
})
