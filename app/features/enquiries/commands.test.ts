import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness, aConversation, aMessage, anEnquiryWorld, aUser } from '../../../tests/builders.ts'
import { aPdf } from '../../../tests/pdf-files.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { markRead, sendMessage, startConversation, verifyConversation } from './commands.server.ts'
import {
  countUnread,
  findConversation,
  listCustomerConversations,
  listInbox,
  listSavedReplies,
} from './queries.server.ts'
import { MAX_SAVED_REPLIES, MESSAGE_LIMIT, type Participant, START_LIMIT } from './rules.ts'
import { deleteReply, saveReply } from './saved-reply-commands.server.ts'
import {
  blockConversation,
  closeConversation,
  markConversation,
  reportConversation,
  unblockConversation,
} from './status-commands.server.ts'

let world: Awaited<ReturnType<typeof anEnquiryWorld>>

beforeAll(async () => {
  world = await anEnquiryWorld()
})
afterAll(() => world.close())

/** Someone with an account who isn't in the conversation, and the holder of a wrong link. */
async function strangers(): Promise<Participant[]> {
  const other = await aUser(world.db)
  return [
    { userId: other.id, verifiedEmail: other.email },
    { userId: '', verifiedEmail: null },
    { linkToken: 'x'.repeat(43) },
    { replyToken: 'f'.repeat(40) },
  ]
}

const bodies = async (id: string) =>
  (
    await world.db
      .selectFrom('messages')
      .select('body')
      .where('conversation_id', '=', id)
      .orderBy('number')
      .execute()
  ).map(({ body }) => body)

const statusOf = async (id: string) =>
  (await world.db.selectFrom('conversations').select('status').where('id', '=', id).executeTakeFirstOrThrow())
    .status

describe('startConversation', () => {
  const aStart = async (overrides: object = {}) => ({
    businessId: (await aBusiness(world.db)).id,
    wish: 'question' as const,
    eventDate: null,
    guests: null,
    budgetCents: null,
    message: aMessage('Do you have a piano?'),
    customer: { userId: null, name: 'Kim Lee', email: `${newId()}@example.com` },
    address: newId(),
    ...overrides,
  })

  it('stores the facts of an enquiry, which both sides see', async () => {
    const { deps, db } = world
    const talk = await aConversation(world)
    const { name } = await db
      .selectFrom('users')
      .select('name')
      .where('id', '=', 'userId' in talk.customer ? talk.customer.userId : '')
      .executeTakeFirstOrThrow()
    const facts = { eventDate: '2027-03-13', guests: 80, budgetCents: 500_000, wish: 'question' }
    expect(await findConversation(deps, { id: talk.id, by: talk.vendor })).toMatchObject({
      ...facts,
      side: 'vendor',
      otherName: name,
      unread: 1,
    })
    for (const by of [talk.customer, talk.link])
      expect(await findConversation(deps, { id: talk.id, by })).toMatchObject({
        ...facts,
        side: 'customer',
        otherName: 'The Walled Garden',
        unread: 0,
      })
  })

  it('makes one conversation of a double click, and another of a changed text under the same key', async () => {
    const start = await aStart()
    const answers = await Promise.all([1, 2, 3].map(() => startConversation(world.deps, start)))
    expect(new Set(answers.map((answer) => answer.ok && answer.conversationId)).size).toBe(1)
    const changed = await startConversation(world.deps, {
      ...start,
      message: { ...start.message, body: 'Do you have two?' },
    })
    expect(changed).toMatchObject({ ok: true })
    const rows = await world.db
      .selectFrom('conversations')
      .select('id')
      .where('business_id', '=', start.businessId)
      .execute()
    expect(rows).toHaveLength(2)
    // Repeats don't use up the hour's limit.
    for (let press = 0; press < START_LIMIT.max; press++) await startConversation(world.deps, start)
    expect(await startConversation(world.deps, await aStart({ address: start.address }))).toMatchObject({
      ok: true,
    })
  })

  it('refuses the 21st first message in an hour from one address, one account and one email', async () => {
    const { deps, db, clock } = world
    const user = await aUser(db)
    const account = { userId: user.id, name: user.name, email: user.email }
    const email = `${newId()}@example.com`
    const cases = [
      () => ({ address: 'one address' }),
      () => ({ customer: account }),
      () => ({ customer: { userId: null, name: 'Kim Lee', email } }),
    ]
    for (const same of cases) {
      for (let count = 0; count < START_LIMIT.max; count++)
        expect(await startConversation(deps, await aStart(same()))).toMatchObject({ ok: true })
      expect(await startConversation(deps, await aStart(same()))).toEqual({ ok: false, reason: 'too_many' })
    }
    clock.forward(START_LIMIT.windowMs)
    expect(await startConversation(deps, await aStart(cases[0]?.()))).toMatchObject({ ok: true })
  })

  it('refuses a business that is hidden, deleted, unknown or the asker’s own', async () => {
    const { deps, db } = world
    const hidden = await aBusiness(db, { hidden_at: new Date(), hidden_by: 'owner' })
    const deleted = await aBusiness(db, { deleted_at: new Date() })
    for (const businessId of [hidden.id, deleted.id, 'nowhere'])
      expect(await startConversation(deps, await aStart({ businessId }))).toEqual({
        ok: false,
        reason: 'gone',
      })
    const own = await aBusiness(db)
    expect(
      await startConversation(
        deps,
        await aStart({
          businessId: own.id,
          customer: { userId: own.user_id, name: 'Robin Vale', email: 'robin@example.com' },
        }),
      ),
    ).toEqual({ ok: false, reason: 'own_business' })
  })

  it('refuses a customer whom the vendor has blocked, as an account or as a guest', async () => {
    const { deps } = world
    const talk = await aConversation(world, { guest: { name: 'Kim Lee', email: 'blocked@example.com' } })
    await verifyConversation(deps, { by: talk.link })
    await blockConversation(deps, { id: talk.id, by: talk.vendor })
    const customer = { userId: null, name: 'Kim Lee', email: 'blocked@example.com' }
    expect(await startConversation(deps, await aStart({ businessId: talk.business.id, customer }))).toEqual({
      ok: false,
      reason: 'blocked',
    })
    const other = await aBusiness(world.db)
    expect(await startConversation(deps, await aStart({ businessId: other.id, customer }))).toMatchObject({
      ok: true,
    })
  })

  it('refuses a blocked account under another email address too', async () => {
    const talk = await aConversation(world)
    if (!('userId' in talk.customer)) throw new Error('a guest')
    await blockConversation(world.deps, { id: talk.id, by: talk.vendor })
    const customer = { userId: talk.customer.userId, name: 'Kim Lee', email: `${newId()}@example.com` }
    const start = await aStart({ businessId: talk.business.id, customer })
    expect(await startConversation(world.deps, start)).toEqual({ ok: false, reason: 'blocked' })
  })
})

describe('a guest’s conversation', () => {
  it('reaches the vendor once the guest has pressed the button of the mailed link', async () => {
    const { deps, outbox } = world
    const email = `${newId()}@example.com`
    const talk = await aConversation(world, { guest: { name: 'Kim Lee', email } })
    expect(await findConversation(deps, { id: talk.id, by: talk.vendor })).toBeNull()
    expect((await listInbox(deps, talk.vendor)).conversations).toEqual([])
    expect(await countUnread(world.db, talk.vendor)).toEqual({ vendor: 0, customer: 0 })
    expect(await sendMessage(deps, { by: talk.link, message: aMessage() })).toEqual({
      ok: false,
      reason: 'unverified',
    })
    await world.runJobs()
    const mail = (await outbox.list(200)).find(({ to }) => to === email)
    expect(mail?.subject).toBe('Confirm your question on Jubilee')
    expect(mail?.text).toContain(`/conversations/${talk.link.linkToken}`)
    // Reading it, as a mail scanner does, confirms nothing.
    expect(await findConversation(deps, { by: talk.link })).toMatchObject({ isVerified: false })

    for (let press = 0; press < 2; press++)
      expect(await verifyConversation(deps, { by: talk.link })).toEqual({ ok: true, conversationId: talk.id })
    expect((await listInbox(deps, talk.vendor)).conversations).toMatchObject([
      { id: talk.id, otherName: 'Kim Lee', unread: 1 },
    ])
    expect(await sendMessage(deps, { by: talk.link, message: aMessage() })).toMatchObject({ ok: true })
  })

  it('takes one confirmation: another press tells nobody, and doesn’t start the clock again', async () => {
    const { deps, db, clock } = world
    const talk = await aConversation(world, { guest: { name: 'Kim Lee', email: `${newId()}@example.com` } })
    await verifyConversation(deps, { by: talk.link })
    const waits = async () =>
      (await findConversation(deps, { id: talk.id, by: talk.vendor }))?.waitingSince ?? null
    const since = await waits()
    expect(since).toBe(clock.now().toISOString())
    await markRead(deps, { id: talk.id, by: talk.vendor })
    clock.forward(DAY_MS)
    await verifyConversation(deps, { by: talk.link })
    expect(await waits()).toBe(since)
    const told = await db
      .selectFrom('notifications')
      .select('id')
      .where('user_id', '=', talk.vendor.userId)
      .execute()
    expect(told).toHaveLength(1)
    await sendMessage(deps, { id: talk.id, by: talk.vendor, message: aMessage() })
    await verifyConversation(deps, { by: talk.link })
    expect(await waits()).toBeNull()
  })

  it('can’t be confirmed by a stranger', async () => {
    const talk = await aConversation(world, { guest: { name: 'Kim Lee', email: 'kim2@example.com' } })
    for (const by of [...(await strangers()), talk.vendor])
      expect(await verifyConversation(world.deps, { id: talk.id, by })).toEqual({
        ok: false,
        reason: 'not_found',
      })
  })

  it('belongs to the account that verifies the address later', async () => {
    const email = `${newId()}@example.com`
    const talk = await aConversation(world, { guest: { name: 'Kim Lee', email } })
    const account = await aUser(world.db, { email })
    expect(
      await findConversation(world.deps, { id: talk.id, by: { userId: account.id, verifiedEmail: null } }),
    ).toBeNull()
    const by = { userId: account.id, verifiedEmail: email }
    expect(await findConversation(world.deps, { id: talk.id, by })).toMatchObject({ side: 'customer' })
    expect((await listCustomerConversations(world.deps, by)).conversations).toHaveLength(1)
  })
})

it('an account’s conversation stays its own when another account verifies the same email address', async () => {
  const talk = await aConversation(world)
  const first = await aUser(world.db, { email: `${newId()}@example.com` })
  await world.db
    .updateTable('conversations')
    .set({ customer_user_id: first.id, customer_email: 'shared@example.com' })
    .where('id', '=', talk.id)
    .execute()
  const second = await aUser(world.db)
  const by = { userId: second.id, verifiedEmail: 'shared@example.com' }
  expect(await findConversation(world.deps, { id: talk.id, by })).toBeNull()
  expect((await listCustomerConversations(world.deps, by)).conversations).toEqual([])
})

describe('sendMessage', () => {
  it('refuses people who aren’t in the conversation', async () => {
    const talk = await aConversation(world)
    for (const by of await strangers())
      expect(await sendMessage(world.deps, { id: talk.id, by, message: aMessage() })).toEqual({
        ok: false,
        reason: 'not_found',
      })
    expect(await bodies(talk.id)).toHaveLength(1)
  })

  it('stores a double click once, in whichever order the two arrive', async () => {
    const talk = await aConversation(world)
    const message = aMessage('Yes, it is free.')
    const sent = await Promise.all(
      [1, 2, 3, 4].map(() => sendMessage(world.deps, { id: talk.id, by: talk.vendor, message })),
    )
    expect(new Set(sent.map((answer) => answer.ok && answer.messageId)).size).toBe(1)
    expect(await bodies(talk.id)).toEqual(['Is the garden free that day?', 'Yes, it is free.'])
    // The same words again are a message of their own.
    await sendMessage(world.deps, { id: talk.id, by: talk.vendor, message: aMessage('Yes, it is free.') })
    expect(await bodies(talk.id)).toHaveLength(3)
  })

  it('stores the same words of both sides under one form key as two messages', async () => {
    const talk = await aConversation(world)
    const message = aMessage('Thank you!')
    for (const by of [talk.vendor, talk.customer])
      expect(await sendMessage(world.deps, { id: talk.id, by, message })).toMatchObject({ ok: true })
    expect(await bodies(talk.id)).toEqual(['Is the garden free that day?', 'Thank you!', 'Thank you!'])
  })

  it('stores the same words with another file as another message', async () => {
    const talk = await aConversation(world)
    const plan = (name: string) => new File([aPdf()], name)
    const message = aMessage('Here it is.', [plan('first.pdf')])
    for (const files of [message.files, message.files, [plan('second.pdf')]])
      await sendMessage(world.deps, { id: talk.id, by: talk.vendor, message: { ...message, files } })
    const view = await findConversation(world.deps, { id: talk.id, by: talk.vendor })
    const names = view?.messages.map(({ files }) => files.map(({ name }) => name))
    expect(names).toEqual([[], ['first.pdf'], ['second.pdf']])
  })

  it('takes nothing of the hour’s limit for a repeated press', async () => {
    const talk = await aConversation(world)
    const message = aMessage('Yes.')
    for (let press = 0; press < MESSAGE_LIMIT.max + 1; press++)
      expect(await sendMessage(world.deps, { id: talk.id, by: talk.vendor, message })).toMatchObject({
        ok: true,
      })
    const next = aMessage('And it has a piano.')
    expect(await sendMessage(world.deps, { id: talk.id, by: talk.vendor, message: next })).toMatchObject({
      ok: true,
    })
  })

  it('starts and stops the clock of the vendor’s answer', async () => {
    const { deps, clock } = world
    const talk = await aConversation(world)
    const waiting = async () =>
      (await findConversation(deps, { id: talk.id, by: talk.vendor }))?.waitingSince ?? null
    const since = clock.now().toISOString()
    expect(await waiting()).toBe(since)
    clock.forward(DAY_MS)
    await sendMessage(deps, { id: talk.id, by: talk.customer, message: aMessage('Hello?') })
    expect(await waiting()).toBe(since)
    await sendMessage(deps, { id: talk.id, by: talk.vendor, message: aMessage('Yes.') })
    expect(await waiting()).toBeNull()
    clock.forward(1)
    await sendMessage(deps, { id: talk.id, by: talk.customer, message: aMessage('And inside?') })
    expect(await waiting()).toBe(clock.now().toISOString())
  })

  it('refuses the message after the hour’s limit, and lets the other side write', async () => {
    const talk = await aConversation(world)
    for (let count = 0; count < MESSAGE_LIMIT.max; count++)
      await sendMessage(world.deps, { id: talk.id, by: talk.customer, message: aMessage(`${count}`) })
    expect(
      await sendMessage(world.deps, { id: talk.id, by: talk.customer, message: aMessage('one more') }),
    ).toEqual({ ok: false, reason: 'too_many' })
    expect(
      await sendMessage(world.deps, { id: talk.id, by: talk.vendor, message: aMessage() }),
    ).toMatchObject({ ok: true })
    const view = await findConversation(world.deps, { id: talk.id, by: talk.customer })
    expect(view?.messages).toHaveLength(62)
  })

  it('refuses a message to a deleted account', async () => {
    const talk = await aConversation(world)
    await world.db.deleteFrom('users').where('id', '=', talk.vendor.userId).execute()
    expect(await sendMessage(world.deps, { id: talk.id, by: talk.customer, message: aMessage() })).toEqual({
      ok: false,
      reason: 'left',
    })
  })
})

describe('a conversation with a disabled account', () => {
  const disable = (userId: string, at: Date | null) =>
    world.db.updateTable('users').set({ disabled_at: at }).where('id', '=', userId).execute()

  it.each(['vendor', 'customer'] as const)(
    'takes no message to or from the %s until the account is enabled again',
    async (closed) => {
      const { deps, clock } = world
      const talk = await aConversation(world)
      const other = closed === 'vendor' ? 'customer' : 'vendor'
      const account = talk[closed]
      if (!('userId' in account)) throw new Error('a guest')
      const write = (side: 'vendor' | 'customer') =>
        sendMessage(deps, { id: talk.id, by: talk[side], message: aMessage(newId()) })
      await disable(account.userId, clock.now())
      expect(await write(closed)).toEqual({ ok: false, reason: 'blocked' })
      expect(await write(other)).toEqual({ ok: false, reason: 'left' })
      await disable(account.userId, null)
      expect(await write(closed)).toMatchObject({ ok: true })
      expect(await write(other)).toMatchObject({ ok: true })
    },
  )
})

describe('a long conversation', () => {
  it('loads a hundred messages at a time, the newest first, and each once', async () => {
    const { deps, db, clock } = world
    const talk = await aConversation(world)
    const from = { conversation_id: talk.id, sender: 'vendor', sent_by: 'web', has_contacts: false } as const
    for (let count = 0; count < 204; count++)
      await db
        .insertInto('messages')
        .values({
          ...from,
          id: newId(),
          body: `Answer ${count}`,
          submit_key: newId(),
          read_at: null,
          created_at: clock.now(),
        })
        .execute()
    const read = async (before?: number) => {
      const input = { id: talk.id, by: talk.customer, ...(before === undefined ? {} : { before }) }
      const view = await findConversation(deps, input)
      if (!view) throw new Error('not found')
      return view
    }
    const newest = await read()
    const middle = await read(newest.messages[0]?.number)
    const oldest = await read(middle.messages[0]?.number)
    expect([newest, middle, oldest].map(({ messages, hasOlder }) => [messages.length, hasOlder])).toEqual([
      [100, true],
      [100, true],
      [5, false],
    ])
    const all = [...oldest.messages, ...middle.messages, ...newest.messages].map(({ body }) => body)
    expect(all).toEqual(await bodies(talk.id))
  })
})

describe('markRead', () => {
  it('marks the other side’s messages alone, once', async () => {
    const { deps } = world
    const talk = await aConversation(world)
    await sendMessage(deps, { id: talk.id, by: talk.vendor, message: aMessage() })
    for (const by of await strangers()) expect(await markRead(deps, { id: talk.id, by })).toBe(0)
    expect(await markRead(deps, { id: talk.id, by: talk.vendor })).toBe(1)
    expect(await markRead(deps, { id: talk.id, by: talk.vendor })).toBe(0)
    const view = await findConversation(deps, { id: talk.id, by: talk.customer })
    expect(view?.messages.map(({ readAt }) => readAt !== null)).toEqual([true, false])
    expect(view?.unread).toBe(1)
  })
})

describe('closing', () => {
  it('works for both sides alone, and a new message opens the conversation again', async () => {
    const { deps } = world
    const talk = await aConversation(world)
    for (const by of await strangers())
      expect(await closeConversation(deps, { id: talk.id, by })).toEqual({ ok: false, reason: 'not_found' })
    for (const by of [talk.vendor, talk.customer]) {
      expect(await closeConversation(deps, { id: talk.id, by })).toEqual({ ok: true })
      expect(await statusOf(talk.id)).toBe('closed')
      await sendMessage(deps, { id: talk.id, by, message: aMessage() })
      expect(await statusOf(talk.id)).toBe('open')
    }
  })

  it.each([
    ['closed', closeConversation],
    ['blocked', blockConversation],
  ] as const)(
    'stops the clock of the answer while it is %s, which begins again with the next message',
    async (_, end) => {
      const { deps, clock } = world
      const talk = await aConversation(world)
      const waits = async () =>
        (await findConversation(deps, { id: talk.id, by: talk.vendor }))?.waitingSince ?? null
      expect(await waits()).not.toBeNull()
      await end(deps, { id: talk.id, by: talk.vendor })
      expect(await waits()).toBeNull()
      clock.forward(DAY_MS)
      await unblockConversation(deps, { id: talk.id, by: talk.vendor })
      await sendMessage(deps, { id: talk.id, by: talk.customer, message: aMessage('Still there?') })
      expect(await waits()).toBe(clock.now().toISOString())
    },
  )

  it('keeps the record of a booking: a message leads back to it', async () => {
    const { deps, db } = world
    const talk = await aConversation(world)
    const mark = (status: 'quoted' | 'booked') =>
      db.transaction().execute((tx) => markConversation(deps, tx, { conversationId: talk.id, status }))
    await mark('quoted')
    expect(await statusOf(talk.id)).toBe('quoted')
    await mark('booked')
    await mark('quoted')
    expect(await statusOf(talk.id)).toBe('booked')
    await closeConversation(deps, { id: talk.id, by: talk.vendor })
    await sendMessage(deps, { id: talk.id, by: talk.vendor, message: aMessage() })
    expect(await statusOf(talk.id)).toBe('booked')
    await blockConversation(deps, { id: talk.id, by: talk.customer })
    await unblockConversation(deps, { id: talk.id, by: talk.customer })
    expect(await statusOf(talk.id)).toBe('booked')
  })
})

describe('blocking', () => {
  it('refuses messages of both sides until the side that blocked undoes it', async () => {
    const { deps } = world
    const talk = await aConversation(world)
    const blocked = { id: talk.id, by: talk.vendor }
    for (const by of await strangers()) {
      expect(await blockConversation(deps, { id: talk.id, by })).toEqual({ ok: false, reason: 'not_found' })
      expect(await unblockConversation(deps, { id: talk.id, by })).toEqual({
        ok: false,
        reason: 'not_found',
      })
    }
    expect(await blockConversation(deps, blocked)).toEqual({ ok: true })
    expect(await blockConversation(deps, blocked)).toEqual({ ok: true })
    expect(await sendMessage(deps, { id: talk.id, by: talk.customer, message: aMessage() })).toEqual({
      ok: false,
      reason: 'blocked',
    })
    expect(await sendMessage(deps, { ...blocked, message: aMessage() })).toEqual({
      ok: false,
      reason: 'blocked_by_you',
    })
    const other = { id: talk.id, by: talk.customer }
    for (const change of [blockConversation, unblockConversation, closeConversation])
      expect(await change(deps, other)).toEqual({ ok: false, reason: 'blocked' })
    expect(await unblockConversation(deps, blocked)).toEqual({ ok: true })
    expect(await sendMessage(deps, { ...other, message: aMessage() })).toMatchObject({ ok: true })
  })

  it('refuses a message that was being checked meanwhile', async () => {
    const { deps } = world
    const talk = await aConversation(world)
    const take: typeof deps.rateLimits.take = async (...limit) => {
      await blockConversation(deps, { id: talk.id, by: talk.vendor })
      return deps.rateLimits.take(...limit)
    }
    const sent = await sendMessage(
      { ...deps, rateLimits: { ...deps.rateLimits, take } },
      { id: talk.id, by: talk.customer, message: aMessage() },
    )
    expect(sent).toEqual({ ok: false, reason: 'blocked' })
    expect(await bodies(talk.id)).toHaveLength(1)
  })

  it('waits for a message in progress and refuses the next', async () => {
    const { deps } = world
    const talk = await aConversation(world)
    const sent = await Promise.all([
      ...[1, 2, 3, 4, 5].map((count) =>
        sendMessage(deps, { id: talk.id, by: talk.customer, message: aMessage(`${count}`) }),
      ),
      blockConversation(deps, { id: talk.id, by: talk.vendor }),
    ])
    expect(await statusOf(talk.id)).toBe('blocked')
    expect(sent.filter((answer) => !answer.ok).every((answer) => answer.reason === 'blocked')).toBe(true)
    expect((await bodies(talk.id)).length).toBe(sent.filter((answer) => answer.ok).length)
  })
})

describe('reportConversation', () => {
  it('stores one open report for each side, and refuses strangers', async () => {
    const { deps, db } = world
    const talk = await aConversation(world)
    for (const by of await strangers())
      expect(await reportConversation(deps, { id: talk.id, by, reason: 'Rude.' })).toEqual({
        ok: false,
        reason: 'not_found',
      })
    await reportConversation(deps, { id: talk.id, by: talk.vendor, reason: 'Rude.' })
    // The other side doesn't learn of it.
    expect(await findConversation(deps, { id: talk.id, by: talk.customer })).toMatchObject({
      isReported: false,
    })
    for (const by of [talk.vendor, talk.customer, talk.vendor])
      expect(await reportConversation(deps, { id: talk.id, by, reason: 'Rude.' })).toEqual({ ok: true })
    const rows = await db
      .selectFrom('conversation_reports')
      .select('reported_by')
      .where('conversation_id', '=', talk.id)
      .orderBy('reported_by')
      .execute()
    expect(rows.map((row) => row.reported_by)).toEqual(['customer', 'vendor'])
    expect(await findConversation(deps, { id: talk.id, by: talk.vendor })).toMatchObject({ isReported: true })
  })
})

describe('the inbox', () => {
  it('lists unanswered conversations first, the longest waiting first, then by the last message', async () => {
    const { deps, db, clock } = world
    const owner = await aUser(db)
    const talks: Awaited<ReturnType<typeof aConversation>>[] = []
    for (let count = 0; count < 4; count++) {
      clock.forward(60_000)
      talks.push(await aConversation(world, { business: await aBusiness(db, { user_id: owner.id }) }))
    }
    const [first, second, third, fourth] = talks.map(({ id }) => id)
    const vendor = { userId: owner.id, verifiedEmail: null }
    for (const id of [third, second]) {
      clock.forward(60_000)
      await sendMessage(deps, { id, by: vendor, message: aMessage() })
    }
    const ids = async (filter: Parameters<typeof listInbox>[1]) =>
      (await listInbox(deps, filter)).conversations.map(({ id }) => id)
    expect(await ids(vendor)).toEqual([first, fourth, second, third])
    expect(await ids({ ...vendor, filter: 'waiting' })).toEqual([first, fourth])
    expect(await ids({ ...vendor, businessId: talks[1]?.business.id })).toEqual([second])
    await markRead(deps, { id: first, by: vendor })
    expect(await ids({ ...vendor, filter: 'unread' })).toEqual([fourth, second, third])
    await closeConversation(deps, { id: fourth, by: vendor })
    expect(await ids({ ...vendor, filter: 'closed' })).toEqual([fourth])
    expect(await ids({ userId: (await aUser(db)).id })).toEqual([])
  })

  it('begins for a customer with the newest message’s conversation, whichever side wrote it', async () => {
    const { deps, db, clock } = world
    const person = await aUser(db)
    const customer = { userId: person.id, verifiedEmail: null }
    const talks: Awaited<ReturnType<typeof aConversation>>[] = []
    for (let count = 0; count < 3; count++) {
      clock.forward(60_000)
      talks.push(await aConversation(world, { customer: person }))
    }
    const ids = async () =>
      (await listCustomerConversations(deps, customer)).conversations.map(({ id }) => id)
    const [first, second, third] = talks
    expect(await ids()).toEqual([third?.id, second?.id, first?.id])
    clock.forward(60_000)
    await sendMessage(deps, { id: first?.id ?? '', by: first?.vendor ?? customer, message: aMessage() })
    expect(await ids()).toEqual([first?.id, third?.id, second?.id])
    clock.forward(60_000)
    await sendMessage(deps, { id: second?.id ?? '', by: customer, message: aMessage() })
    expect(await ids()).toEqual([second?.id, first?.id, third?.id])
  })

  it('shows thirty conversations a page', async () => {
    const { deps, db } = world
    const business = await aBusiness(db)
    for (let count = 0; count < 31; count++) await aConversation(world, { business })
    const first = await listInbox(deps, { userId: business.user_id })
    const second = await listInbox(deps, { userId: business.user_id, page: 2 })
    expect([first.conversations.length, first.hasMore]).toEqual([30, true])
    expect([second.conversations.length, second.hasMore]).toEqual([1, false])
  })
})

describe('masking', () => {
  it('hides contact details from lists and conversations until a booking is paid', async () => {
    const { db } = world
    const deps = { ...world.deps, masksContacts: true }
    const talk = await aConversation(world, { body: 'Call 0412 345 678 or kim@example.com.' })
    const seen = async () => [
      (await findConversation(deps, { id: talk.id, by: talk.vendor }))?.messages[0]?.body,
      (await listInbox(deps, talk.vendor)).conversations[0]?.lastMessage,
    ]
    const masked = 'Call ••• or •••.'
    expect(await seen()).toEqual([masked, masked])
    await db
      .transaction()
      .execute((tx) => markConversation(deps, tx, { conversationId: talk.id, status: 'booked' }))
    expect(await seen()).toEqual(Array(2).fill('Call 0412 345 678 or kim@example.com.'))
  })
})

describe('saved replies', () => {
  it('can be read and changed by their vendor alone', async () => {
    const { deps, db } = world
    const [owner, other] = [await aUser(db), await aUser(db)]
    const saved = await saveReply(deps, { userId: owner.id, id: null, title: 'Parking', body: 'Out front.' })
    if (!saved.ok) throw new Error(saved.reason)
    expect(await saveReply(deps, { userId: other.id, id: saved.id, title: 'Mine', body: 'now' })).toEqual({
      ok: false,
      reason: 'not_found',
    })
    expect(await deleteReply(deps, { userId: other.id, id: saved.id })).toBe(false)
    expect(await listSavedReplies(db, other.id)).toEqual([])
    await saveReply(deps, { userId: owner.id, id: saved.id, title: 'Parking', body: 'Behind the hall.' })
    expect(await listSavedReplies(db, owner.id)).toEqual([
      { id: saved.id, title: 'Parking', body: 'Behind the hall.' },
    ])
    expect(await deleteReply(deps, { userId: owner.id, id: saved.id })).toBe(true)
  })

  it('stop at fifty, also when several arrive at once', async () => {
    const { deps, db } = world
    const owner = await aUser(db)
    await Promise.all(
      Array.from({ length: MAX_SAVED_REPLIES + 5 }, (_, count) =>
        saveReply(deps, { userId: owner.id, id: null, title: `Reply ${count}`, body: 'Text' }),
      ),
    )
    expect(await listSavedReplies(db, owner.id)).toHaveLength(MAX_SAVED_REPLIES)
    expect(await saveReply(deps, { userId: owner.id, id: null, title: 'One more', body: 'Text' })).toEqual({
      ok: false,
      reason: 'too_many_replies',
    })
  })
})

describe('the database', () => {
  it('refuses a message that is too long or in no conversation, whatever the code does', async () => {
    const talk = await aConversation(world)
    const add = (conversationId: string, body: string) =>
      sql`insert into messages (id, conversation_id, sender, body, sent_by, has_contacts, submit_key, created_at)
        values (${newId()}, ${conversationId}, 'vendor', ${body}, 'web', false, ${newId()}, now())`.execute(
        world.db,
      )
    await expect(add(talk.id, 'x'.repeat(4_001))).rejects.toThrow()
    await expect(add('nowhere', 'x')).rejects.toThrow()
  })
})
