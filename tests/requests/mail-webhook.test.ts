import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailMessages } from '../../app/features/enquiries/notice-commands.server.ts'
import { findConversation } from '../../app/features/enquiries/queries.server.ts'
import { enquiryDeps } from '../../app/services/deps.server.ts'
import { newId } from '../../app/shared/ids.ts'
import { aConversation } from '../builders.ts'
import { sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
const LOGIN = 'postmark:0123456789abcdef'

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { MAIL_INBOUND: 'reply.example.com', MAIL_INBOUND_LOGIN: LOGIN },
  })
})
afterAll(() => server.close())

/** Sends a mail as the mail service does, which is no page of ours. */
const deliver = (body: unknown, login: string | null = LOGIN) =>
  sendTo(server, '/webhooks/mail', {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      origin: undefined,
      'content-type': 'application/json',
      ...(login ? { authorization: `Basic ${btoa(login)}` } : {}),
    },
  })

/** A conversation, and a mail to the vendor's reply address in it. */
async function aReply(text: string) {
  const deps = enquiryDeps(server.services)
  const talk = await aConversation({ deps, db: server.services.db })
  const { outbox, mail: sender } = server.services
  if (!outbox) throw new Error('no outbox')
  await mailMessages(deps, sender, { conversationId: talk.id, side: 'vendor', burst: newId() })
  const mail = (await outbox.list(100)).find(({ text }) => text.includes(talk.id))
  return { talk, deps, mail: { MessageID: newId(), OriginalRecipient: mail?.replyTo, TextBody: text } }
}

describe('POST /webhooks/mail', () => {
  it('makes a message of a mail to a reply address, once', async () => {
    const { talk, deps, mail } = await aReply('Yes, it is.\n\nOn Friday, Jubilee wrote:\n\n> Hello')
    for (let delivery = 0; delivery < 2; delivery++) {
      const response = await deliver(mail)
      expect([response.status, await response.json()]).toEqual([200, { outcome: 'sent' }])
    }
    const view = await findConversation(deps, { id: talk.id, by: talk.customer })
    expect(view?.messages.map(({ body }) => body)).toEqual(['Is the garden free that day?', 'Yes, it is.'])
  })

  it('refuses requests without the login, and stores nothing of them', async () => {
    const { talk, deps, mail } = await aReply('Yes.')
    for (const login of [null, 'postmark:fedcba9876543210', 'postmark:', ':'])
      expect((await deliver(mail, login)).status).toBe(401)
    const view = await findConversation(deps, { id: talk.id, by: talk.customer })
    expect(view?.messages).toHaveLength(1)
  })

  it('drops a mail of a disabled account, which gets no mails about the conversation either', async () => {
    const { talk, deps, mail } = await aReply('Pay me in cash instead.')
    const { db, outbox, mail: sender } = server.services
    const closed = await db
      .updateTable('users')
      .set({ disabled_at: new Date() })
      .where('id', '=', talk.vendor.userId)
      .returning('email')
      .executeTakeFirstOrThrow()
    const mails = async () => (await outbox?.list(100))?.filter(({ to }) => to === closed.email).length
    const before = await mails()
    const response = await deliver(mail)
    expect([response.status, await response.json()]).toEqual([200, { outcome: 'dropped' }])
    const view = await findConversation(deps, { id: talk.id, by: talk.customer })
    expect(view?.messages).toHaveLength(1)
    await mailMessages(deps, sender, { conversationId: talk.id, side: 'vendor', burst: newId() })
    expect(await mails()).toBe(before)
  })

  it('answers every body without an error of the server', async () => {
    for (const body of ['', '{', 'null', '[1]', '{"MessageID":1}', { MessageID: 'x'.repeat(300) }])
      expect((await deliver(body)).status).toBe(400)
    for (const OriginalRecipient of [
      'hello@example.com',
      `r-${'a'.repeat(40)}@reply.example.com`,
      'r-\u0000@reply.example.com',
      '\ud800',
    ])
      expect(
        (await deliver({ MessageID: newId(), OriginalRecipient, TextBody: '\ud800\u0000' })).status,
      ).toBe(200)
  })

  it('keeps odd text readable', async () => {
    const { talk, deps, mail } = await aReply('<script>a\u0000\ud800</script>')
    expect((await deliver(mail)).status).toBe(200)
    const view = await findConversation(deps, { id: talk.id, by: talk.customer })
    expect(view?.messages[1]?.body).toBe('<script>a\ufffd</script>')
  })

  it('answers a GET with 405', async () => {
    expect((await sendTo(server, '/webhooks/mail')).status).toBe(405)
  })

  it('doesn’t exist without a mail service', async () => {
    const other = await startServer({ openDatabase: openTestDatabase })
    try {
      const response = await sendTo(other, '/webhooks/mail', { body: '{}', headers: { origin: undefined } })
      expect(response.status).toBe(404)
    } finally {
      await other.close()
    }
  })
})
