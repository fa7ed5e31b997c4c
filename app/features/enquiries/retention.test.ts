import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aConversation, aMessage, anEnquiryWorld } from '../../../tests/builders.ts'
import { aPdf } from '../../../tests/pdf-files.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { addNotification } from '../notifications/commands.server.ts'
import { sendMessage, verifyConversation } from './commands.server.ts'
import { exportConversations } from './export-queries.server.ts'
import { MAIL_AFTER_MS } from './notice-commands.server.ts'
import { findConversation, listSavedReplies } from './queries.server.ts'
import { forgetConversations, leaveConversations } from './retention-commands.server.ts'
import { saveReply } from './saved-reply-commands.server.ts'
import { blockConversation, markConversation, reportConversation } from './status-commands.server.ts'

let world: Awaited<ReturnType<typeof anEnquiryWorld>>
const NAME = 'Deleted customer'

beforeAll(async () => {
  world = await anEnquiryWorld()
})
afterAll(() => world.close())

const pdf = () => new File([aPdf()], 'plan.pdf')
const stored = () => Array.fromAsync(world.deps.files.list())

const rowOf = (id: string) =>
  world.db.selectFrom('conversations').selectAll().where('id', '=', id).executeTakeFirst()

const countMessages = async (id: string) =>
  (await world.db.selectFrom('messages').select('id').where('conversation_id', '=', id).execute()).length

const leave = (account: { userId: string; verifiedEmail: string | null }) =>
  world.db.transaction().execute((tx) => leaveConversations(world.deps, tx, { ...account, name: NAME }))

const book = (conversationId: string) =>
  world.db
    .transaction()
    .execute((tx) => markConversation(world.deps, tx, { conversationId, status: 'booked' }))

const accountOf = (talk: Awaited<ReturnType<typeof aConversation>>) => {
  if (!('userId' in talk.customer)) throw new Error('a guest')
  return talk.customer
}

/** The titles of an account's notifications. */
const titlesOf = async (userId: string) =>
  (
    await world.db
      .selectFrom('notifications')
      .select('title')
      .where('user_id', '=', userId)
      .orderBy('title')
      .execute()
  ).map(({ title }) => title)

async function aQuoteRow(conversationId: string): Promise<string> {
  const id = newId()
  const at = world.clock.now()
  await world.db
    .insertInto('quotes')
    .values({
      id,
      conversation_id: conversationId,
      version: 1,
      state: 'withdrawn',
      lines: '[]',
      note: '',
      event_date: '2027-03-13',
      event_time: '16:00',
      event_minutes: 300,
      booking_type: 'perPerson',
      quantity: 80,
      terms: '{}',
      valid_until: at,
      held_until: null,
      sent_at: at,
      viewed_at: null,
      decided_at: at,
      taken_lines: null,
      accepted_cents: null,
      payment_id: null,
      created_at: at,
    })
    .execute()
  return id
}

/**
 * A conversation in which both sides have a notification of a message and one of a quote, and the vendor one of another
 * conversation. The world has no offers, so the quote's row is written directly.
 */
async function aNotified() {
  const talk = await aConversation(world)
  await sendMessage(world.deps, { id: talk.id, by: talk.vendor, message: aMessage() })
  const other = await aConversation(world, { business: talk.business })
  const quoteId = await aQuoteRow(talk.id)
  const told = [
    { kind: 'quote-declined', userId: talk.vendor.userId, link: `/dashboard/inbox/${talk.id}` },
    { kind: 'quote-sent', userId: accountOf(talk).userId, link: `/quotes/${quoteId}` },
    { kind: 'quote-withdrawn', userId: accountOf(talk).userId, link: `/quotes/${quoteId}` },
  ]
  await world.db.transaction().execute(async (tx) => {
    for (const one of told)
      await addNotification(
        tx,
        { ...one, title: 'A quote', body: '', eventKey: `${one.kind}:${quoteId}` },
        world.clock.now(),
      )
  })
  expect(await titlesOf(talk.vendor.userId)).toHaveLength(3)
  expect(await titlesOf(accountOf(talk).userId)).toHaveLength(3)
  const { customer_name } = (await rowOf(other.id)) ?? {}
  return { talk, left: [`${customer_name} wrote to you`] }
}

describe('notifications', () => {
  it.each([false, true])(
    'disappear with a deleted customer’s account (conversation booked: %s)',
    async (isBooked) => {
      const { talk, left } = await aNotified()
      if (isBooked) await book(talk.id)
      await leave(accountOf(talk))
      expect(await titlesOf(talk.vendor.userId)).toEqual(left)
    },
  )

  it('disappear on both sides with a conversation after 24 months', async () => {
    const { db, deps } = world
    const { talk, left } = await aNotified()
    await db
      .updateTable('conversations')
      .set({ last_message_at: new Date('2020-01-01') })
      .where('id', '=', talk.id)
      .execute()
    await forgetConversations(deps, NAME)
    expect(await rowOf(talk.id)).toBeUndefined()
    expect(await titlesOf(talk.vendor.userId)).toEqual(left)
    expect(await titlesOf(accountOf(talk).userId)).toEqual([])
  })

  it('disappear on both sides with the customer of a booked conversation after 24 months', async () => {
    const { db, deps } = world
    const { talk, left } = await aNotified()
    await book(talk.id)
    await db
      .updateTable('conversations')
      .set({ last_message_at: new Date('2020-01-01') })
      .where('id', '=', talk.id)
      .execute()
    await forgetConversations(deps, NAME)
    expect(await rowOf(talk.id)).toMatchObject({ customer_user_id: null })
    expect(await titlesOf(talk.vendor.userId)).toEqual(left)
    expect(await titlesOf(accountOf(talk).userId)).toEqual([])
  })
})

describe('deleting a customer’s account', () => {
  it('deletes their conversations with messages and files', async () => {
    const talk = await aConversation(world, { files: [pdf()] })
    const other = await aConversation(world, { files: [pdf()] })
    await world.runJobs()
    const before = (await stored()).length
    await leave(accountOf(talk))
    await world.runJobs()
    expect(await rowOf(talk.id)).toBeUndefined()
    expect(await countMessages(talk.id)).toBe(0)
    expect(await stored()).toHaveLength(before - 1)
    expect(await countMessages(other.id)).toBe(1)
  })

  it('keeps a booked conversation without its customer and messages, whose link opens nothing any more', async () => {
    const talk = await aConversation(world, { files: [pdf()] })
    await book(talk.id)
    await world.runJobs()
    const before = (await stored()).length
    await leave(accountOf(talk))
    await world.runJobs()
    expect(await stored()).toHaveLength(before - 1)
    expect(await rowOf(talk.id)).toMatchObject({
      status: 'booked',
      customer_name: NAME,
      customer_email: '',
      customer_user_id: null,
    })
    expect(await findConversation(world.deps, { by: talk.link })).toBeNull()
    expect(await countMessages(talk.id)).toBe(0)
    expect(await sendMessage(world.deps, { id: talk.id, by: talk.vendor, message: aMessage() })).toEqual({
      ok: false,
      reason: 'left',
    })
  })

  it('voids the reply addresses of both sides, also where the conversation stays', async () => {
    const { deps, db, clock } = world
    const talk = await aConversation(world)
    await sendMessage(deps, { id: talk.id, by: talk.vendor, message: aMessage() })
    clock.forward(MAIL_AFTER_MS)
    await world.runJobs()
    const addresses = () =>
      db.selectFrom('reply_addresses').select('side').where('conversation_id', '=', talk.id).execute()
    expect(await addresses()).toHaveLength(2)
    await book(talk.id)
    await leave(accountOf(talk))
    expect(await addresses()).toEqual([])
  })

  it('includes what the verified address asked as a guest, and nothing of an unverified one', async () => {
    const email = `${newId()}@example.com`
    const talk = await aConversation(world, { guest: { name: 'Kim Lee', email } })
    await leave({ userId: newId(), verifiedEmail: null })
    expect(await rowOf(talk.id)).toBeDefined()
    await leave({ userId: newId(), verifiedEmail: email })
    expect(await rowOf(talk.id)).toBeUndefined()
  })

  it.each([false, true])(
    'leaves a reported conversation to the operators until the report is closed (booked: %s)',
    async (isBooked) => {
      const { deps, db, clock } = world
      const talk = await aConversation(world)
      if (isBooked) await book(talk.id)
      await reportConversation(deps, { id: talk.id, by: talk.vendor, reason: 'Threats.' })
      await leave(accountOf(talk))
      await forgetConversations(deps, NAME)
      expect(await countMessages(talk.id)).toBe(1)
      await db
        .updateTable('conversation_reports')
        .set({ closed_at: clock.now(), closed_by: 'operator@example.com', outcome: 'Warned.' })
        .where('conversation_id', '=', talk.id)
        .execute()
      await forgetConversations(deps, NAME)
      expect(await rowOf(talk.id)).toEqual(
        isBooked ? expect.objectContaining({ status: 'booked' }) : undefined,
      )
      expect(await countMessages(talk.id)).toBe(0)
    },
  )
})

it('deleting a vendor’s account closes their conversations, which stay with the customers', async () => {
  const { deps, db, clock } = world
  const talk = await aConversation(world)
  const blocked = await aConversation(world, { business: talk.business })
  await blockConversation(deps, { id: blocked.id, by: blocked.vendor })
  await saveReply(deps, { userId: talk.vendor.userId, id: null, title: 'Parking', body: 'Out front.' })
  clock.forward(MAIL_AFTER_MS)
  await world.runJobs()
  await leave(talk.vendor)
  for (const { id } of [talk, blocked])
    expect(await rowOf(id)).toMatchObject({ status: 'closed', waiting_since: null })
  expect(await findConversation(deps, { id: talk.id, by: talk.customer })).not.toBeNull()
  expect(await listSavedReplies(db, talk.vendor.userId)).toEqual([])
  const addresses = await db
    .selectFrom('reply_addresses')
    .select('void_at')
    .where('conversation_id', '=', talk.id)
    .execute()
  expect(addresses.map(({ void_at }) => void_at !== null)).toEqual([true])
})

describe('retention', () => {
  it('deletes conversations 24 months after the last message, and booked ones’ messages', async () => {
    const { deps, clock } = world
    const old = await aConversation(world, { files: [pdf()] })
    const booked = await aConversation(world)
    await book(booked.id)
    clock.forward(600 * DAY_MS)
    const young = await aConversation(world)
    clock.forward(129 * DAY_MS)
    await forgetConversations(deps, NAME)
    expect(await countMessages(old.id)).toBe(1)
    clock.forward(3 * DAY_MS)
    const files = (await stored()).length
    for (let run = 0; run < 2; run++) await forgetConversations(deps, NAME)
    await world.runJobs()
    expect(await rowOf(old.id)).toBeUndefined()
    expect((await stored()).length).toBeLessThan(files)
    expect(await rowOf(booked.id)).toMatchObject({ status: 'booked', customer_name: NAME })
    expect(await countMessages(booked.id)).toBe(0)
    expect(await countMessages(young.id)).toBe(1)
  })

  it('deletes a guest’s question that was never confirmed after a week', async () => {
    const { deps, clock } = world
    const guest = { name: 'Kim Lee', email: `${newId()}@example.com` }
    const [lost, confirmed] = [await aConversation(world, { guest }), await aConversation(world, { guest })]
    await verifyConversation(deps, { by: confirmed.link })
    clock.forward(7 * DAY_MS)
    await forgetConversations(deps, NAME)
    expect(await rowOf(lost.id)).toBeDefined()
    clock.forward(1)
    await forgetConversations(deps, NAME)
    expect(await rowOf(lost.id)).toBeUndefined()
    expect(await rowOf(confirmed.id)).toBeDefined()
  })
})

it('the export has a customer’s whole conversations, and a vendor’s without other people’s data', async () => {
  const { deps, db } = world
  const talk = await aConversation(world, { body: 'My number is 0412 345 678.', files: [pdf()] })
  await sendMessage(deps, { id: talk.id, by: talk.vendor, message: aMessage('We are free.') })
  expect(await exportConversations(db, accountOf(talk))).toMatchObject({
    conversations: [
      {
        side: 'customer',
        businessName: 'The Walled Garden',
        eventDate: '2027-03-13',
        budget: '5000.00',
        messages: [
          { sender: 'customer', body: 'My number is 0412 345 678.', files: ['plan.pdf'] },
          { sender: 'vendor', body: 'We are free.' },
        ],
      },
    ],
  })
  await saveReply(deps, { userId: talk.vendor.userId, id: null, title: 'Parking', body: 'Out front.' })
  const ofVendor = await exportConversations(db, talk.vendor)
  expect(ofVendor).toMatchObject({
    conversations: [{ side: 'vendor', messages: [{ sender: 'customer' }, { body: 'We are free.' }] }],
    savedReplies: [{ title: 'Parking', body: 'Out front.' }],
  })
  for (const others of ['0412', 'Robin Vale', 'plan.pdf', '@example.com'])
    expect(JSON.stringify(ofVendor)).not.toContain(others)
})
