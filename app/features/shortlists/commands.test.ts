import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBookingWorld, aBusiness, aUser, setsAvailability } from '../../../tests/builders.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { newId } from '../../shared/ids.ts'
import { hashText } from '../../shared/signed.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { NOTHING_ASKED } from '../businesses/asked-rules.ts'
import {
  addEntry,
  endSharing,
  forgetUnused,
  noteEntry,
  recordUse,
  removeEntry,
  shareList,
  takeOverList,
  type Writer,
} from './commands.server.ts'
import type { ShortlistDeps } from './deps.server.ts'
import { compareBusinesses, exportShortlist, findList, listEntries, listSavedIds } from './queries.server.ts'
import { linkTokenOf, MAX_ENTRIES, UNDO_MS, UNUSED_LIST_MS, WRITE_LIMIT } from './rules.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let deps: ShortlistDeps
let business: Awaited<ReturnType<typeof aBusiness>>
let other: Awaited<ReturnType<typeof aBusiness>>

beforeAll(async () => {
  world = await aBookingWorld()
  const { db } = world
  deps = { ...world.deps, rateLimits: createRateLimits(db, world.deps.now), secret: 'secret' }
  business = await aBusiness(db)
  other = await aBusiness(db, { name: 'The Other Garden' })
})
afterAll(() => world.close())

let visitor: Writer
beforeEach(() => {
  visitor = { userId: null, ownId: null, joinedHash: null, address: newId() }
})

/** Saves businesses as this visitor, whose browser remembers the list. */
async function saves(by: Writer, ...ids: string[]): Promise<string> {
  for (const id of ids) {
    const added = await addEntry(deps, by, id)
    if (!added.ok) throw new Error(added.reason)
    if (!by.userId && !by.joinedHash) by.ownId = added.id
  }
  return (await findList(deps.db, by))?.id ?? ''
}

/** Shares the visitor's list. @returns a guest who has joined it */
async function shares(by: Writer): Promise<Writer> {
  expect(await shareList(deps, by)).toEqual({ ok: true })
  const list = await findList(deps.db, by)
  const joinedHash = await hashText(await linkTokenOf(deps.secret, list?.shareKey ?? ''))
  return { userId: null, ownId: null, joinedHash, address: newId() }
}

const anAccount = async (): Promise<Writer> => ({ ...visitor, userId: (await aUser(deps.db)).id })

describe('a shortlist', () => {
  it('begins with the first business, and holds each once', async () => {
    const list = await saves(visitor, business.id, business.id, other.id)
    expect(new Set(await listSavedIds(deps.db, list))).toEqual(new Set([business.id, other.id]))
    await Promise.all([1, 2, 3].map(() => addEntry(deps, visitor, business.id)))
    expect(await listSavedIds(deps.db, list)).toHaveLength(2)
  })

  it('takes no listing that is hidden, deleted or unknown, and makes no list for it', async () => {
    const hidden = await aBusiness(deps.db, { hidden_at: new Date() })
    const gone = await aBusiness(deps.db, { deleted_at: new Date() })
    const count = () => deps.db.selectFrom('shortlists').select('id').execute()
    const before = await count()
    for (const id of [hidden.id, gone.id, 'no-such-business'])
      expect(await addEntry(deps, visitor, id)).toEqual({ ok: false, reason: 'gone' })
    expect(await count()).toEqual(before)
  })

  it('holds 100 businesses at most, even if two are added at once', async () => {
    const list = await saves(visitor, business.id)
    const full = await Promise.all(Array.from({ length: MAX_ENTRIES - 2 }, () => aBusiness(deps.db)))
    await deps.db
      .insertInto('shortlist_entries')
      .values(
        full.map(({ id }) => ({
          shortlist_id: list,
          business_id: id,
          added_at: deps.now(),
          removed_at: null,
        })),
      )
      .execute()
    const last = await aBusiness(deps.db)
    const both = await Promise.all([addEntry(deps, visitor, other.id), addEntry(deps, visitor, last.id)])
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true])
    expect(both.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'full' })
    expect(await listSavedIds(deps.db, list)).toHaveLength(MAX_ENTRIES)
  })

  it('restores a removed business with its note and position for a day', async () => {
    const list = await saves(visitor, business.id)
    await deps.db
      .updateTable('shortlist_entries')
      .set({ added_at: new Date('2026-01-01') })
      .where('shortlist_id', '=', list)
      .execute()
    await saves(visitor, other.id)
    await noteEntry(deps, visitor, { businessId: business.id, note: 'The light at six' })
    expect(await removeEntry(deps, visitor, business.id)).toMatchObject({ ok: true })
    expect(await listSavedIds(deps.db, list)).toEqual([other.id])
    expect(await noteEntry(deps, visitor, { businessId: business.id, note: 'x' })).toMatchObject({
      ok: false,
    })
    await saves(visitor, business.id)
    const entries = await listEntries(deps.db, list, NOTHING_ASKED, deps.now())
    expect(entries.map(({ id, note }) => [id, note])).toEqual([
      [other.id, ''],
      [business.id, 'The light at six'],
    ])
    await removeEntry(deps, visitor, business.id)
    await forgetUnused({ db: deps.db, now: () => new Date(deps.now().getTime() + UNDO_MS + 1) })
    await saves(visitor, business.id)
    const again = await listEntries(deps.db, list, NOTHING_ASKED, deps.now())
    expect(again.find(({ id }) => id === business.id)?.note).toBe('')
  })

  it('replaces only the note that its writer saw, and returns the present note', async () => {
    const list = await saves(visitor, business.id)
    const guest = await shares(visitor)
    const note = async () => (await listEntries(deps.db, list, NOTHING_ASKED, deps.now()))[0]?.note
    const writes = (by: Writer, text: string, expectedNote: string) =>
      noteEntry(deps, by, { businessId: business.id, note: text, expectedNote })
    expect(await writes(guest, 'Ask about rain', '')).toEqual({ ok: true })
    expect(await writes(visitor, 'The light at six', '')).toEqual({
      ok: false,
      reason: 'note_changed',
      present: 'Ask about rain',
    })
    expect(await note()).toBe('Ask about rain')
    expect(await writes(visitor, 'The light at six', 'Ask about rain')).toEqual({ ok: true })
    // A repeated request.
    expect(await writes(visitor, 'The light at six', 'Ask about rain')).toEqual({ ok: true })
    expect(await writes(guest, '', 'Ask about rain')).toMatchObject({ reason: 'note_changed' })
    expect(await note()).toBe('The light at six')
  })

  it('knows a note whose line breaks a form has encoded differently', async () => {
    await saves(visitor, business.id)
    const entry = { businessId: business.id }
    await noteEntry(deps, visitor, { ...entry, note: 'Rain\r\nShade' })
    expect(await noteEntry(deps, visitor, { ...entry, note: 'Rain', expectedNote: 'Rain\nShade' })).toEqual({
      ok: true,
    })
  })

  it('says of a listing that it was hidden or taken down since', async () => {
    const [hidden, gone] = [await aBusiness(deps.db), await aBusiness(deps.db)]
    const list = await saves(visitor, hidden.id, gone.id)
    await deps.db
      .updateTable('businesses')
      .set({ hidden_at: new Date() })
      .where('id', '=', hidden.id)
      .execute()
    await deps.db
      .updateTable('businesses')
      .set({ deleted_at: new Date() })
      .where('id', '=', gone.id)
      .execute()
    const entries = await listEntries(deps.db, list, NOTHING_ASKED, deps.now())
    expect(new Map(entries.map(({ id, standing }) => [id, standing]))).toEqual(
      new Map([
        [hidden.id, 'hidden'],
        [gone.id, 'deleted'],
      ]),
    )
    expect(entries.every(({ card }) => card === null)).toBe(true)
    expect(
      (await compareBusinesses(deps.db, [hidden.id, gone.id], NOTHING_ASKED, deps.now())).businesses,
    ).toEqual([])
  })

  it('shows totals and free days for what was asked', async () => {
    const small = await aBusiness(deps.db, { price_cents: 2_000 })
    await setsAvailability(deps.db, small.id, { maxGuests: 20 })
    const list = await saves(visitor, business.id, small.id)
    const date = new Date(deps.now().getTime() + 90 * DAY_MS).toISOString().slice(0, 10)
    const asked = { ...NOTHING_ASKED, date, guests: 90 }
    const entries = await listEntries(deps.db, list, asked, deps.now())
    const of = (id: string) => entries.find((entry) => entry.id === id)
    expect(of(business.id)).toMatchObject({
      totalText: '$4,095 for 90 guests',
      availability: { isFree: true, text: expect.stringMatching(/^free on /) },
    })
    // It takes 20, so 90 have no total there, however low.
    expect(of(small.id)).toMatchObject({ totalText: null, availability: { isFree: false } })
    const { rows } = await compareBusinesses(deps.db, [business.id, small.id], asked, deps.now())
    const row = (label: string) => rows.find((each) => each.label === label)
    expect(row('Total')).toEqual({
      label: 'Total',
      cells: ['$4,095 for 90 guests', null],
      best: null,
    })
    expect(row('Guests')?.cells).toEqual([null, 'Up to 20 guests'])
    expect(row('Terms')?.cells[0]).toMatch(/^Free cancellation/)
    // Neither has a review.
    expect(row('Rating')).toBeUndefined()
  })

  it('refuses more than 120 writes a minute from one address', async () => {
    await saves(visitor, business.id)
    for (let count = 1; count < WRITE_LIMIT.max; count++)
      await deps.rateLimits.take(`shortlist:${visitor.address}`, WRITE_LIMIT)
    expect(await addEntry(deps, visitor, other.id)).toEqual({ ok: false, reason: 'too_many' })
    expect(await removeEntry(deps, visitor, business.id)).toEqual({ ok: false, reason: 'too_many' })
    expect(await shareList(deps, visitor)).toEqual({ ok: false, reason: 'too_many' })
  })

  it('refuses every change without its cookie, account or link', async () => {
    const list = await saves(visitor, business.id)
    const nobody = { ...visitor, ownId: null, address: newId() }
    const account = { ...(await anAccount()), address: newId() }
    const guessed = { ...nobody, joinedHash: await hashText('guessed') }
    for (const by of [nobody, account, guessed]) {
      expect(await removeEntry(deps, by, business.id)).toEqual({ ok: false, reason: 'not_found' })
      expect(await noteEntry(deps, by, { businessId: business.id, note: 'x' })).toMatchObject({ ok: false })
      expect(await shareList(deps, by)).toEqual({ ok: false, reason: 'not_found' })
      expect(await endSharing(deps, by)).toEqual({ ok: false, reason: 'not_found' })
    }
    expect(await listSavedIds(deps.db, list)).toEqual([business.id])
  })
})

describe('the link of a shortlist', () => {
  it('lets guests add, note and remove, but neither share nor end it', async () => {
    const list = await saves(visitor, business.id)
    const guest = await shares(visitor)
    expect(await findList(deps.db, guest)).toMatchObject({ id: list, role: 'guest' })
    expect(await addEntry(deps, guest, other.id)).toMatchObject({ ok: true, id: list, isNew: false })
    expect(await noteEntry(deps, guest, { businessId: other.id, note: 'Mum likes it' })).toEqual({ ok: true })
    expect(await removeEntry(deps, guest, business.id)).toMatchObject({ ok: true })
    expect(await shareList(deps, guest)).toEqual({ ok: false, reason: 'not_found' })
    expect(await endSharing(deps, guest)).toEqual({ ok: false, reason: 'not_found' })
    expect(await listSavedIds(deps.db, list)).toEqual([other.id])
  })

  it('stays out of its list’s row, and stops working once ended or replaced', async () => {
    const list = await saves(visitor, business.id)
    const guest = await shares(visitor)
    const row = await deps.db.selectFrom('shortlists').selectAll().where('id', '=', list).executeTakeFirst()
    const token = await linkTokenOf(deps.secret, row?.share_key ?? '')
    expect(JSON.stringify(row)).not.toContain(token)
    const second = await shares(visitor)
    expect(await findList(deps.db, guest)).toBeNull()
    expect(await findList(deps.db, second)).toMatchObject({ id: list })
    expect(await endSharing(deps, visitor)).toEqual({ ok: true })
    expect(await findList(deps.db, second)).toBeNull()
    expect(await removeEntry(deps, second, business.id)).toEqual({ ok: false, reason: 'not_found' })
    // Their next heart begins a list of their own.
    expect(await addEntry(deps, second, other.id)).toMatchObject({ ok: true, isNew: true })
    expect(await listSavedIds(deps.db, list)).toEqual([business.id])
  })
})

describe('an account', () => {
  it('takes over the list of its browser, which leaves that browser', async () => {
    const list = await saves(visitor, business.id)
    const { userId } = await anAccount()
    await takeOverList(deps, { userId: userId ?? '', listId: list })
    expect(await findList(deps.db, visitor)).toBeNull()
    expect(await findList(deps.db, { ...visitor, userId })).toMatchObject({ id: list, role: 'owner' })
    expect(await findList(deps.db, await anAccount())).toBeNull()
  })

  it('merges lists without duplicates, keeps its own notes and the link of either', async () => {
    const account = await anAccount()
    const kept = await saves(account, business.id)
    await noteEntry(deps, account, { businessId: business.id, note: 'Ours' })
    const list = await saves(visitor, business.id, other.id)
    await noteEntry(deps, visitor, { businessId: business.id, note: 'Theirs' })
    const guest = await shares(visitor)
    const input = { userId: account.userId ?? '', listId: list }
    await Promise.all([takeOverList(deps, input), takeOverList(deps, input)])
    const entries = await listEntries(deps.db, kept, NOTHING_ASKED, deps.now())
    expect(new Map(entries.map(({ id, note }) => [id, note]))).toEqual(
      new Map([
        [business.id, 'Ours'],
        [other.id, ''],
      ]),
    )
    expect(await findList(deps.db, guest)).toMatchObject({ id: kept, role: 'guest' })
    expect(await deps.db.selectFrom('shortlists').select('id').where('id', '=', list).execute()).toEqual([])
  })

  it('takes over a note of its browser where its own list has none', async () => {
    const account = await anAccount()
    const kept = await saves(account, business.id, other.id)
    await noteEntry(deps, account, { businessId: other.id, note: 'Ours' })
    const list = await saves(visitor, business.id, other.id)
    for (const { id } of [business, other])
      await noteEntry(deps, visitor, { businessId: id, note: 'Ask about rain' })
    await takeOverList(deps, { userId: account.userId ?? '', listId: list })
    const entries = await listEntries(deps.db, kept, NOTHING_ASKED, deps.now())
    expect(new Map(entries.map(({ id, note }) => [id, note]))).toEqual(
      new Map([
        [business.id, 'Ask about rain'],
        [other.id, 'Ours'],
      ]),
    )
  })

  it('can’t take over the list of another account', async () => {
    const account = await anAccount()
    const list = await saves(account, business.id)
    await takeOverList(deps, { userId: (await anAccount()).userId ?? '', listId: list })
    expect(await findList(deps.db, account)).toMatchObject({ id: list, role: 'owner' })
  })

  it('makes one list however many tabs save at once', async () => {
    const account = await anAccount()
    await Promise.all([addEntry(deps, account, business.id), addEntry(deps, account, other.id)])
    const list = await findList(deps.db, account)
    expect(await listSavedIds(deps.db, list?.id ?? '')).toHaveLength(2)
  })

  it('exports its list, and deletes it with the account', async () => {
    const account = await anAccount()
    const list = await saves(account, business.id)
    await noteEntry(deps, account, { businessId: business.id, note: 'Ask about rain' })
    const guest = await shares(account)
    const userId = account.userId ?? ''
    expect(await exportShortlist(deps.db, userId)).toMatchObject({
      shortlist: { businesses: [{ businessId: business.id, note: 'Ask about rain' }] },
    })
    await deps.db.deleteFrom('users').where('id', '=', userId).execute()
    expect(await listSavedIds(deps.db, list)).toEqual([])
    expect(await findList(deps.db, guest)).toBeNull()
    expect(await exportShortlist(deps.db, userId)).toEqual({ shortlist: null })
  })
})

describe('a list without an account', () => {
  it('expires a year after its last use, unlike the list of an account', async () => {
    const list = await saves(visitor, business.id)
    const account = await anAccount()
    const kept = await saves(account, business.id)
    const depsAfter = (ms: number) => ({ db: deps.db, now: () => new Date(deps.now().getTime() + ms) })
    await forgetUnused(depsAfter(UNUSED_LIST_MS))
    const found = await findList(deps.db, visitor)
    expect(found?.id).toBe(list)
    if (found) await recordUse(depsAfter(UNUSED_LIST_MS), found)
    await forgetUnused(depsAfter(UNUSED_LIST_MS + 1))
    expect(await findList(deps.db, visitor)).not.toBeNull()
    await forgetUnused(depsAfter(2 * UNUSED_LIST_MS + 1))
    expect(await findList(deps.db, visitor)).toBeNull()
    expect((await findList(deps.db, account))?.id).toBe(kept)
  })
})
