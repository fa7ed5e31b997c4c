import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBusiness, aClock, aListing, aPlace, aUser, createKeptJobs } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { acceptAgreement, addAgreementNotice } from '../agreements/commands.server.ts'
import { AGREEMENT_NOTICE_DAYS, DOCUMENTS, FORMER_VENDOR_AGREEMENTS } from '../agreements/rules.ts'
import { countOpenBookings } from '../bookings/open-queries.server.ts'
import { acceptAndPublish } from './agreement-commands.server.ts'
import { changeListing, hideListing, publishListing, removeListing, showListing } from './commands.server.ts'
import { countWaitingListings, findOwnListing, listOwnersWithoutAgreement } from './owner-queries.server.ts'
import { findBusiness } from './queries.server.ts'

const { version } = DOCUMENTS.vendor_agreement

let connection: Awaited<ReturnType<typeof openTestDatabase>>
let jobs: Awaited<ReturnType<typeof createKeptJobs>>
let clock: ReturnType<typeof aClock>
let userId: string

beforeAll(async () => {
  connection = await openTestDatabase()
  jobs = await createKeptJobs(connection.db)
  await aPlace(connection.db)
})
afterAll(() => connection.close())
beforeEach(async () => {
  clock = aClock()
  userId = (await aUser(connection.db)).id
})

const deps = () => ({
  ...{ db: connection.db, jobs, brand: 'Jubilee', now: clock.now, maxListings: 50 },
  countOpenBookings,
})

/** Saves a new listing of the vendor. */
async function lists(of = userId) {
  const saved = await publishListing(deps(), of, aListing())
  if (!saved.ok) throw new Error(saved.reason)
  return saved
}
const accepts = (of = userId) => acceptAndPublish(deps(), { userId: of, version })
const isPublic = async (id: string) => {
  const found = await findBusiness(connection.db, id)
  return found !== null && found !== 'gone'
}
const hiddenBy = async (id: string) =>
  (await findOwnListing(connection.db, { userId, businessId: id, now: clock.now() }))?.hidden?.by ?? null

/** Makes the vendor one who accepted the agreement before the one in force. */
async function acceptedFormer(of = userId) {
  await acceptAgreement(deps(), { userId: of, version })
  await connection.db
    .updateTable('acceptances')
    .set({ ...FORMER_VENDOR_AGREEMENTS[0] })
    .where('user_id', '=', of)
    .execute()
}

describe('a first listing', () => {
  it('waits until its vendor accepts the agreement, which publishes all that wait', async () => {
    const [one, two] = [await lists(), await lists()]
    expect([one.isWaiting, two.isWaiting]).toEqual([true, true])
    expect(await isPublic(one.id)).toBe(false)
    expect(await hiddenBy(one.id)).toBe('agreement')
    expect(await countWaitingListings(connection.db, userId)).toBe(2)
    expect(await accepts()).toEqual({ ok: true, published: 2 })
    expect([await isPublic(one.id), await isPublic(two.id)]).toEqual([true, true])
    expect(await countWaitingListings(connection.db, userId)).toBe(0)
    // The next one is public at once.
    const third = await lists()
    expect(third.isWaiting).toBe(false)
    expect(await isPublic(third.id)).toBe(true)
  })

  it('stays hidden when another vendor accepts', async () => {
    const { id } = await lists()
    const other = await aUser(connection.db)
    expect(await accepts(other.id)).toEqual({ ok: true, published: 0 })
    expect(await isPublic(id)).toBe(false)
  })

  it('stays hidden when its vendor accepts a version that is not in force', async () => {
    const { id } = await lists()
    for (const { version: former } of [...FORMER_VENDOR_AGREEMENTS, { version: '2027-07-01' }])
      expect(await acceptAndPublish(deps(), { userId, version: former })).toEqual({
        ok: false,
        reason: 'other_version',
      })
    expect(await isPublic(id)).toBe(false)
  })

  it('goes public once when two tabs accept, and keeps its version, so that an open form can still be saved', async () => {
    const { id } = await lists()
    const before = await findOwnListing(connection.db, { userId, businessId: id, now: clock.now() })
    clock.forward(DAY_MS)
    const answers = await Promise.all([accepts(), accepts()])
    expect(answers.map((answer) => answer.ok && answer.published).toSorted()).toEqual([0, 1])
    const after = await findOwnListing(connection.db, { userId, businessId: id, now: clock.now() })
    expect(after?.updatedAt).toEqual(before?.updatedAt)
    const rows = await connection.db
      .selectFrom('acceptances')
      .select('id')
      .where('user_id', '=', userId)
      .execute()
    expect(rows).toHaveLength(1)
  })

  it('never stays behind when it is saved while its vendor accepts', async () => {
    for (let round = 0; round < 10; round++) {
      const { id: vendor } = await aUser(connection.db)
      const [saved] = await Promise.all([lists(vendor), accepts(vendor)])
      expect(await isPublic(saved.id)).toBe(true)
    }
  })

  it('can be changed meanwhile, and is saved once by a repeated submission', async () => {
    const listing = { ...aListing(), submitKey: 'one-form' }
    const first = await publishListing(deps(), userId, listing)
    const again = await publishListing(deps(), userId, listing)
    expect(first).toMatchObject({ ok: true, isWaiting: true })
    expect(again).toEqual(first)
    if (!first.ok) throw new Error(first.reason)
    const changed = await changeListing(deps(), { userId, businessId: first.id }, aListing())
    expect(changed).toEqual({ ok: true, id: first.id, isWaiting: true })
    expect(await isPublic(first.id)).toBe(false)
    await accepts()
    expect(await changeListing(deps(), { userId, businessId: first.id }, aListing())).toEqual({
      ok: true,
      id: first.id,
      isWaiting: false,
    })
  })

  it('isn’t published by accepting once its vendor has deleted it', async () => {
    const { id } = await lists()
    await removeListing(deps(), { userId, businessId: id })
    expect(await accepts()).toEqual({ ok: true, published: 0 })
    expect(await findBusiness(connection.db, id)).toBe('gone')
  })

  it('waits again when its vendor hides and shows it, and stays hidden when they hide it and accept', async () => {
    const [shown, hidden] = [await lists(), await lists()]
    for (const { id } of [shown, hidden]) await hideListing(deps(), { userId, businessId: id })
    expect(await hiddenBy(shown.id)).toBe('owner')
    expect(await showListing(deps(), { userId, businessId: shown.id })).toEqual({ ok: true, isWaiting: true })
    expect(await hiddenBy(shown.id)).toBe('agreement')
    expect(await accepts()).toEqual({ ok: true, published: 1 })
    expect([await isPublic(shown.id), await isPublic(hidden.id)]).toEqual([true, false])
    // It waits for nothing but its owner now.
    expect(await showListing(deps(), { userId, businessId: hidden.id })).toEqual({
      ok: true,
      isWaiting: false,
    })
    expect(await isPublic(hidden.id)).toBe(true)
  })

  it('can’t be shown by a write that forgets the agreement', async () => {
    const { id } = await lists()
    const shown = { hidden_at: null, hidden_by: null }
    await connection.db.updateTable('businesses').set(shown).where('id', '=', id).execute()
    expect(await isPublic(id)).toBe(false)
    expect(await hiddenBy(id)).toBe('agreement')
    expect(await accepts()).toEqual({ ok: true, published: 1 })
  })
})

describe('a listing of a vendor who accepted an earlier agreement', () => {
  it('goes public at once until 14 days after the notice, and waits from then on', async () => {
    await acceptedFormer()
    // However long nobody has told them.
    clock.forward(100 * DAY_MS)
    expect((await lists()).isWaiting).toBe(false)
    await connection.db.transaction().execute((tx) => addAgreementNotice(tx, { userId, now: clock.now() }))
    clock.forward(AGREEMENT_NOTICE_DAYS * DAY_MS - 1)
    const before = await lists()
    expect(before.isWaiting).toBe(false)
    clock.forward(1)
    const after = await lists()
    expect(after.isWaiting).toBe(true)
    // A public listing stays public.
    expect([await isPublic(before.id), await isPublic(after.id)]).toEqual([true, false])
    expect(await accepts()).toEqual({ ok: true, published: 1 })
    expect(await isPublic(after.id)).toBe(true)
  })
})

describe('listOwnersWithoutAgreement', () => {
  it('names vendors with a public listing and no acceptance, until they are told', async () => {
    const { db } = connection
    const [old, agreed, hidden, told] = await Promise.all([aUser(db), aUser(db), aUser(db), aUser(db)])
    for (const { id } of [old, agreed, told]) await aBusiness(db, { user_id: id })
    await aBusiness(db, { user_id: hidden.id, hidden_at: clock.now(), hidden_by: 'owner' })
    await acceptedFormer(agreed.id)
    await db.transaction().execute((tx) => addAgreementNotice(tx, { userId: told.id, now: clock.now() }))
    const found = await listOwnersWithoutAgreement(db, 1_000)
    expect([old, agreed, hidden, told].map(({ id }) => found.includes(id))).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})
