import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  ACT_NAMES,
  ACTION_LABELS,
  type ActName,
  actOf,
  operationSchema,
} from '../../app/features/operators/act-rules.ts'
import { may, ROLES, type Role, rolesWith } from '../../app/features/operators/role-rules.ts'
import { EXPORTED_LISTS } from '../../app/features/operators/rules.ts'
import { registerBusiness } from '../../app/features/registrations/commands.server.ts'
import { registerDeps } from '../../app/services/deps.server.ts'
import { DAY_MS, MINUTE_MS } from '../../app/shared/time-units.ts'
import { Client, PASSWORD } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { mailTo } from '../sent-mails.ts'
import { builtRoutes, startServer, type TestServer } from '../server.ts'

const FIRST = 'first-admin@example.com'
const PEOPLE = '/operations/people'

let server: TestServer
const operators = new Map<Role, Client>()
let first: Client
let stranger: Client

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { PAYOUTS: 'sandbox', TRUSTED_PROXY: '1', OPERATOR_EMAILS: FIRST },
  })
  first = await aPerson(FIRST)
  stranger = await aPerson()
  for (const role of ROLES) operators.set(role, await anOperator(role))
})
afterAll(() => server.close())

let people = 0
async function aPerson(
  email = `person-${++people}@example.com`,
  { isVerified = true } = {},
): Promise<Client> {
  const browser = new Client(server)
  await browser.signUp(email)
  if (isVerified)
    await server.services.db
      .updateTable('users')
      .set({ email_verified: true })
      .where('email', '=', email)
      .execute()
  return browser
}

async function anOperator(role: Role): Promise<Client> {
  const person = await aPerson()
  const named = await first.post(PEOPLE, { intent: 'name-operator', email: person.email, role })
  expect(named.status).toBe(200)
  return person
}

const operator = (role: Role) => operators.get(role) as Client

const rowOf = ({ email }: Client) =>
  server.services.db
    .selectFrom('users')
    .select(['id', 'operator_role'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
const idOf = async (person: Client) => (await rowOf(person)).id
const roleOf = async (person: Client) => (await rowOf(person)).operator_role

/** Makes the last proof of a person's sessions this number of minutes old. */
const ageProofs = async (person: Client, minutes: number) =>
  server.services.db
    .updateTable('sessions')
    .set({ created_at: new Date(Date.now() - minutes * 60_000), proved_at: null, factor_proved_at: null })
    .where('user_id', '=', await idOf(person))
    .execute()

const ALL = ROLES
const MODERATORS: readonly Role[] = ['support', 'admin']
const TREASURERS: readonly Role[] = ['finance', 'admin']

/** The roles that may open each screen. Repeats the product's table, so that a change there has to be deliberate. */
const SCREENS: Record<string, readonly Role[]> = {
  '/operations': ALL,
  '/operations/search': ALL,
  '/operations/bookings': ALL,
  '/operations/payments': ALL,
  '/operations/payments/:id': ALL,
  '/operations/export/:list': TREASURERS,
  '/operations/disputes/:id?': ALL,
  '/operations/vendors/:id': ALL,
  '/operations/accounts': ALL,
  '/operations/accounts/:id/activity': ALL,
  '/operations/log': ALL,
  '/operations/reviews': MODERATORS,
  '/operations/listings': MODERATORS,
  '/operations/reports/:id?': MODERATORS,
  '/operations/payouts': TREASURERS,
  '/operations/ledger': TREASURERS,
  '/operations/tax': TREASURERS,
  '/operations/tax/:file': TREASURERS,
  '/operations/comparison': TREASURERS,
  '/operations/see-as/:step?': MODERATORS,
  '/operations/people': ['admin'],
}

const WHY = { reason: 'Because.' }

/** Values that the schemas of acts take, tried in this order. */
const CANDIDATES = [undefined, 'none', '1', 'Venues', 'support', 'waiting', 'vendor', 'write_off', 'wait']

/** A form of an act that the server can read, made from its schema. Nothing has the id 'none'. */
function posted(intent: ActName): Record<string, string> {
  const form: Record<string, string> = { intent }
  for (const [name, schema] of Object.entries(actOf(intent).input)) {
    const fits = CANDIDATES.filter((candidate) => schema.safeParse(candidate).success)
    if (fits.length === 0) throw new Error(`No candidate fits ${name} of ${intent}.`)
    if (fits[0] !== undefined) form[name] = fits[0]
  }
  return form
}

/** The acts as lines of text: their roles, whether they ask again, what a second person depends on, and their log. */
const actMap = () =>
  ACT_NAMES.map((name) => {
    const { permission, asksAgain, secondPerson, logs } = actOf(name)
    const parts = [
      rolesWith(permission).join(' '),
      asksAgain ? 'asks again' : 'asks nothing',
      secondPerson ? `second person by ${secondPerson.by}` : 'alone',
      `logs ${Object.keys(logs).join(' ') || 'nothing of its own'}`,
    ]
    return `${name}: ${parts.join(', ')}\n`
  })
    .toSorted()
    .join('')

const pathOf = (pattern: string) => pattern.replace(/\/:\w+\?$/, '').replace(/:\w+/g, 'none')

describe('the registry of acts', () => {
  // No snapshot: a run that renews snapshots must not renew this.
  it('matches its map, so that a change of who may do what is deliberate', () => {
    expect(actMap()).toBe(readFileSync('tests/requests/act-map.txt', 'utf8'))
  })

  it.each(ACT_NAMES)(
    'has a form of %s that the server reads, and words for its entries in the log',
    (name) => {
      expect(operationSchema.safeParse(posted(name)).error).toBeUndefined()
      const { input, fields = {}, logs } = actOf(name)
      expect(Object.keys(input)).toEqual(expect.arrayContaining(Object.keys(fields)))
      expect(ACTION_LABELS).toMatchObject(logs)
    },
  )
})

describe('the table of roles', () => {
  it('lists every operators’ screen', () => {
    const screens = builtRoutes.filter(({ guard }) => guard === 'operator').map(({ path }) => path)
    expect(Object.keys(SCREENS).toSorted()).toEqual(screens.toSorted())
  })

  const screens = Object.entries(SCREENS).flatMap(([pattern, roles]) =>
    ROLES.map((role) => [role, pattern, roles.includes(role)] as const),
  )
  it.each(screens)('as %s, opens %s: %s', async (role, pattern, isOpen) => {
    const path = pathOf(pattern)
    for (const address of [path, `${path}.data`]) {
      const response = await operator(role).get(address)
      // There is no payment and no vendor 'none', and no screen where a view begins.
      if (isOpen) expect([200, 202, 302, 404]).toContain(response.status)
      else expect(response.status).toBe(403)
    }
    if (isOpen) return
    // The one shows nothing, the other is a file.
    if (['/operations/see-as/:step?', '/operations/export/:list', '/operations/tax/:file'].includes(pattern))
      return
    const html = await (await operator(role).get(path)).text()
    expect(html).toContain('Your role can’t do this')
    expect(html).toContain(`Yours is ${role}.`)
  })

  const buttons = ACT_NAMES.flatMap((name) =>
    ROLES.map((role) => [role, name, may(role, actOf(name).permission)] as const),
  )
  it.each(buttons)('as %s, performs %s: %s', async (role, intent, isAllowed) => {
    // A screen that each role may open: the button alone decides.
    const response = await operator(role).post('/operations/accounts', posted(intent))
    if (isAllowed) expect([200, 409, 422]).toContain(response.status)
    else {
      expect(response.status).toBe(403)
      expect(await response.text()).toMatch(/This needs the role (support|finance|admin)/)
    }
  })

  describe('pressed eleven minutes after the last proof', () => {
    let admin: Client
    beforeAll(async () => {
      admin = operator('admin').copy()
      await ageProofs(admin, 11)
    })
    afterAll(() => ageProofs(admin, 0))

    const asking = ACT_NAMES.map((name) => [name, actOf(name).asksAgain] as const)
    it.each(asking)('%s asks again: %s', async (intent, asksAgain) => {
      const response = await admin.post('/operations/accounts', posted(intent))
      if (asksAgain) expect(response.status).toBe(403)
      else expect([200, 409, 422]).toContain(response.status)
    })
  })

  it('refuses every screen and button to nobody and to someone else with 404', async () => {
    for (const browser of [new Client(server), stranger]) {
      for (const pattern of Object.keys(SCREENS))
        expect([pattern, (await browser.get(pathOf(pattern))).status]).toEqual([pattern, 404])
      for (const intent of ACT_NAMES)
        expect([intent, (await browser.post('/operations/accounts', posted(intent))).status]).toEqual([
          intent,
          404,
        ])
    }
  })

  it('shows each role only the screens and buttons that it may use', async () => {
    const page = async (role: Role, path: string) => (await operator(role).get(path)).text()
    for (const [pattern, roles] of Object.entries(SCREENS)) {
      const path = pathOf(pattern)
      if (path.includes('none') || path.endsWith('see-as')) continue
      for (const role of ROLES) {
        const hasLink = new RegExp(`(href|action)="${path}"`).test(await page(role, '/operations'))
        expect([role, path, hasLink]).toEqual([role, path, roles.includes(role)])
      }
    }
    expect(await page('finance', '/operations/accounts')).not.toContain('value="disable-account"')
    expect(await page('support', '/operations/accounts')).toContain('value="disable-account"')
  })
})

describe('an ABN that several accounts have registered (Decision 8)', () => {
  const ABN = '33102417032'
  const HEADING = 'ABNs of several accounts'
  const page = async (role: Role, path: string) => (await operator(role).get(path)).text()
  const register = async (person: Client, businessName: string) =>
    registerBusiness(registerDeps(server.services), await idOf(person), {
      businessName,
      abn: ABN,
      acn: '',
      businessStructure: 'Sole Trader',
      industryType: 'Events',
      gstRegistered: false,
      principalAddress: '1 Sample Street, Geelong VIC',
      postalAddress: '',
      businessPhone: '(03) 5550 1234',
      businessEmail: 'shop@example.com',
      website: '',
      ownerName: 'Robin Vale',
      ownerDob: '1990-02-03',
      ownerPhone: '0400 000 000',
      ownerEmail: 'robin@example.com',
      logoUrl: '',
      businessDescription: 'Rooms by the sea.',
    })

  it('appears to operators of every role beside the accounts, and to nobody else', async () => {
    const [one, other] = [await aPerson(), await aPerson()]
    expect((await register(one, 'Tide House')).ok).toBe(true)
    expect(await page('support', '/operations/accounts')).not.toContain(HEADING)
    expect((await register(other, 'Tide House Copy')).ok).toBe(true)
    for (const role of ROLES) {
      const html = await page(role, '/operations/accounts')
      expect(html).toContain(HEADING)
      expect(html).toContain('33 102 417 032')
      for (const person of [one, other])
        expect(html).toContain(`/operations/accounts?q=${await idOf(person)}`)
    }
    expect(await page('support', '/operations/accounts?q=robin')).not.toContain(HEADING)
    expect((await one.get('/operations/accounts')).status).toBe(404)
    const nobody = await new Client(server).get('/operations/accounts')
    expect(await nobody.text()).not.toContain(HEADING)
    expect(nobody.status).not.toBe(200)
  })
})

describe('a downloaded list', () => {
  const get = (role: Role, list: string) => operator(role).get(`/operations/export/${list}`)

  it('comes as a file for finance and admins', async () => {
    const file = await get('finance', 'payments')
    expect(file.status).toBe(200)
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="payments.csv"')
    expect(file.headers.get('cache-control')).toContain('no-store')
    expect((await file.text()).split('\r\n')[0]).toContain('Payment,Reference,Provider')
    const people = await (await get('admin', 'accounts?q=person-1@example.com')).text()
    expect(people.split('\r\n')).toHaveLength(3)
  })

  it('needs the list’s own permission as well', async () => {
    expect((await get('finance', 'listings')).status).toBe(403)
    expect((await get('admin', 'listings')).status).toBe(200)
    for (const list of EXPORTED_LISTS)
      expect([list, (await get('support', list)).status]).toEqual([list, 403])
    expect((await get('admin', 'everything')).status).toBe(404)
  })

  it('logs nothing for who may not have it', async () => {
    const count = async () =>
      (
        await server.services.db
          .selectFrom('operator_log')
          .select('id')
          .where('action', '=', 'export-list')
          .execute()
      ).length
    const before = await count()
    await get('support', 'payments')
    await get('finance', 'listings')
    await new Client(server).get('/operations/export/payments')
    await stranger.get('/operations/export/payments')
    expect(await count()).toBe(before)
    await get('finance', 'payments')
    expect(await count()).toBe(before + 1)
  })
})

describe('the overview and the search', () => {
  const page = async (role: Role, path: string) => (await operator(role).get(path)).text()

  it('show sums over all vendors only to those who may see them', async () => {
    expect(await page('support', '/operations')).not.toContain('paid in 30 days')
    for (const role of ['finance', 'admin'] as const)
      expect(await page(role, '/operations')).toContain('paid in 30 days')
  })

  it.each(['%25', '_', "'", '\\', 'k'.repeat(300), '%F0%9F%8E%89', '%0A%0D'])(
    'answer odd text: %s',
    async (text) => {
      for (const path of ['search', 'payments', 'bookings', 'accounts', 'listings']) {
        const { status } = await operator('admin').get(`/operations/${path}?q=ab${text}`)
        expect([path, status]).toEqual([path, 200])
      }
      for (const list of EXPORTED_LISTS) {
        const file = await operator('admin').get(`/operations/export/${list}?q=ab${text}&show=${text}`)
        expect([list, file.status]).toEqual([list, 200])
        await file.text()
      }
      const { status } = await operator('admin').get(`/operations/payments?before=${text}&show=${text}`)
      expect(status).toBe(200)
    },
  )

  it.each(['%', '%00', '%FF%FE', '%ED%A0%80'])('refuse a malformed address: %s', async (text) => {
    for (const path of ['search', 'payments', 'export/payments'])
      expect((await operator('admin').get(`/operations/${path}?q=ab${text}`)).status).toBe(400)
  })

  it('lead from the address of the payments that mails have', async () => {
    const moved = await operator('admin').get('/operations?show=unpaid&q=kim')
    expect([moved.status, moved.headers.get('location')]).toEqual([
      308,
      '/operations/payments?show=unpaid&q=kim',
    ])
  })

  it('lead from an exact id straight to it', async () => {
    const id = await idOf(operator('support'))
    const found = await operator('support').get(`/operations/search?q=${id}`)
    expect([found.status, found.headers.get('location')]).toEqual([302, `/operations/accounts?q=${id}`])
  })
})

describe('naming operators', () => {
  let person: Client
  beforeEach(async () => {
    person = await aPerson()
  })
  const name = (email: string, role: Role = 'support') =>
    first.post(PEOPLE, { intent: 'name-operator', email, role })

  /** Confirms the role of a person that waits, as the people screen shows it. */
  async function confirms(admin: Client, { email }: Client) {
    await outgrowNewness()
    const html = await (await admin.get(PEOPLE)).text()
    const [, id = ''] =
      html
        .split('<form')
        .filter((part) => part.includes('value="confirm-naming"'))
        .map((part) => /name="id" value="([^"]+)"/.exec(part))
        .at(-1) ?? []
    expect(html).toContain(email)
    return admin.post(PEOPLE, { intent: 'confirm-naming', id })
  }

  /** Makes the admins of these tests older than three days, so that they may confirm. */
  const outgrowNewness = () =>
    server.services.db
      .updateTable('operator_namings')
      .set({ settled_at: new Date(Date.now() - 4 * DAY_MS), placed_by: 'none' })
      .where('outcome', '=', 'done')
      .execute()

  it('counts at once for a session that is open, and so does its end', async () => {
    expect((await person.get('/operations')).status).toBe(404)
    expect((await person.user())?.isOperator).toBe(false)
    expect((await name(person.email.toUpperCase())).status).toBe(200)
    expect((await person.get('/operations')).status).toBe(200)
    expect((await person.get('/operations/payouts')).status).toBe(403)
    expect((await person.user())?.isOperator).toBe(true)
    const id = await idOf(person)
    await first.post(PEOPLE, { intent: 'change-role', id, seen: 'support', role: 'finance' })
    expect((await person.get('/operations/payouts')).status).toBe(403)
    expect((await confirms(operator('admin'), person)).status).toBe(200)
    expect((await person.get('/operations/payouts')).status).toBe(200)
    await first.post(PEOPLE, { intent: 'remove-operator', id, seen: 'finance' })
    expect((await person.get('/operations')).status).toBe(404)
    expect((await person.user())?.isOperator).toBe(false)
  })

  it('leaves an entry in the log, and mails the person and every admin', async () => {
    await name(person.email, 'finance')
    const asked = new RegExp(`${person.email}’s role .*to be confirmed`)
    expect((await mailTo(server, operator('admin').email, asked)).text).toContain(
      'Another admin has to confirm',
    )
    expect((await confirms(operator('admin'), person)).status).toBe(200)
    const about = new RegExp(`${person.email}’s role .*: finance$`)
    expect((await mailTo(server, person.email, /^Your role at .*: finance/)).text).toContain(FIRST)
    expect((await mailTo(server, FIRST, about)).text).toContain(person.email)
    expect((await mailTo(server, operator('admin').email, about)).text).toContain(person.email)
    const logged = await server.services.db
      .selectFrom('operator_log')
      .select(['action', 'operator_email', 'reason'])
      .where('subject_id', '=', await idOf(person))
      .orderBy('created_at')
      .execute()
    expect(logged).toEqual([
      { action: 'ask-second-operator', operator_email: FIRST, reason: 'role finance' },
      {
        action: 'name-operator',
        operator_email: operator('admin').email,
        reason: `finance, proposed by ${FIRST}`,
      },
    ])
  })

  it('refuses an unknown, an unproved, a disabled and a named address beside the field', async () => {
    const unproved = await aPerson(undefined, { isVerified: false })
    const disabled = await aPerson()
    await operator('support').post('/operations/accounts', {
      intent: 'disable-account',
      id: await idOf(disabled),
      ...WHY,
    })
    const others = ['nobody@example.com', unproved.email, disabled.email, operator('support').email, FIRST]
    for (const email of others) expect([email, (await name(email)).status]).toEqual([email, 422])
    expect(await roleOf(unproved)).toBeNull()
  })

  it('gives no role to an address that was unproved later', async () => {
    await name(person.email)
    await server.services.db
      .updateTable('users')
      .set({ email_verified: false })
      .where('email', '=', person.email)
      .execute()
    expect((await person.get('/operations')).status).toBe(404)
  })

  it('leaves those whom the settings name alone', async () => {
    const id = await idOf(first)
    const changes: Record<string, string>[] = [
      { intent: 'change-role', id, seen: 'admin', role: 'support' },
      { intent: 'remove-operator', id, seen: 'admin' },
    ]
    for (const fields of changes) expect((await operator('admin').post(PEOPLE, fields)).status).toBe(409)
    expect((await first.get(PEOPLE)).status).toBe(200)
  })

  it('refuses a change of a role that another admin has changed since', async () => {
    await name(person.email)
    const id = await idOf(person)
    await operator('admin').post(PEOPLE, { intent: 'change-role', id, seen: 'support', role: 'finance' })
    expect((await confirms(first, person)).status).toBe(200)
    expect((await first.post(PEOPLE, { intent: 'remove-operator', id, seen: 'support' })).status).toBe(409)
    expect(await roleOf(person)).toBe('finance')
  })

  it('asks again after ten minutes', async () => {
    const admin = operator('admin').copy()
    await ageProofs(admin, 11)
    const fields = { intent: 'name-operator', email: person.email, role: 'support' }
    expect((await admin.post(PEOPLE, fields)).status).toBe(403)
    expect(await roleOf(person)).toBeNull()
    expect((await admin.post(PEOPLE, { ...fields, proof: PASSWORD })).status).toBe(200)
    expect(await roleOf(person)).toBe('support')
    await ageProofs(admin, 0)
  })

  it('protects operators’ accounts from being disabled', async () => {
    for (const [who, victim] of [
      ['support', operator('finance')],
      ['admin', operator('support')],
      ['support', first],
    ] as const) {
      const fields = { intent: 'disable-account', id: await idOf(victim), ...WHY }
      expect((await operator(who).post('/operations/accounts', fields)).status).toBe(409)
      expect((await victim.get('/operations')).status).toBe(200)
    }
  })

  it('sends an operator’s session away like every operator’s', async () => {
    await name(person.email)
    await server.services.db
      .updateTable('sessions')
      .set({ updated_at: new Date(Date.now() - 61 * MINUTE_MS) })
      .where('user_id', '=', await idOf(person))
      .execute()
    expect((await person.get('/operations')).status).toBe(404)
  })
})

describe('the last admin', () => {
  let alone: TestServer
  const admins: Client[] = []
  beforeAll(async () => {
    // The address of the settings has no account.
    alone = await startServer({
      openDatabase: openTestDatabase,
      env: { TRUSTED_PROXY: '1', OPERATOR_EMAILS: FIRST },
    })
    for (const email of ['one@example.com', 'two@example.com']) {
      const browser = new Client(alone)
      await browser.signUp(email)
      await alone.services.db
        .updateTable('users')
        .set({ email_verified: true, operator_role: 'admin' })
        .where('email', '=', email)
        .execute()
      admins.push(browser)
    }
  })
  afterAll(() => alone.close())

  const rolesNow = () =>
    alone.services.db
      .selectFrom('users')
      .select(['id', 'email', 'operator_role'])
      .where('operator_role', 'is not', null)
      .orderBy('email')
      .execute()

  it('stays when two admins remove each other at the same moment', async () => {
    const [one, two] = await rolesNow()
    const remove = (id = '') => ({ intent: 'remove-operator', id, seen: 'admin' })
    const [first, second] = await Promise.all([
      admins[0]?.post(PEOPLE, remove(two?.id)),
      admins[1]?.post(PEOPLE, remove(one?.id)),
    ])
    expect([first?.status, second?.status].toSorted()).not.toEqual([200, 200])
    expect(await rolesNow()).toHaveLength(1)
  })

  it('can neither remove nor lower themselves', async () => {
    const [last] = await rolesNow()
    const admin = admins.find(({ email }) => email === last?.email)
    const id = last?.id ?? ''
    expect((await admin?.post(PEOPLE, { intent: 'remove-operator', id, seen: 'admin' }))?.status).toBe(409)
    const lower = { intent: 'change-role', id, seen: 'admin', role: 'support' }
    expect((await admin?.post(PEOPLE, lower))?.status).toBe(409)
    expect(await rolesNow()).toEqual([last])
  })

  it('can neither delete nor deactivate their account, and is told what to do', async () => {
    const [last] = await rolesNow()
    const admin = admins.find(({ email }) => email === last?.email)
    const left = admins.find(({ email }) => email !== last?.email)
    for (const path of ['/confirm-deletion', '/confirm-deactivation']) {
      const shown = await (await admin?.get(path))?.text()
      expect(shown).toContain('You are the only admin')
      expect(shown).toContain('href="/operations/people"')
      expect(await (await left?.get(path))?.text()).not.toContain('You are the only admin')
      const fields: Record<string, string> =
        path === '/confirm-deletion' ? { intent: 'delete', proof: PASSWORD } : {}
      const refused = await admin?.post(path, fields)
      expect(refused?.status).toBe(409)
      expect(await refused?.text()).toContain('Make another person an admin first')
      expect(await admin?.user()).toMatchObject({ isOperator: true })
    }
    expect(await rolesNow()).toEqual([last])
  })

  it('can be made anew by the runbook’s statement, which gives nothing to an unproved address', async () => {
    const { db } = alone.services
    const person = new Client(alone)
    await person.signUp('kim@jubilee.example', { displayName: 'Kim' })
    const [named = ''] = runbook('The last admin is gone')
    await sql.raw(named).execute(db)
    expect((await person.get(PEOPLE)).status).toBe(404)
    await db
      .updateTable('users')
      .set({ email_verified: true })
      .where('email', '=', 'kim@jubilee.example')
      .execute()
    await sql.raw(named).execute(db)
    expect((await person.get(PEOPLE)).status).toBe(200)
  })

  it('who lost phone and recovery codes starts anew by the runbook’s statements', async () => {
    const { db } = alone.services
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'kim@jubilee.example')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('second_factors')
      .values({
        id: 'f',
        user_id: id,
        secret: 'x',
        backup_codes: '[]',
        verified: true,
        last_step: null,
        locked_until: null,
      })
      .execute()
    await db.updateTable('users').set({ two_factor_enabled: true }).where('id', '=', id).execute()
    await db.transaction().execute(async (tx) => {
      for (const statement of runbook('An operator lost phone and recovery codes'))
        if (!/^(begin|commit)$/.test(statement)) await sql.raw(statement).execute(tx)
    })
    const person = new Client(alone)
    await person.post('/login', { email: 'kim@jubilee.example', password: PASSWORD })
    expect((await person.user())?.isOperator).toBe(true)
    const left = await db.selectFrom('second_factors').select('id').where('user_id', '=', id).execute()
    expect(left).toEqual([])
  })
})

/** The statements of a runbook in docs/operate.md. */
function runbook(title: string): string[] {
  const text = readFileSync('docs/operate.md', 'utf8')
  const block = /```sql\n([^`]*)```/.exec(text.slice(text.indexOf(`**${title}`)))?.[1] ?? ''
  return block
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean)
}
