import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aConversation, aMessage, anEnquiryWorld, aUser } from '../../../tests/builders.ts'
import { aPdf } from '../../../tests/pdf-files.ts'
import { replyTo } from '../../adapters/inbound-mail/outbox-replies.ts'
import type { ReceivedMail } from '../../adapters/inbound-mail/port.ts'
import { newId } from '../../shared/ids.ts'
import { hashText } from '../../shared/signed.ts'
import { markRead, sendMessage, verifyConversation } from './commands.server.ts'
import { MAIL_AFTER_MS } from './notice-commands.server.ts'
import { findConversation } from './queries.server.ts'
import { receiveReply } from './reply-commands.server.ts'
import { MAX_MESSAGE_LENGTH, replyTokenOf } from './rules.ts'
import { blockConversation, unblockConversation } from './status-commands.server.ts'

let world: Awaited<ReturnType<typeof anEnquiryWorld>>

beforeAll(async () => {
  world = await anEnquiryWorld()
})
afterAll(() => world.close())

/** A conversation in which a guest has a mail with the vendor's answer, and that mail. */
async function anAnswered() {
  const { deps, clock, outbox } = world
  const email = `${newId()}@example.com`
  const talk = await aConversation(world, { guest: { name: 'Kim Lee', email } })
  await verifyConversation(deps, { by: talk.link })
  await sendMessage(deps, { id: talk.id, by: talk.vendor, message: aMessage('It is free.') })
  clock.forward(MAIL_AFTER_MS)
  await world.runJobs()
  const mail = (await outbox.list(1_000)).find(({ to, replyTo }) => to === email && replyTo)
  if (!mail) throw new Error('no mail')
  const reply = (text: string, overrides: Partial<ReceivedMail> = {}) => {
    const made = replyTo(mail, { id: newId(), text })
    if (!made) throw new Error('takes no replies')
    return { ...made, ...overrides }
  }
  const messages = async () =>
    (await findConversation(deps, { id: talk.id, by: talk.vendor }))?.messages.slice(2) ?? []
  /** The mails to the guest that say that a reply became no message. */
  const refusals = async () => {
    await world.runJobs()
    return (await outbox.list(1_000)).filter(
      ({ to, subject }) => to === email && subject === 'Your reply wasn’t sent',
    )
  }
  return { talk, mail, reply, messages, refusals }
}

describe('receiveReply', () => {
  it('makes a message of this side of what was written above the quote', async () => {
    const { reply, messages, talk } = await anAnswered()
    const mail = reply('Wonderful.\n\nWe take it.')
    expect(await receiveReply(world.deps, mail)).toMatchObject({ outcome: 'sent', conversationId: talk.id })
    // Delivered again.
    expect(await receiveReply(world.deps, mail)).toMatchObject({ outcome: 'sent' })
    expect(await messages()).toMatchObject([
      { sender: 'customer', sentBy: 'mail', body: 'Wonderful.\n\nWe take it.' },
    ])
  })

  it('takes the vendor’s replies as the vendor’s', async () => {
    const { deps, clock, outbox, db } = world
    const talk = await aConversation(world)
    clock.forward(MAIL_AFTER_MS)
    await world.runJobs()
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', talk.vendor.userId)
      .executeTakeFirstOrThrow()
    const mail = (await outbox.list(1_000)).find(({ to }) => to === email)
    const received = mail && replyTo(mail, { id: newId(), text: 'Yes!' })
    if (!received) throw new Error('no mail')
    await receiveReply(deps, {
      ...received,
      to: received.to.map((address) => address.toUpperCase().toLowerCase()),
    })
    const view = await findConversation(deps, { id: talk.id, by: talk.customer })
    expect(view?.messages[1]).toMatchObject({ sender: 'vendor', body: 'Yes!', sentBy: 'mail' })
    expect(view?.waitingSince).toBeNull()
  })

  it('attaches files, checked as others are', async () => {
    const { reply, messages, refusals } = await anAnswered()
    const pdf = new File([aPdf()], 'plan.pdf')
    const program = new File(['MZ\x90\0'], 'plan.pdf')
    expect(await receiveReply(world.deps, reply('', { files: [pdf] }))).toMatchObject({ outcome: 'sent' })
    expect((await messages())[0]).toMatchObject({ body: '', files: [{ name: 'plan.pdf' }] })
    expect(await receiveReply(world.deps, reply('See this', { files: [program] }))).toMatchObject({
      outcome: 'refused',
    })
    expect(await messages()).toHaveLength(1)
    expect((await refusals())[0]?.text).toContain('plan.pdf: Attach a picture')
  })

  it.each([
    ['a wrong token', { to: [`r-${'0'.repeat(40)}@reply.jubilee.example`] }],
    ['another domain', (to: string) => ({ to: [to.replace('reply.jubilee', 'reply.evil')] })],
    ['no reply address', { to: ['hello@jubilee.example'] }],
    ['a longer token', (to: string) => ({ to: [to.replace('@', '0@')] })],
  ])('drops a mail to %s', async (_, change) => {
    const { reply, messages, mail } = await anAnswered()
    const overrides = typeof change === 'function' ? change(mail.replyTo ?? '') : change
    expect(await receiveReply(world.deps, reply('Hello?', overrides))).toEqual({
      outcome: 'dropped',
      why: 'unknown_address',
    })
    expect(await messages()).toEqual([])
  })

  it('drops what a program has sent, unanswered', async () => {
    const { reply, messages, refusals } = await anAnswered()
    const headers = new Map([['auto-submitted', ['auto-replied']]])
    expect(await receiveReply(world.deps, reply('I am on holiday.', { headers }))).toEqual({
      outcome: 'dropped',
      why: 'automatic',
    })
    expect(await messages()).toEqual([])
    expect(await refusals()).toEqual([])
  })

  it('tells the writer once that a reply was too long or empty', async () => {
    const { reply, messages, refusals } = await anAnswered()
    for (const text of ['x '.repeat(MAX_MESSAGE_LENGTH / 2 + 1), 'y'.repeat(40_000), ''])
      expect(await receiveReply(world.deps, reply(text))).toMatchObject({ outcome: 'refused' })
    expect(await messages()).toEqual([])
    const mails = await refusals()
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('A message has at most 4,000 characters.')
    expect(await receiveReply(world.deps, reply('x'.repeat(MAX_MESSAGE_LENGTH)))).toMatchObject({
      outcome: 'sent',
    })
  })

  it('drops mails to an address of a blocked conversation until it is unblocked', async () => {
    const { talk, mail, reply, messages, refusals } = await anAnswered()
    await blockConversation(world.deps, { id: talk.id, by: talk.vendor })
    const address = { conversationId: talk.id, side: 'customer', email: mail.to } as const
    const by = { replyToken: await replyTokenOf(world.deps.secret, address) }
    expect(await findConversation(world.deps, { by })).toBeNull()
    expect(await receiveReply(world.deps, reply('Why?'))).toMatchObject({ outcome: 'dropped' })
    expect(await messages()).toEqual([])
    expect(await refusals()).toEqual([])
    await unblockConversation(world.deps, { id: talk.id, by: talk.vendor })
    expect(await findConversation(world.deps, { by })).toMatchObject({ side: 'customer' })
    expect(await receiveReply(world.deps, reply('Thanks.'))).toMatchObject({ outcome: 'sent' })
  })

  describe('after a change of the account’s email', () => {
    /** A customer with an account, and what writes to them, moves their account and answers their newest mail. */
    async function aMoved() {
      const { deps, clock, db, outbox } = world
      const customer = await aUser(db)
      const talk = await aConversation(world, { customer })
      let sent = 0
      const mailTo = async (email: string) => {
        await sendMessage(deps, { id: talk.id, by: talk.vendor, message: aMessage(`News ${++sent}`) })
        clock.forward(MAIL_AFTER_MS)
        await world.runJobs()
        await markRead(deps, { id: talk.id, by: talk.customer })
        const mail = (await outbox.list(1_000)).find(({ to, replyTo }) => to === email && replyTo)
        if (!mail) throw new Error('no mail')
        return mail
      }
      const answer = (mail: Parameters<typeof replyTo>[0], text: string) => {
        const received = replyTo(mail, { id: newId(), text })
        if (!received) throw new Error('takes no replies')
        return receiveReply(deps, received)
      }
      const moveTo = (email: string) =>
        db.updateTable('users').set({ email }).where('id', '=', customer.id).execute()
      const bodies = async () =>
        (await findConversation(deps, { id: talk.id, by: talk.vendor }))?.messages
          .filter(({ sender, sentBy }) => sender === 'customer' && sentBy === 'mail')
          .map(({ body }) => body)
      return { customer, mailTo, answer, moveTo, bodies }
    }

    it('refuses a thief’s replies once the change is undone, and takes the holder’s', async () => {
      const { customer, mailTo, answer, moveTo, bodies } = await aMoved()
      const before = await mailTo(customer.email)
      const thief = `thief-${newId()}@example.com`
      await moveTo(thief)
      const stolen = await mailTo(thief)
      expect(await answer(before, 'Who are you?')).toMatchObject({ outcome: 'refused' })
      expect(await answer(stolen, 'Pay me elsewhere.')).toMatchObject({ outcome: 'sent' })
      await moveTo(customer.email)
      expect(await answer(stolen, 'Pay me elsewhere, please.')).toMatchObject({ outcome: 'refused' })
      const after = await mailTo(customer.email)
      expect(await answer(stolen, 'Still here.')).toMatchObject({ outcome: 'refused' })
      expect(await answer(after, 'That wasn’t me.')).toMatchObject({ outcome: 'sent' })
      expect(await answer(before, 'I’m back.')).toMatchObject({ outcome: 'sent' })
      expect(await bodies()).toEqual(['Pay me elsewhere.', 'That wasn’t me.', 'I’m back.'])
    })

    it('tells a person who answers a mail to their earlier address, at the new one', async () => {
      const { customer, mailTo, answer, moveTo, bodies } = await aMoved()
      const before = await mailTo(customer.email)
      const email = `moved-${newId()}@example.com`
      await moveTo(email)
      expect(await answer(before, 'See you there.')).toMatchObject({ outcome: 'refused' })
      await world.runJobs()
      const [mail] = (await world.outbox.list(1_000)).filter(({ to }) => to === email)
      expect(mail).toMatchObject({ subject: 'Your reply wasn’t sent' })
      expect(mail?.text).toContain('You answered an email that no longer takes replies.')
      expect(await answer(await mailTo(email), 'See you there!')).toMatchObject({ outcome: 'sent' })
      expect(await bodies()).toEqual(['See you there!'])
    })
  })

  it('refuses an address of before with a mail, also once the side has a new one', async () => {
    const { talk, mail, reply, messages, refusals } = await anAnswered()
    const token = createHmac('sha256', world.deps.secret)
      .update(`reply-address:customer:${talk.id}`)
      .digest('hex')
      .slice(0, 40)
    const old = { to: [`r-${token}@reply.jubilee.example`] }
    expect(await receiveReply(world.deps, reply('Hello?', old))).toMatchObject({ outcome: 'refused' })
    await world.db
      .updateTable('reply_addresses')
      .set({ token_hash: await hashText(token) })
      .where('conversation_id', '=', talk.id)
      .where('side', '=', 'customer')
      .execute()
    expect(await receiveReply(world.deps, reply('Hello?', old))).toMatchObject({ outcome: 'refused' })
    expect(await messages()).toEqual([])
    const [told] = await refusals()
    expect(told?.to).toBe(mail.to)
  })

  it('gives each side of each conversation an address of its own', async () => {
    const { db } = world
    await anAnswered()
    await anAnswered()
    const rows = await db.selectFrom('reply_addresses').select('token_hash').execute()
    expect(new Set(rows.map((row) => row.token_hash)).size).toBe(rows.length)
  })
})
