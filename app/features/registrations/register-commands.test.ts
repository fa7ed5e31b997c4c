import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBusiness, aClock, aUser, createKeptJobs, registrationDepsOf } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import { createSandboxRegister, type SandboxRow } from '../../adapters/business-register/sandbox.server.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { findBusiness } from '../businesses/queries.server.ts'
import { findVendor } from '../businesses/vendor-queries.server.ts'
import { listBusinessCards } from '../reviews/card-queries.server.ts'
import { changeRegistration, registerBusiness } from './commands.server.ts'
import { findVersionedRegistration } from './queries.server.ts'
import {
  ALL_LOOKUPS_LIMIT,
  ASK_AGAIN_LIMIT,
  askAgain,
  askDueRegistrations,
  askRegister,
  forgetAnswers,
  LOOKUP_LIMIT,
  lookUpAbn,
  type RegisterDeps,
} from './register-commands.server.ts'
import { findGstAt, findOwnStanding, listAnswers } from './register-queries.server.ts'
import type { Registration } from './schema.ts'

const ABN = '51824753556'
const OTHER_ABN = '53004085616'

let connection: Awaited<ReturnType<typeof openTestDatabase>>
let jobs: Awaited<ReturnType<typeof createKeptJobs>>
let clock: ReturnType<typeof aClock>
let rows: Map<string, SandboxRow>
let asked: string[]
let deps: RegisterDeps & { wait: (ms: number) => Promise<void> }
let userId: string

beforeAll(async () => {
  connection = await openTestDatabase()
  jobs = await createKeptJobs(connection.db)
})
afterAll(() => connection.close())
beforeEach(async () => {
  const { db } = connection
  await sql`truncate business_registrations, register_answers, rate_limits cascade`.execute(db)
  await jobs.takeAll()
  clock = aClock()
  rows = new Map()
  asked = []
  const register = createSandboxRegister(rows)
  deps = {
    ...registrationDepsOf({ db, jobs, now: clock.now }),
    register: {
      find(abn) {
        asked.push(abn)
        return register.find(abn)
      },
    },
    wait: async () => {},
  }
  userId = (await aUser(db)).id
})

const aRegistration = (overrides: Partial<Registration> = {}): Registration => ({
  businessName: 'Nia & Co',
  abn: ABN,
  acn: '',
  businessStructure: 'Sole Trader',
  industryType: 'Florist',
  gstRegistered: true,
  principalAddress: '1 Sample Street, Geelong VIC',
  postalAddress: '',
  businessPhone: '(03) 5550 1234',
  businessEmail: 'shop@example.com',
  website: '',
  ownerName: 'Nia',
  ownerDob: '1990-02-03',
  ownerPhone: '0400 000 000',
  ownerEmail: 'nia@example.com',
  logoUrl: '',
  businessDescription: '',
  ...overrides,
})

/** Takes the job that asks the register. @returns the registration that it is about */
async function takesJob(): Promise<string> {
  const [job] = await jobs.takeAll()
  expect(job?.name).toBe('ask-register')
  return (job as { data: { registrationId: string } }).data.registrationId
}

/** Runs the jobs that ask the register. @returns how many */
async function runsJobs(): Promise<number> {
  const taken = (await jobs.takeAll()).filter(({ name }) => name === 'ask-register')
  for (const { data } of taken) await askRegister(deps, (data as { registrationId: string }).registrationId)
  return taken.length
}

async function registers(registration: Partial<Registration> = {}, user = userId): Promise<void> {
  expect(await registerBusiness(deps, user, aRegistration(registration))).toEqual({ ok: true })
}
const changes = (registration: Partial<Registration>) =>
  changeRegistration(deps, userId, aRegistration(registration))

const standing = () =>
  findOwnStanding(connection.db, { userId, isAsked: deps.register !== null, now: clock.now() })
/** The stored problem, by which mark and transfers go. It is the same as the shown one. */
async function problem() {
  const row = await connection.db
    .selectFrom('business_registrations')
    .select('register_problem')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  expect((await standing())?.problem).toBe(row.register_problem)
  return row.register_problem
}
const told = () =>
  connection.db
    .selectFrom('notifications')
    .select(['title', 'link'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
/** Moves the clock by a day and asks the register again. */
async function passDay(): Promise<void> {
  clock.forward(DAY_MS)
  await askDueRegistrations(deps)
}

describe('a saved registration', () => {
  it('leads to one ask, by a job of its transaction, also if it is saved twice', async () => {
    await registers()
    await registers()
    expect(await standing()).toMatchObject({ state: 'waiting', problem: null })
    expect(await runsJobs()).toBe(1)
    expect(asked).toEqual([ABN])
    expect(await standing()).toMatchObject({
      state: 'active',
      problem: null,
      answeredAt: clock.now().toISOString(),
    })
  })

  it('leads to another ask when its ABN or GST changes, and not when its address does', async () => {
    await registers()
    await runsJobs()
    await changes({ principalAddress: '2 Sample Street' })
    expect(await runsJobs()).toBe(0)
    await changes({ principalAddress: '2 Sample Street', gstRegistered: false })
    expect(await runsJobs()).toBe(1)
    await changes({ abn: OTHER_ABN, gstRegistered: false })
    await changes({ abn: OTHER_ABN, gstRegistered: false })
    expect(await runsJobs()).toBe(1)
    expect(asked).toEqual([ABN, ABN, OTHER_ABN])
  })

  it('isn’t asked about when nothing is saved', async () => {
    expect(
      await registerBusiness(deps, userId, aRegistration({ logoUrl: '/files/none.webp' })),
    ).toMatchObject({
      ok: false,
    })
    expect(await jobs.takeAll()).toEqual([])
  })

  it('leads to one ask by a job that runs twice', async () => {
    await registers()
    const registrationId = await takesJob()
    expect(await askRegister(deps, registrationId)).toBe('answered')
    expect(await askRegister(deps, registrationId)).toBe('not_due')
    expect(asked).toEqual([ABN])
  })

  it('keeps its version, so that an open form can still be saved', async () => {
    rows.set(ABN, 'unknown')
    await registers()
    const before = await findVersionedRegistration(connection.db, userId)
    await runsJobs()
    expect(await problem()).toBe('unknown')
    expect((await findVersionedRegistration(connection.db, userId))?.version).toBe(before?.version)
  })

  it('takes no answer about an ABN that it no longer has', async () => {
    rows.set(ABN, 'unknown')
    await registers()
    const registrationId = await takesJob()
    const slow = deps.register
    deps.register = {
      async find(abn) {
        await changes({ abn: OTHER_ABN })
        return slow?.find(abn) ?? { ok: true, entry: null }
      },
    }
    expect(await askRegister(deps, registrationId)).toBe('not_due')
    expect(await listAnswers(connection.db, ABN)).toEqual([])
    expect(await standing()).toMatchObject({ state: 'waiting', problem: null })
    deps.register = slow
    expect(await runsJobs()).toBe(1)
    expect(asked).toEqual([ABN, OTHER_ABN])
  })

  it('stays unchecked without a register', async () => {
    deps.register = null
    await registers()
    await runsJobs()
    await passDay()
    expect(await standing()).toMatchObject({ state: 'unchecked', problem: null })
  })
})

describe('an outage', () => {
  it('leaves a registration waiting, and is asked about after growing pauses', async () => {
    rows.set(ABN, 'outage')
    await registers()
    await runsJobs()
    expect(await standing()).toMatchObject({ state: 'waiting', problem: null })
    clock.forward(MINUTE_MS - 1)
    await askDueRegistrations(deps)
    expect(asked).toHaveLength(1)
    clock.forward(1)
    await askDueRegistrations(deps)
    expect(asked).toHaveLength(2)
    clock.forward(MINUTE_MS)
    await askDueRegistrations(deps)
    expect(asked).toHaveLength(2)
    clock.forward(MINUTE_MS)
    rows.delete(ABN)
    await askDueRegistrations(deps)
    expect(await standing()).toMatchObject({ state: 'active' })
  })

  it('keeps the answer before it, good or bad', async () => {
    await registers()
    await runsJobs()
    rows.set(ABN, 'outage')
    await passDay()
    expect(await standing()).toMatchObject({ state: 'active', problem: null })
    rows.set(ABN, { status: 'cancelled' })
    await passDay()
    rows.set(ABN, 'outage')
    await passDay()
    expect(await standing()).toMatchObject({ state: 'cancelled', problem: 'cancelled' })
  })

  it('ends a run, since the others would have no answer either', async () => {
    for (const abn of [ABN, OTHER_ABN]) {
      rows.set(abn, 'outage')
      await registers({ abn }, (await aUser(connection.db)).id)
    }
    await askDueRegistrations(deps)
    expect(asked).toHaveLength(1)
  })
})

describe('the daily asks', () => {
  it('cover ten registrations in a run, with a pause between', async () => {
    const pauses: number[] = []
    deps.wait = async (ms) => void pauses.push(ms)
    for (let number = 0; number < 12; number++) await registers({}, (await aUser(connection.db)).id)
    await askDueRegistrations(deps)
    expect(asked).toHaveLength(10)
    expect(pauses).toEqual(Array.from({ length: 9 }, () => 500))
    await askDueRegistrations(deps)
    await askDueRegistrations(deps)
    expect(asked).toHaveLength(12)
  })

  it('find a registration that the version before has saved', async () => {
    await registers()
    await runsJobs()
    await connection.db.updateTable('business_registrations').set({ abn: OTHER_ABN }).execute()
    await askDueRegistrations(deps)
    expect(asked).toEqual([ABN, OTHER_ABN])
  })

  it('keep one row for the same answer, and add one for another', async () => {
    await registers()
    await runsJobs()
    const first = clock.now()
    await passDay()
    await passDay()
    expect(await listAnswers(connection.db, ABN)).toMatchObject([{ firstAt: first, lastAt: clock.now() }])
    rows.set(ABN, { gstSince: null })
    await passDay()
    expect(await listAnswers(connection.db, ABN)).toMatchObject([
      { gstSince: '2000-07-01' },
      { gstSince: null, firstAt: clock.now() },
    ])
    const day = (at: Date) => at.toISOString().slice(0, 10)
    expect(await findGstAt(connection.db, { abn: ABN, day: day(first) })).toBe('registered')
    expect(await findGstAt(connection.db, { abn: ABN, day: day(clock.now()) })).toBe('not_registered')
    expect(await findGstAt(connection.db, { abn: OTHER_ABN, day: day(first) })).toBe('no_answer')
  })
})

describe('a vendor', () => {
  it.each<[SandboxRow, string, string]>([
    [{ status: 'cancelled', statusSince: '2026-11-01' }, 'cancelled', 'Your ABN is cancelled'],
    ['unknown', 'unknown', 'Your ABN isn’t in the register'],
    [{ gstSince: null }, 'gst', 'Your GST registration needs a look'],
  ])('hears once of %o, however many nights it lasts', async (row, expected, title) => {
    await registers()
    await runsJobs()
    rows.set(ABN, row)
    await passDay()
    await passDay()
    expect(await problem()).toBe(expected)
    expect(await told()).toEqual([{ title, link: '/dashboard/register-business' }])
    expect((await jobs.mails()).map(({ subject }) => subject)).toEqual([title])
  })

  it('hears of a problem again when it happens again', async () => {
    await registers()
    await runsJobs()
    for (const row of [{ gstSince: null }, {}, { gstSince: null }]) {
      rows.set(ABN, row)
      await passDay()
    }
    expect(await told()).toHaveLength(2)
  })

  it('isn’t told twice by ticking GST off and on again', async () => {
    rows.set(ABN, { gstSince: null })
    await registers()
    await runsJobs()
    await changes({ gstRegistered: false })
    expect(await problem()).toBeNull()
    clock.forward(MINUTE_MS)
    await changes({ gstRegistered: true })
    expect(await problem()).toBe('gst')
    await runsJobs()
    expect(await told()).toHaveLength(1)
  })

  it('doesn’t get rid of a bad answer by registering another ABN and this one again', async () => {
    rows.set(ABN, 'unknown')
    await registers()
    await runsJobs()
    await changes({ abn: OTHER_ABN })
    expect(await problem()).toBeNull()
    rows.set(ABN, 'outage')
    await changes({})
    expect(await problem()).toBe('unknown')
  })

  it('isn’t told of another name, or of GST that isn’t claimed', async () => {
    rows.set(ABN, { entityName: 'SOMEBODY ELSE PTY LTD' })
    await registers({ gstRegistered: false })
    await runsJobs()
    expect(await standing()).toMatchObject({ problem: null, hasOtherName: true, hasMoreGst: true })
    expect(await told()).toEqual([])
  })
})

describe('the mark ‘ABN registered’', () => {
  const marks = async () => {
    const business = await aBusiness(connection.db, { user_id: userId })
    const { db } = connection
    const view = await findBusiness(db, business.id)
    const [card] = await listBusinessCards(db, [business.id])
    const vendor = await findVendor(db, userId)
    return [view && view !== 'gone' && view.abnRegistered, card?.abnRegistered, vendor?.abn ?? null]
  }

  it.each<[SandboxRow, boolean]>([
    ['outage', true],
    [{}, true],
    [{ entityName: 'SOMEBODY ELSE PTY LTD' }, true],
    ['unknown', false],
    [{ status: 'cancelled' }, false],
    [{ gstSince: null }, false],
  ])('with %o of the register: %s', async (row, isShown) => {
    rows.set(ABN, row)
    await registers()
    expect(await marks()).toEqual([true, true, ABN])
    await runsJobs()
    expect(await marks()).toEqual([isShown, isShown, isShown ? ABN : null])
  })
})

describe('‘Ask again’', () => {
  const asks = (user = userId) =>
    askAgain({ ...deps, rateLimits: createRateLimits(connection.db, clock.now) }, user)

  it('asks at once, and takes a problem back that is solved', async () => {
    rows.set(ABN, 'unknown')
    await registers()
    await runsJobs()
    rows.delete(ABN)
    expect(await asks()).toEqual({ ok: true })
    expect(await problem()).toBeNull()
  })

  it('says that the register is away', async () => {
    await registers()
    rows.set(ABN, 'outage')
    expect(await asks()).toEqual({ ok: false, reason: 'unavailable' })
  })

  it('asks nothing for somebody without a registration, or without a register', async () => {
    await registers()
    expect(await asks((await aUser(connection.db)).id)).toEqual({ ok: false, reason: 'not_found' })
    deps.register = null
    expect(await asks()).toEqual({ ok: false, reason: 'not_found' })
    expect(asked).toEqual([])
  })

  it('refuses asks beyond its limit', async () => {
    await registers()
    for (let count = 0; count < ASK_AGAIN_LIMIT.max; count++) expect(await asks()).toEqual({ ok: true })
    expect(await asks()).toEqual({ ok: false, reason: 'too_often' })
    expect(asked).toHaveLength(ASK_AGAIN_LIMIT.max)
  })
})

describe('a look-up', () => {
  const looks = (abn = ABN, user = userId) =>
    lookUpAbn({ ...deps, rateLimits: createRateLimits(connection.db, clock.now) }, { userId: user, abn })

  it('answers without storing anything', async () => {
    rows.set(ABN, { entityName: 'NIA PTY LTD' })
    expect(await looks()).toMatchObject({ ok: true, facts: { status: 'active', entityName: 'NIA PTY LTD' } })
    rows.set(OTHER_ABN, 'unknown')
    expect(await looks(OTHER_ABN)).toMatchObject({ ok: true, facts: { status: 'unknown' } })
    expect(await listAnswers(connection.db, ABN)).toEqual([])
  })

  it('uses an answer of the last day again', async () => {
    await registers()
    await runsJobs()
    clock.forward(DAY_MS - 1)
    expect(await looks()).toMatchObject({ ok: true })
    expect(asked).toHaveLength(1)
    clock.forward(1)
    expect(await looks()).toMatchObject({ ok: true })
    expect(asked).toHaveLength(2)
  })

  it.each(['', '5182475355', '51824753557', ' 51824753556', '51 824 753 556', 'x'.repeat(500)])(
    'asks nothing about ‘%s’',
    async (abn) => {
      expect(await looks(abn)).toEqual({ ok: false, reason: 'not_an_abn' })
      expect(asked).toEqual([])
    },
  )

  it('refuses look-ups beyond the limit of one person, and of all together', async () => {
    for (let count = 0; count < LOOKUP_LIMIT.max; count++) expect(await looks()).toMatchObject({ ok: true })
    expect(await looks()).toEqual({ ok: false, reason: 'too_often' })
    expect(await looks(ABN, 'somebody')).toMatchObject({ ok: true })
    const limits = createRateLimits(connection.db, clock.now)
    await limits.take('register-lookup', ALL_LOOKUPS_LIMIT, ALL_LOOKUPS_LIMIT.max - LOOKUP_LIMIT.max - 1)
    expect(await looks(ABN, 'somebody')).toEqual({ ok: false, reason: 'too_often' })
  })

  it('returns no answer during an outage, or without a register', async () => {
    rows.set(ABN, 'outage')
    expect(await looks()).toEqual({ ok: false, reason: 'unavailable' })
    deps.register = null
    expect(await looks()).toEqual({ ok: false, reason: 'not_asked' })
  })
})

it('answers about an ABN go five years after the last one, once nobody has it registered', async () => {
  await registers()
  await runsJobs()
  await registers({ abn: OTHER_ABN }, (await aUser(connection.db)).id)
  await runsJobs()
  await connection.db.deleteFrom('business_registrations').where('user_id', '=', userId).execute()
  const left = async () => [
    (await listAnswers(connection.db, ABN)).length,
    (await listAnswers(connection.db, OTHER_ABN)).length,
  ]
  clock.forward(5 * 365 * DAY_MS)
  await forgetAnswers(deps)
  // A leap day is among the five years.
  expect(await left()).toEqual([1, 1])
  clock.forward(2 * DAY_MS)
  await forgetAnswers(deps)
  expect(await left()).toEqual([0, 1])
})
