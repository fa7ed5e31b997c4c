import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBookingWorld, aBusiness, aUser } from '../../../tests/builders.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { newId } from '../../shared/ids.ts'
import { hashText } from '../../shared/signed.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import {
  addEntry,
  endSharing,
  forgetUnused,
  removeEntry,
  shareList,
  takeOverList,
  type Writer,
} from './commands.server.ts'
import type { ShortlistDeps } from './deps.server.ts'
import { likedByText } from './messages.ts'
import { exportShortlist, findList } from './queries.server.ts'
import { linkTokenOf, MAX_TITLE_LENGTH, MAX_VOTERS, VOTER_LIMIT } from './rules.ts'
import { aboutSchema, voterSchema } from './schema.ts'
import { castVote, describeList, nameVoter, removeVoter, type Voter } from './vote-commands.server.ts'
import { findAbout, findVotes, NO_ABOUT } from './vote-queries.server.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let deps: ShortlistDeps
let business: Awaited<ReturnType<typeof aBusiness>>
let other: Awaited<ReturnType<typeof aBusiness>>

beforeAll(async () => {
  world = await aBookingWorld()
  deps = { ...world.deps, rateLimits: createRateLimits(world.db, world.deps.now), secret: 'secret' }
  business = await aBusiness(world.db)
  other = await aBusiness(world.db, { name: 'The Other Garden' })
})
afterAll(() => world.close())

let owner: Writer
let listId: string
let linkHash: string
beforeEach(async () => {
  owner = { userId: null, ownId: null, joinedHash: null, address: newId() }
  for (const { id } of [business, other]) {
    const added = await addEntry(deps, owner, id)
    if (!added.ok) throw new Error(added.reason)
    owner.ownId = added.id
  }
  await shareList(deps, owner)
  const list = await findList(deps.db, owner)
  listId = list?.id ?? ''
  linkHash = await hashText(await linkTokenOf(deps.secret, list?.shareKey ?? ''))
})

/** A browser that has opened the link, and said a name. */
async function aVoter(name: string, given: Partial<Voter> = {}): Promise<Voter> {
  const voter = { linkHash, voterId: newId(), address: newId(), ...given }
  expect(await nameVoter(deps, voter, name)).toEqual({ ok: true })
  return voter
}
const likes = (by: Voter, businessId = business.id, wanted = true) =>
  castVote(deps, by, { businessId, wanted })
const votes = (voter: Voter | null = null, isOwner = false) =>
  findVotes(deps.db, listId, { voterId: voter?.voterId ?? null, isOwner })

const ABOUT = { title: 'Our wedding', date: '2027-03-13', guests: 90 }

describe('what the owner says of the event', () => {
  it('stays with the list, and can be emptied', async () => {
    expect(await findAbout(deps.db, listId)).toEqual(NO_ABOUT)
    expect(await describeList(deps, owner, ABOUT)).toEqual({ ok: true })
    expect(await findAbout(deps.db, listId)).toEqual(ABOUT)
    expect(await describeList(deps, owner, NO_ABOUT)).toEqual({ ok: true })
    expect(await findAbout(deps.db, listId)).toEqual(NO_ABOUT)
  })

  it('refuses changes by a visitor, another account and a guest of the link', async () => {
    await describeList(deps, owner, ABOUT)
    const nobody = { userId: null, ownId: null, joinedHash: null, address: newId() }
    const stranger = { ...nobody, userId: (await aUser(deps.db)).id }
    const guest = { ...nobody, joinedHash: linkHash }
    for (const by of [nobody, stranger, guest])
      expect(await describeList(deps, by, { ...ABOUT, title: 'Mine' })).toEqual({
        ok: false,
        reason: 'not_found',
      })
    expect(await findAbout(deps.db, listId)).toEqual(ABOUT)
  })

  it.each([
    [{ title: 'x'.repeat(MAX_TITLE_LENGTH), date: '2027-03-13', guests: '10000' }, true],
    [{ title: '', date: '', guests: '' }, true],
    [{ title: 'x'.repeat(MAX_TITLE_LENGTH + 1), date: '', guests: '' }, false],
    [{ title: 'See evil.example', date: '', guests: '' }, false],
    [{ title: 'One\nTwo', date: '', guests: '' }, false],
    [{ title: '', date: '2027-02-30', guests: '' }, false],
    [{ title: '', date: '', guests: '10001' }, false],
    [{ title: '', date: '', guests: '-1' }, false],
  ])('reads %j: %s', (typed, isGood) => {
    expect(aboutSchema.safeParse({ intent: 'about', ...typed }).success).toBe(isGood)
  })
})

describe('a vote on a shared list', () => {
  it('counts once for each browser, by its name, and can be taken back', async () => {
    const kim = await aVoter('Kim')
    const lee = await aVoter('Lee')
    for (const voter of [kim, kim]) expect(await likes(voter)).toEqual({ ok: true })
    const later = { ...deps, now: () => new Date(deps.now().getTime() + 1) }
    expect(await castVote(later, lee, { businessId: business.id, wanted: true })).toEqual({ ok: true })
    await likes(kim, other.id)
    expect(await votes(kim)).toMatchObject({
      me: 'Kim',
      byBusiness: {
        [business.id]: { names: ['Kim', 'Lee'], isMine: true },
        [other.id]: { names: ['Kim'], isMine: true },
      },
      voters: [],
    })
    expect((await votes(lee)).byBusiness[other.id]?.isMine).toBe(false)
    for (let times = 0; times < 2; times++) expect(await likes(kim, business.id, false)).toEqual({ ok: true })
    expect((await votes()).byBusiness[business.id]?.names).toEqual(['Lee'])
    await nameVoter(deps, lee, 'Lee Ann')
    expect((await votes()).byBusiness[business.id]?.names).toEqual(['Lee Ann'])
  })

  it('needs the link, a name, and a business on the list', async () => {
    const kim = await aVoter('Kim')
    const nobody = { linkHash, voterId: newId(), address: newId() }
    const elsewhere = await aBusiness(deps.db)
    expect(await likes(nobody)).toEqual({ ok: false, reason: 'no_name' })
    expect(await likes({ ...kim, linkHash: 'no-such-link' })).toEqual({ ok: false, reason: 'not_found' })
    expect(await nameVoter(deps, { ...nobody, linkHash: 'no-such-link' }, 'Kim')).toEqual({
      ok: false,
      reason: 'not_found',
    })
    expect(await likes(kim, elsewhere.id)).toEqual({ ok: false, reason: 'unlisted' })
    await removeEntry(deps, owner, other.id)
    expect(await likes(kim, other.id)).toEqual({ ok: false, reason: 'unlisted' })
    await endSharing(deps, owner)
    expect(await likes(kim)).toEqual({ ok: false, reason: 'not_found' })
    expect((await votes()).byBusiness).toEqual({})
  })

  it('ends with its entry: at once for the reader, and for good once the removal can’t be undone', async () => {
    const kim = await aVoter('Kim')
    await likes(kim)
    const hearts = async () => {
      const found = await votes(kim, true)
      return [found.byBusiness[business.id]?.names ?? [], found.voters[0]?.count]
    }
    await removeEntry(deps, owner, business.id)
    expect(await hearts()).toEqual([[], 0])
    const undone = await addEntry(deps, owner, business.id)
    expect([undone.ok, await hearts()]).toEqual([true, [['Kim'], 1]])
    await removeEntry(deps, owner, business.id)
    await forgetUnused({ ...deps, now: () => new Date(deps.now().getTime() + 2 * DAY_MS) })
    await addEntry(deps, owner, business.id)
    expect(await hearts()).toEqual([[], 0])
  })

  it('stays when another browser takes back its own', async () => {
    const kim = await aVoter('Kim')
    const lee = await aVoter('Lee')
    await likes(kim)
    await likes(lee, business.id, false)
    expect((await votes()).byBusiness[business.id]?.names).toEqual(['Kim'])
  })

  it('stops at the limits of a list’s voters and of a network’s names', async () => {
    const at = new Date()
    await deps.db
      .insertInto('shortlist_voters')
      .values(
        Array.from({ length: MAX_VOTERS - 1 }, (_, index) => ({
          ...{ shortlist_id: listId, voter_hash: `voter-${index}`, name: 'Kim', created_at: at },
        })),
      )
      .execute()
    const last = await aVoter('Last')
    expect(await nameVoter(deps, { ...last, voterId: newId() }, 'Late')).toEqual({
      ok: false,
      reason: 'voters_full',
    })
    // A voter may still change their name.
    expect(await nameVoter(deps, last, 'Last One')).toEqual({ ok: true })
    const address = newId()
    for (let count = 0; count < VOTER_LIMIT.max; count++) await nameVoter(deps, { ...last, address }, 'Last')
    expect(await nameVoter(deps, { ...last, address }, 'Last')).toEqual({ ok: false, reason: 'too_many' })
  })

  it('shows its name to the owner, who alone removes the voter', async () => {
    const kim = await aVoter('Kim')
    await likes(kim)
    const { voters } = await votes(null, true)
    expect(voters).toMatchObject([{ name: 'Kim', count: 1 }])
    const key = voters[0]?.key ?? ''
    const nobody = { userId: null, ownId: null, joinedHash: null, address: newId() }
    for (const by of [
      nobody,
      { ...nobody, userId: (await aUser(deps.db)).id },
      { ...nobody, joinedHash: linkHash },
    ])
      expect(await removeVoter(deps, by, key)).toEqual({ ok: false, reason: 'not_found' })
    expect((await votes(null, true)).voters).toHaveLength(1)
    expect(await removeVoter(deps, owner, key)).toEqual({ ok: true })
    expect(await votes(kim, true)).toEqual({ me: null, byBusiness: {}, voters: [] })
  })

  it('moves with its list to an account, with what the account’s own list doesn’t say', async () => {
    await describeList(deps, owner, ABOUT)
    const kim = await aVoter('Kim')
    await likes(kim)
    const userId = (await aUser(deps.db)).id
    const account: Writer = { userId, ownId: null, joinedHash: null, address: newId() }
    await addEntry(deps, account, other.id)
    await describeList(deps, account, { title: 'Kim and Lee', date: '', guests: null })
    await takeOverList(deps, { userId, listId })
    const target = await findList(deps.db, account)
    expect(await findAbout(deps.db, target?.id ?? '')).toEqual({ ...ABOUT, title: 'Kim and Lee' })
    const moved = await findVotes(deps.db, target?.id ?? '', { voterId: kim.voterId, isOwner: false })
    expect(moved).toMatchObject({
      me: 'Kim',
      byBusiness: { [business.id]: { names: ['Kim'], isMine: true } },
    })
    expect(await likes(kim, other.id)).toEqual({ ok: true })
    // The export counts hearts, and names none of the people who gave them.
    const exported = await exportShortlist(deps.db, userId)
    expect(exported.shortlist).toMatchObject({ title: 'Kim and Lee', date: '2027-03-13', guests: 90 })
    expect(JSON.stringify(exported)).toContain('"hearts":1')
  })

  it('says who likes a business', () => {
    expect(likedByText(['Kim'])).toBe('Kim likes it')
    expect(likedByText(['Kim', 'Lee'])).toBe('Kim and Lee like it')
    expect(likedByText(['A', 'B', 'C', 'D'])).toBe('A, B, C and D like it')
    expect(likedByText(['A', 'B', 'C', 'D', 'E'])).toBe('A, B, C and 2 more like it')
  })

  it.each(['', 'evil.example', 'x'.repeat(81)])('takes no such name: %j', (name) => {
    expect(voterSchema.safeParse({ intent: 'name', name }).success).toBe(false)
  })
})
