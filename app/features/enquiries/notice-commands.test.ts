import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness, aConversation, aMessage, anEnquiryWorld, aUser } from '../../../tests/builders.ts'
import { replyTo } from '../../adapters/inbound-mail/outbox-replies.ts'
import { newId } from '../../shared/ids.ts'
import { newPlaceholderEmail } from '../../shared/placeholder-email.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import { markRead, sendMessage, verifyConversation } from './commands.server.ts'
import {
  MAIL_AFTER_MS,
  mailMessages,
  QUOTED_MESSAGES,
  recipientOf,
  sendLinkAgain,
  tellOfMessages,
} from './notice-commands.server.ts'
import { findConversation } from './queries.server.ts'
import { receiveReply } from './reply-commands.server.ts'
import { LINK_AGAIN_EMAIL_LIMIT, LINK_AGAIN_NETWORK_LIMIT, linkAgainKey, MAX_LINKS_AGAIN } from './rules.ts'
import { blockConversation, markConversation } from './status-commands.server.ts'

let world: Awaited<ReturnType<typeof anEnquiryWorld>>

beforeAll(async () => {
  world = await anEnquiryWorld()
})
afterAll(() => world.close())

const emailOf = async (userId: string) =>
  (await world.db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow())
    .email

/** The mails to an address, oldest first. */
async function mailsTo(email: string) {
  await world.runJobs()
  return (await world.outbox.list(1_000)).filter(({ to }) => to === email).reverse()
}

const notificationsOf = (userId: string) =>
  world.db
    .selectFrom('notifications')
    .select(['title', 'link', 'read_at'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'message')
    .orderBy('created_at')
    .execute()

describe('the mail about messages', () => {
  it('goes out once for a burst, when its newest message is two minutes old', async () => {
    const { deps, clock } = world
    const talk = await aConversation(world, { body: 'Is it free?' })
    const email = await emailOf(talk.vendor.userId)
    clock.forward(MAIL_AFTER_MS - 1)
    await sendMessage(deps, { id: talk.id, by: talk.customer, message: aMessage('In March,\n\nI mean.') })
    clock.forward(MAIL_AFTER_MS - 1)
    expect(await mailsTo(email)).toEqual([])
    clock.forward(1)
    const [mail, ...more] = await mailsTo(email)
    expect(more).toEqual([])
    expect(mail?.text).toContain('Is it free?\n\nIn March,\n\nI mean.')
    expect(mail?.text).toContain(`/dashboard/inbox/${talk.id}`)
    expect(mail?.text).not.toContain(talk.link.linkToken)
  })

  it('isn’t sent again until that side has read', async () => {
    const { deps, clock } = world
    const talk = await aConversation(world)
    const email = await emailOf(talk.vendor.userId)
    const write = async (body: string) => {
      await sendMessage(deps, { id: talk.id, by: talk.customer, message: aMessage(body) })
      clock.forward(MAIL_AFTER_MS)
      return mailsTo(email)
    }
    expect(await write('One')).toHaveLength(1)
    expect(await write('Two')).toHaveLength(1)
    await markRead(deps, { id: talk.id, by: talk.vendor })
    const mails = await write('Three')
    expect(mails).toHaveLength(2)
    expect(mails[1]?.text).toContain('Three')
    expect(mails[1]?.text).not.toContain('Two')
    expect(mails[1]?.messageId).not.toBe(mails[0]?.messageId)
  })

  it('isn’t sent to a side that has read or blocked meanwhile', async () => {
    const { deps, clock, db } = world
    const read = await aConversation(world)
    const blocked = await aConversation(world)
    await markRead(deps, { id: read.id, by: read.vendor })
    await blockConversation(deps, { id: blocked.id, by: blocked.vendor })
    const due = await db
      .selectFrom('conversations')
      .select('vendor_mail_due_at')
      .where('id', 'in', [read.id, blocked.id])
      .execute()
    expect(due).toEqual(Array(2).fill({ vendor_mail_due_at: null }))
    clock.forward(MAIL_AFTER_MS)
    expect(await mailsTo(await emailOf(read.vendor.userId))).toEqual([])
    expect(await mailsTo(await emailOf(blocked.vendor.userId))).toEqual([])
    // A message that was read before its mail doesn't delay the next mail.
    await sendMessage(deps, { id: read.id, by: read.customer, message: aMessage('Still there?') })
    clock.forward(MAIL_AFTER_MS)
    expect(await mailsTo(await emailOf(read.vendor.userId))).toHaveLength(1)
  })

  it('isn’t sent once it is queued, if that side has blocked since', async () => {
    const { deps, clock } = world
    const { id, vendor } = await aConversation(world)
    clock.forward(MAIL_AFTER_MS)
    await tellOfMessages(deps)
    await blockConversation(deps, { id, by: vendor })
    expect(await mailsTo(await emailOf(vendor.userId))).toEqual([])
  })

  it('isn’t sent once it is queued, if that side has read since', async () => {
    const { deps, clock } = world
    const { id, vendor } = await aConversation(world)
    clock.forward(MAIL_AFTER_MS)
    await tellOfMessages(deps)
    await markRead(deps, { id, by: vendor })
    expect(await mailsTo(await emailOf(vendor.userId))).toEqual([])
  })

  it('goes out once to the customer too, until they have read', async () => {
    const { deps, clock } = world
    const talk = await aConversation(world)
    if (!('userId' in talk.customer)) throw new Error('a guest')
    const email = await emailOf(talk.customer.userId)
    const write = async (body: string) => {
      await sendMessage(deps, { id: talk.id, by: talk.vendor, message: aMessage(body) })
      clock.forward(MAIL_AFTER_MS)
      return (await mailsTo(email)).length
    }
    expect([await write('One'), await write('Two')]).toEqual([1, 1])
    await markRead(deps, { id: talk.id, by: talk.customer })
    expect(await write('Three')).toBe(2)
  })

  describe('to a side that answers by mail', () => {
    /** A conversation in which the mailed side has its first mail, and what answers it and writes to that side. */
    async function aMailed(mailed: 'vendor' | 'customer' | 'guest') {
      const { deps, clock } = world
      const guest = mailed === 'guest' ? { name: 'Kim Lee', email: `${newId()}@example.com` } : undefined
      const talk = await aConversation(world, { guest })
      if (guest) await verifyConversation(deps, { by: talk.link })
      const [side, other] = mailed === 'vendor' ? [talk.vendor, talk.customer] : [talk.customer, talk.vendor]
      const email = guest?.email ?? (await emailOf('userId' in side ? side.userId : ''))
      const write = async (body: string) => {
        await sendMessage(deps, { id: talk.id, by: other, message: aMessage(body) })
        clock.forward(MAIL_AFTER_MS)
        return (await mailsTo(email)).map(({ text }) => text)
      }
      await write('Is Friday free?')
      const received = async (mailId: string) => {
        const mail = (await mailsTo(email)).findLast(({ replyTo }) => replyTo)
        const received = mail && replyTo(mail, { id: mailId, text: 'Yes.' })
        if (!received) throw new Error('no mail')
        return received
      }
      const unread = async () => {
        const view = await findConversation(deps, { id: talk.id, by: side })
        return view?.unread
      }
      const userId = 'userId' in side ? side.userId : null
      return { talk, write, received, unread, userId, mails: () => mailsTo(email) }
    }

    it.each(['vendor', 'customer', 'guest'] as const)('follows the next message (%s)', async (mailed) => {
      const { write, received, unread, userId, mails } = await aMailed(mailed)
      const before = (await mails()).length
      expect(await receiveReply(world.deps, await received(newId()))).toMatchObject({ outcome: 'sent' })
      expect(await unread()).toBe(0)
      if (userId)
        expect((await notificationsOf(userId)).map(({ read_at }) => read_at !== null)).toEqual([true])
      const texts = await write('Shall we meet?')
      expect(texts).toHaveLength(before + 1)
      expect(texts.at(-1)).toContain('Shall we meet?')
      expect(texts.at(-1)).not.toContain('Is Friday free?')
      if (userId)
        expect((await notificationsOf(userId)).map(({ read_at }) => read_at !== null)).toEqual([true, false])
    })

    it('goes out for the messages that came after the answered mail', async () => {
      const { write, received, unread, mails } = await aMailed('guest')
      const before = (await mails()).length
      const answer = await received(newId())
      expect(await write('Or Saturday?')).toHaveLength(before)
      await receiveReply(world.deps, answer)
      expect(await unread()).toBe(1)
      world.clock.forward(MAIL_AFTER_MS)
      const texts = (await mails()).map(({ text }) => text)
      expect(texts).toHaveLength(before + 1)
      expect(texts.at(-1)).toContain('Or Saturday?')
      expect(texts.at(-1)).not.toContain('Is Friday free?')
    })

    it('goes out for the messages that the answered mail had no room for', async () => {
      const { talk, received, unread, mails } = await aMailed('guest')
      await receiveReply(world.deps, await received(newId()))
      for (let number = 1; number <= QUOTED_MESSAGES + 2; number++)
        await sendMessage(world.deps, {
          id: talk.id,
          by: talk.vendor,
          message: aMessage(`Idea no. ${number}.`),
        })
      world.clock.forward(MAIL_AFTER_MS)
      const sent = await mails()
      expect(sent.at(-1)?.text).not.toContain('Idea no. 2.')
      await receiveReply(world.deps, await received(newId()))
      expect(await unread()).toBe(2)
      world.clock.forward(MAIL_AFTER_MS)
      const texts = (await mails()).map(({ text }) => text)
      expect(texts).toHaveLength(sent.length + 1)
      for (const number of [1, 2]) expect(texts.at(-1)).toContain(`Idea no. ${number}.`)
    })

    it('stays due after an older mail is answered a second time, or its answer delivered again', async () => {
      const { talk, received, unread, mails } = await aMailed('guest')
      const before = (await mails()).length
      const answer = await received('first')
      await receiveReply(world.deps, answer)
      await sendMessage(world.deps, { id: talk.id, by: talk.vendor, message: aMessage('Shall we meet?') })
      await receiveReply(world.deps, answer)
      await receiveReply(world.deps, await received(newId()))
      expect(await unread()).toBe(1)
      world.clock.forward(MAIL_AFTER_MS)
      expect(await mails()).toHaveLength(before + 1)
    })
  })

  it('quotes the newest ten of many messages, in their order', async () => {
    const { deps, clock } = world
    const talk = await aConversation(world, { body: 'Message 0.' })
    for (let count = 1; count < 12; count++)
      await sendMessage(deps, { id: talk.id, by: talk.customer, message: aMessage(`Message ${count}.`) })
    clock.forward(MAIL_AFTER_MS)
    const [mail] = await mailsTo(await emailOf(talk.vendor.userId))
    expect([...(mail?.text ?? '').matchAll(/Message (\d+)\./g)].map(([, count]) => Number(count))).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ])
  })

  it('masks contact details where conversations do, until a booking is paid', async () => {
    const { clock, outbox, mail, db } = world
    const deps = { ...world.deps, masksContacts: true }
    const talk = await aConversation(world, { body: 'Ring me on 0412 345 678.' })
    clock.forward(MAIL_AFTER_MS)
    const email = await emailOf(talk.vendor.userId)
    const send = async () => {
      const burst = newId()
      await mailMessages(deps, mail, { conversationId: talk.id, side: 'vendor', burst })
      return (await outbox.list(1_000)).find(
        ({ to, messageId }) => to === email && messageId?.includes(burst),
      )
    }
    const masked = await send()
    expect(masked?.text).toContain('Ring me on •••.')
    expect(JSON.stringify(masked)).not.toContain('0412')
    await db
      .transaction()
      .execute((tx) => markConversation(deps, tx, { conversationId: talk.id, status: 'booked' }))
    expect((await send())?.text).toContain('Ring me on 0412 345 678.')
  })

  it('isn’t sent to an account without an address of its own', async () => {
    const { clock, db } = world
    const email = newPlaceholderEmail()
    const owner = await aUser(db, { email })
    await aConversation(world, { business: await aBusiness(db, { user_id: owner.id }) })
    clock.forward(MAIL_AFTER_MS)
    expect(await mailsTo(email)).toEqual([])
  })

  it('takes an address as proven once its guest has confirmed, or its account has verified it', async () => {
    const { db, deps } = world
    const talk = await aConversation(world, { guest: { name: 'Kim Lee', email: `${newId()}@example.com` } })
    const isProven = async () => {
      const row = await db
        .selectFrom('conversations')
        .selectAll()
        .where('id', '=', talk.id)
        .executeTakeFirstOrThrow()
      return (await recipientOf(db, row, 'customer'))?.isProven
    }
    expect(await isProven()).toBe(false)
    await verifyConversation(deps, { by: talk.link })
    expect(await isProven()).toBe(true)
  })

  it('leads a customer to the conversation by their link', async () => {
    const { deps, clock } = world
    const email = `${newId()}@example.com`
    const talk = await aConversation(world, { guest: { name: 'Kim Lee', email } })
    await verifyConversation(deps, { by: talk.link })
    await sendMessage(deps, { id: talk.id, by: talk.vendor, message: aMessage('<b>Yes</b>') })
    clock.forward(MAIL_AFTER_MS)
    const mail = (await mailsTo(email)).at(-1)
    expect(mail?.subject).toBe('The Walled Garden wrote to you')
    expect(mail?.text).toContain(`/conversations/${talk.link.linkToken}`)
    expect(mail?.text).toContain('<b>Yes</b>')
    expect(mail?.html).toContain('&lt;b&gt;Yes&lt;/b&gt;')
    expect(mail?.replyTo).toMatch(/^r-[0-9a-f]{40}@reply\.jubilee\.example$/)
  })

  it('carries no text to an address that isn’t proven, and takes no replies from it', async () => {
    const { clock, db } = world
    const owner = await aUser(db, { email_verified: false })
    const business = await aBusiness(db, { user_id: owner.id })
    await aConversation(world, { business, body: 'You won a prize' })
    clock.forward(MAIL_AFTER_MS)
    const [mail] = await mailsTo(owner.email)
    expect(mail?.subject).toBe('New message on Jubilee')
    expect(JSON.stringify(mail)).not.toContain('You won a prize')
    expect(mail?.replyTo).toBeUndefined()
  })

  it('names no reply address while replies by mail are off', async () => {
    const { deps, clock, outbox, mail: sender, db } = world
    const talk = await aConversation(world)
    clock.forward(1)
    await mailMessages({ ...deps, mailInbound: null }, sender, {
      conversationId: talk.id,
      side: 'vendor',
      burst: newId(),
    })
    const email = await emailOf(talk.vendor.userId)
    const mail = (await outbox.list(1_000)).find(({ to }) => to === email)
    expect(mail).toBeDefined()
    expect(mail?.replyTo).toBeUndefined()
    expect(mail?.text).not.toContain('above this line')
    const rows = await db
      .selectFrom('reply_addresses')
      .select('side')
      .where('conversation_id', '=', talk.id)
      .execute()
    expect(rows).toEqual([])
  })

  it('keeps the queue free of texts, names and links', async () => {
    const { deps, clock, jobs } = world
    const talk = await aConversation(world, { guest: { name: 'Kim Lee', email: 'queue@example.com' } })
    await verifyConversation(deps, { by: talk.link })
    clock.forward(MAIL_AFTER_MS)
    await tellOfMessages(deps)
    const queued = JSON.stringify(await jobs.takeAll())
    expect(queued).toContain(talk.id)
    for (const secret of ['Is the garden free', 'Kim Lee', 'queue@example.com', talk.link.linkToken])
      expect(queued).not.toContain(secret)
  })
})

describe('a notification', () => {
  it('covers every message until it is read, and reading the conversation reads it', async () => {
    const { deps } = world
    const talk = await aConversation(world)
    await sendMessage(deps, { id: talk.id, by: talk.customer, message: aMessage() })
    const { userId } = talk.vendor
    expect(await notificationsOf(userId)).toEqual([
      { title: 'Robin Vale wrote to you', link: `/dashboard/inbox/${talk.id}`, read_at: null },
    ])
    await markRead(deps, { id: talk.id, by: talk.vendor })
    expect((await notificationsOf(userId))[0]?.read_at).not.toBeNull()
    await sendMessage(deps, { id: talk.id, by: talk.customer, message: aMessage() })
    expect((await notificationsOf(userId)).map(({ read_at }) => read_at !== null)).toEqual([true, false])
  })

  it('goes to a signed-in customer, and to nobody for a guest', async () => {
    const { deps } = world
    const talk = await aConversation(world)
    await sendMessage(deps, { id: talk.id, by: talk.vendor, message: aMessage() })
    const userId = 'userId' in talk.customer ? talk.customer.userId : ''
    expect(await notificationsOf(userId)).toMatchObject([
      { title: 'The Walled Garden wrote to you', link: `/messages/${talk.id}` },
    ])
  })
})

describe('a guest whose proven address is that of an account', () => {
  async function aTold(change: { email_verified?: boolean } = {}) {
    const { deps, db } = world
    const account = await aUser(db, change)
    const email = account.email.toLowerCase()
    const talk = await aConversation(world, { guest: { name: 'Kim Lee', email } })
    await verifyConversation(deps, { by: talk.link })
    return { account, talk, by: { userId: account.id, verifiedEmail: email } }
  }

  it('gets a notification there, which opening the conversation reads, by the link too', async () => {
    const { account, talk, by } = await aTold()
    const tells = () =>
      sendMessage(world.deps, { id: talk.id, by: talk.vendor, message: aMessage('It is free.') })
    for (const reader of [by, talk.link]) {
      await tells()
      await tells()
      expect((await notificationsOf(account.id)).filter(({ read_at }) => !read_at)).toEqual([
        { title: 'The Walled Garden wrote to you', link: `/messages/${talk.id}`, read_at: null },
      ])
      await markRead(world.deps, { id: talk.id, by: reader })
      expect((await notificationsOf(account.id)).every(({ read_at }) => read_at)).toBe(true)
    }
    const row = await world.db
      .selectFrom('conversations')
      .select('customer_user_id')
      .where('id', '=', talk.id)
      .executeTakeFirstOrThrow()
    expect(row.customer_user_id).toBeNull()
  })

  it('hears of each message on the account’s open pages', async () => {
    const { account, talk } = await aTold()
    const heard = Promise.withResolvers<void>()
    const stop = world.deps.liveUpdates.subscribe([`inbox:${account.id}`], () => heard.resolve())
    await sendMessage(world.deps, { id: talk.id, by: talk.vendor, message: aMessage() })
    await heard.promise
    stop()
  })

  it('gets none in an account that hasn’t proven the address', async () => {
    const { account, talk } = await aTold({ email_verified: false })
    await sendMessage(world.deps, { id: talk.id, by: talk.vendor, message: aMessage() })
    expect(await notificationsOf(account.id)).toEqual([])
  })
})

it('the writer’s open page hears that a message was read', async () => {
  const { deps } = world
  const talk = await aConversation(world)
  const told = Promise.withResolvers<void>()
  // Messages before this one have already been announced.
  await sendMessage(deps, { id: talk.id, by: talk.customer, message: aMessage() })
  await new Promise<void>((resolve) => {
    const stop = deps.liveUpdates.subscribe([`conversation:${talk.id}x`], () => {
      stop()
      resolve()
    })
    void deps.db.transaction().execute((tx) => deps.liveUpdates.publish(tx, `conversation:${talk.id}x`))
  })
  const stop = deps.liveUpdates.subscribe([`conversation:${talk.id}`], () => told.resolve())
  await markRead(deps, { id: talk.id, by: talk.vendor })
  await told.promise
  stop()
})

it('open pages of both sides hear of a message once it is stored', async () => {
  const { deps } = world
  const talk = await aConversation(world)
  const customerId = 'userId' in talk.customer ? talk.customer.userId : ''
  const heard: string[] = []
  const all = Promise.withResolvers<void>()
  const topics = [
    `conversation:${talk.id}`,
    `inbox:${talk.vendor.userId}`,
    `inbox:${customerId}`,
    `notifications:${talk.vendor.userId}`,
  ] as const
  const stop = deps.liveUpdates.subscribe(topics, (topic) => {
    heard.push(topic)
    if (new Set(heard).size === topics.length) all.resolve()
  })
  await markRead(deps, { id: talk.id, by: talk.vendor })
  await sendMessage(deps, { id: talk.id, by: talk.customer, message: aMessage() })
  await all.promise
  stop()
})

describe('the link of a guest’s question', () => {
  const aQuestion = async (email = `${newId(8)}@example.com`.toLowerCase()) => {
    const talk = await aConversation(world, { guest: { name: 'Kim Lee', email } })
    return { ...talk, email, key: await linkAgainKey(world.deps.secret, talk.id) }
  }
  const sendsAgain = (key: string, address = newId()) => sendLinkAgain(world.deps, { key, address })

  it('goes out again three times, and never a fourth time', async () => {
    const { key, email, link } = await aQuestion()
    for (let press = 0; press < MAX_LINKS_AGAIN; press++) {
      expect(await sendsAgain(key)).toEqual({ ok: true, sentTo: email })
      world.clock.forward(1_000)
    }
    for (const waitedMs of [0, 2 * HOUR_MS, 2 * DAY_MS]) {
      world.clock.forward(waitedMs)
      expect(await sendsAgain(key)).toEqual({ ok: false, reason: 'too_many', sentTo: email })
    }
    const mails = await mailsTo(email)
    expect(mails).toHaveLength(1 + MAX_LINKS_AGAIN)
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(mails.length)
    expect(mails.every(({ text }) => text.includes(link.linkToken))).toBe(true)
  })

  it('goes out again three times at most when it is pressed many times at once', async () => {
    const { key, email } = await aQuestion()
    const sent = await Promise.all(Array.from({ length: 5 }, () => sendsAgain(key)))
    expect(sent.filter(({ ok }) => ok)).toHaveLength(MAX_LINKS_AGAIN)
    const mails = await mailsTo(email)
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1 + MAX_LINKS_AGAIN)
  })

  it('goes out again five times a day to one address, however many questions there are', async () => {
    const { email } = await aQuestion()
    const again = async (address: string) => (await sendsAgain((await aQuestion(address)).key)).ok
    const sent: boolean[] = []
    for (let press = 0; press < LINK_AGAIN_EMAIL_LIMIT.max; press++) sent.push(await again(email))
    expect(sent).toEqual(sent.map(() => true))
    expect(await again(email.toUpperCase())).toBe(false)
    expect(await again(`other-${email}`)).toBe(true)
  })

  it('goes out again ten times an hour at the request of one network', async () => {
    const network = newId()
    const again = async (address: string) => (await sendsAgain((await aQuestion()).key, address)).ok
    for (let press = 0; press < LINK_AGAIN_NETWORK_LIMIT.max; press++) expect(await again(network)).toBe(true)
    expect(await again(network)).toBe(false)
    expect(await again(newId())).toBe(true)
  })

  it('isn’t mailed again once the question is confirmed, which the answer doesn’t tell', async () => {
    const { key, email, link } = await aQuestion()
    await mailsTo(email)
    await verifyConversation(world.deps, { by: link })
    expect(await sendsAgain(key)).toEqual({ ok: true, sentTo: email })
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('isn’t mailed for a key that we didn’t make', async () => {
    const [one, other] = [await aQuestion(), await aQuestion()]
    const [, signature = ''] = one.key.split('.')
    for (const key of ['', one.id, `${other.id}.${signature}`, `${one.id}.`, `${one.key}x`])
      expect(await sendsAgain(key)).toEqual({ ok: false, reason: 'not_found', sentTo: '' })
  })
})
