import { afterAll, beforeAll, expect, it } from 'vitest'
import { aConversation, aMessage, anEnquiryWorld, aUser } from '../../../tests/builders.ts'
import { markRead, sendMessage, verifyConversation } from './commands.server.ts'
import { countUnread, findConversation, listCustomerConversations, listInbox } from './queries.server.ts'
import { blockConversation, closeConversation, unblockConversation } from './status-commands.server.ts'

let world: Awaited<ReturnType<typeof anEnquiryWorld>>

beforeAll(async () => {
  world = await anEnquiryWorld()
})
afterAll(() => world.close())

/** A generator of numbers from 0 to 1 that a seed repeats (mulberry32). */
function numbersOf(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const SEEDS = [1, 2, 3, 4, 5, 6]
const STEPS = 40

it.each(SEEDS)('every count of unread messages is the number of unread rows, in history %i', async (seed) => {
  const { deps, db } = world
  const next = numbersOf(seed)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(next() * items.length)] as Item
  const email = `guest-${seed}@example.com`
  const account = await aUser(db, { email })
  const first = await aConversation(world)
  // One vendor, an account and a guest whose address another account has verified.
  const talks = [
    first,
    await aConversation(world, { business: first.business }),
    await aConversation(world, { business: first.business, guest: { name: 'Kim Lee', email } }),
  ]
  const guest = { userId: account.id, verifiedEmail: email }
  const customerOf = (talk: (typeof talks)[number]) => ('userId' in talk.customer ? talk.customer : guest)

  for (let step = 0; step < STEPS; step++) {
    const talk = pick(talks)
    const at = { id: talk.id, by: pick([talk.vendor, customerOf(talk), talk.link]) }
    const send = () => sendMessage(deps, { ...at, message: aMessage(`${step}`) })
    const read = () => markRead(deps, at)
    await pick([
      send,
      send,
      () => Promise.all([send(), read(), send()]),
      () => Promise.all([read(), read()]),
      read,
      () => verifyConversation(deps, { by: talk.link }),
      () => closeConversation(deps, at),
      () => blockConversation(deps, at),
      () => unblockConversation(deps, at),
      () => unblockConversation(deps, { id: talk.id, by: talk.vendor }),
    ])()
  }

  const rows = await db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select(['conversation_id', 'sender', 'verified_at'])
    .where('read_at', 'is', null)
    .where(
      'conversation_id',
      'in',
      talks.map(({ id }) => id),
    )
    .execute()
  const unread = (id: string, sender: string) =>
    rows.filter((row) => row.conversation_id === id && row.sender === sender)
  const ofVendor = (id: string) => unread(id, 'customer').filter((row) => row.verified_at !== null).length

  const { vendor } = await countUnread(db, first.vendor)
  expect(vendor).toBe(talks.reduce((sum, { id }) => sum + ofVendor(id), 0))
  const inbox = await listInbox(deps, first.vendor)
  for (const talk of talks) {
    const own = unread(talk.id, 'vendor').length
    expect(inbox.conversations.find(({ id }) => id === talk.id)?.unread ?? 0).toBe(ofVendor(talk.id))
    expect(await countUnread(db, customerOf(talk))).toEqual({ vendor: 0, customer: own })
    const listed = await listCustomerConversations(deps, customerOf(talk))
    expect(listed.conversations.map((conversation) => conversation.unread)).toEqual([own])
    expect((await findConversation(deps, { by: talk.link }))?.unread).toBe(own)
  }
})
