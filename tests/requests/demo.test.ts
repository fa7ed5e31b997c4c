import { get } from 'node:http'
import { href } from 'react-router'
import { afterEach, expect, it } from 'vitest'
import { readConfig } from '../../app/config.server.ts'
import { mailMessages } from '../../app/features/enquiries/notice-commands.server.ts'
import { findConversation } from '../../app/features/enquiries/queries.server.ts'
import { blockConversation } from '../../app/features/enquiries/status-commands.server.ts'
import { enquiryDeps } from '../../app/services/deps.server.ts'
import { newId } from '../../app/shared/ids.ts'
import { fillDemoConversations } from '../../content/demo/conversations.ts'
import { aConversation } from '../builders.ts'
import { cookiesOf, sendTo } from '../client.ts'
import { openEmbeddedDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer | undefined
afterEach(() => server?.close())

it('the demo starts under any password policy: its accounts keep their passwords, and only new ones have to meet it', async () => {
  server = await startServer({
    openDatabase: openEmbeddedDatabase,
    demo: true,
    env: {
      PASSWORD_MIN_LENGTH: '12',
      PASSWORD_REQUIRE_UPPERCASE: '1',
      PASSWORD_REQUIRE_NUMERIC: '1',
      PASSWORD_REQUIRE_NON_ALPHANUMERIC: '1',
    },
  })
  for (const role of ['customer', 'vendor', 'operator']) {
    const email = `${role}@jubilee.example`
    const signIn = await sendTo(server, '/login', { fields: { email, password: 'celebrate' } })
    expect([email, signIn.status]).toEqual([email, 302])
  }
  const newcomer = { displayName: 'Nia', email: 'nia@example.com' }
  expect((await sendTo(server, '/signup', { fields: { ...newcomer, password: 'celebrate' } })).status).toBe(
    400,
  )
  expect(
    (await sendTo(server, '/signup', { fields: { ...newcomer, password: 'Celebrate-2027' } })).status,
  ).toBe(302)

  const signIn = await sendTo(server, '/login', {
    fields: { email: 'customer@jubilee.example', password: 'celebrate' },
  })
  const cookie = cookiesOf(signIn)
  const change = (newPassword: string) =>
    sendTo(server as TestServer, '/settings-privacy', {
      fields: { intent: 'password', currentPassword: 'celebrate', newPassword },
      cookie,
    })
  expect((await change('celebrate again')).status).toBe(400)
  expect((await change('Celebrate-2027')).status).toBeLessThan(400)
})

/** The status over a real connection, since a browser takes the Host header from its page's address. */
const statusWithHost = (
  to: TestServer,
  path: string,
  host: string,
  headers: Record<string, string> = to.keyHeader,
) =>
  new Promise<number | undefined>((resolve, reject) => {
    get(`${to.origin}${path}`, { headers: { host, ...headers } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    }).on('error', reject)
  })

it('the demo serves its outbox and metrics to this machine only, even under DNS rebinding', async () => {
  server = await startServer({ openDatabase: openEmbeddedDatabase, demo: true, listen: true })
  const { host, port } = new URL(server.origin)
  const { mail, outbox } = server.services
  await mail.send({ messageId: 'one', to: 'kim@example.com', subject: 'Paid', text: '', html: '<p>Paid</p>' })
  expect(await outbox?.list(10)).toHaveLength(1)
  for (const path of ['/outbox', '/outbox.data', '/outbox/one', '/metrics']) {
    expect([path, await statusWithHost(server, path, host)]).toEqual([path, 200])
    expect([path, await statusWithHost(server, path, `127.0.0.1:${port}`)]).toEqual([path, 200])
    expect([path, await statusWithHost(server, path, `rebound.example:${port}`)]).toEqual([path, 404])
    expect([path, await statusWithHost(server, path, `localhost.rebound.example:${port}`)]).toEqual([
      path,
      404,
    ])
  }
})

it('the demo’s inbox has conversations and quotes in every state that a visitor would look for', async () => {
  server = await startServer({ openDatabase: openEmbeddedDatabase, demo: true })
  const { services } = server
  const before = services.now().getTime()
  await fillDemoConversations(services)
  const rows = await services.db
    .selectFrom('conversations')
    .leftJoin('quotes', 'quotes.conversation_id', 'conversations.id')
    .select(['customer_name', 'conversations.status', 'quotes.state', 'waiting_since', 'accepted_cents'])
    .orderBy('conversations.last_message_at')
    .execute()
  expect(rows.map((row) => [row.customer_name, row.status, row.state, row.waiting_since !== null])).toEqual([
    ['Theo Lindqvist', 'open', 'expired', false],
    ['Isla Brennan', 'quoted', 'sent', false],
    ['Isla Brennan', 'booked', 'booked', false],
    ['Isla Brennan', 'open', null, true],
    ['Grace Holloway', 'open', null, true],
  ])
  const [file] = await services.db.selectFrom('message_files').select(['name', 'content_type']).execute()
  expect(file).toEqual({ name: 'floor-plan.pdf', content_type: 'application/pdf' })
  // Every message is in the past, and the quote is paid at the price of its lines.
  const messages = await services.db.selectFrom('messages').select('created_at').execute()
  for (const { created_at } of messages) expect(created_at.getTime()).toBeLessThan(before)
  expect(rows.find(({ state }) => state === 'booked')?.accepted_cents).toBe(156_000)
  const signIn = await sendTo(server, '/login', {
    fields: { email: 'vendor@jubilee.example', password: 'celebrate' },
  })
  for (const [path, text] of [
    ['/dashboard', '2 customers are waiting for your answer.'],
    ['/dashboard/inbox', 'Grace Holloway'],
  ] as const) {
    const page = await sendTo(server, path, { cookie: cookiesOf(signIn) })
    expect(await page.text()).toContain(text)
  }
})

it('the demo’s outbox answers a mail as a mail program would, and refuses what is no such mail', async () => {
  server = await startServer({ openDatabase: openEmbeddedDatabase, demo: true, listen: true })
  const { services, origin } = server
  const deps = enquiryDeps(services)
  const talk = await aConversation({ deps, db: services.db })
  const { outbox, mail: sender } = services
  if (!outbox) throw new Error('no outbox')
  await mailMessages(deps, sender, { conversationId: talk.id, side: 'vendor', burst: newId() })
  const mail = (await outbox.list(50)).find(({ text }) => text.includes(talk.id))
  const messageId = mail?.messageId ?? ''
  expect(mail?.replyTo).toMatch(/^r-[0-9a-f]{40}@/)
  // The HTML part is a page of its own, for the frame beside the mail.
  const shown = await fetch(`${origin}${href('/outbox/:messageId', { messageId })}`, {
    headers: server.keyHeader,
  })
  expect(shown.status).toBe(200)
  expect(await shown.text()).toContain('Is the garden free that day?')
  expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = shown.headers.get('content-security-policy')?.split('; ')
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "frame-ancestors 'self'",
      'sandbox allow-popups allow-popups-to-escape-sandbox',
    ]),
  )
  expect(policy?.join()).not.toContain('script')
  expect((await fetch(`${origin}/outbox/none`, { headers: server.keyHeader })).status).toBe(404)
  const page = await (await fetch(`${origin}/outbox`, { headers: server.keyHeader })).text()
  expect(page).toMatch(/<iframe[^>]* sandbox="allow-popups allow-popups-to-escape-sandbox"/)
  // Over a real connection: the outbox answers this machine only.
  const reply = async (fields: Record<string, string>) => {
    const response = await fetch(`${origin}/outbox`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin, ...(server as TestServer).keyHeader },
    })
    return { status: response.status, html: await response.text() }
  }
  const sent = await reply({ messageId, text: 'Yes, all day.' })
  expect(sent.status).toBe(200)
  expect(sent.html).toContain('Your reply is in the conversation.')
  const view = await findConversation(deps, { id: talk.id, by: talk.customer })
  expect(view?.messages.map(({ body, sender, sentBy }) => [body, sender, sentBy])).toEqual([
    ['Is the garden free that day?', 'customer', 'web'],
    ['Yes, all day.', 'vendor', 'mail'],
  ])
  expect((await reply({ messageId, text: ' ' })).html).toContain('The reply was refused.')
  expect((await reply({ messageId, text: 'a\0b' })).status).toBe(400)
  for (const fields of [{}, { messageId: 'none', text: 'Hi' }, { messageId, text: 'a'.repeat(100_000) }])
    expect([404, 413]).toContain((await reply(fields as Record<string, string>)).status)
  // Blocked, the address is void.
  await blockConversation(deps, { id: talk.id, by: talk.customer })
  expect((await reply({ messageId, text: 'Hello?' })).html).toContain('This address no longer takes replies.')
})

it('the printed address opens the outbox, the sandbox and its clock in one browser, and nothing else does', async () => {
  server = await startServer({ openDatabase: openEmbeddedDatabase, demo: true, listen: true })
  const { origin } = server
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`${origin}${path}`, { headers, redirect: 'manual' })).status
  const paths = ['/outbox', '/outbox.data', '/outbox/none', '/sandbox', '/sandbox.data', '/api/sandbox/clock']
  for (const path of paths) {
    // As behind a proxy that adds no header: a loopback address, and the Host of this machine.
    expect([path, await status(path)]).toEqual([path, 404])
    expect([path, await status(`${path}?key=wrong`)]).toEqual([path, 404])
    expect([path, await status(path, { authorization: 'Bearer wrong' })]).toEqual([path, 404])
  }
  for (const path of ['/outbox', '/sandbox']) {
    // Every page's foot offers mails and has an address.
    const [html = ''] = (await (await fetch(`${origin}${path}`)).text()).split('<footer')
    const shown = [...html.matchAll(/<(title|h1|p)\b[^>]*>(.*?)<\/\1>/g)].map(([, , text]) => text).join(' ')
    expect(shown).not.toMatch(/outbox|sandbox|key|mail|test/i)
    const forwarded = { headers: { 'x-forwarded-for': '203.0.113.7' } }
    const refused = await fetch(server.printed(path), { ...forwarded, redirect: 'manual' })
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([404, null])
    const opened = await fetch(server.printed(path), { redirect: 'manual' })
    expect([opened.status, opened.headers.get('location')]).toEqual([302, path])
    expect(opened.headers.get('set-cookie')).toMatch(/^jubilee_printed_key_\d+=.*; HttpOnly; SameSite=Lax/)
    const cookie = cookiesOf(opened)
    for (const other of paths.filter((one) => !one.endsWith('none')))
      expect([other, await status(other, { cookie })]).toEqual([other, 200])
    expect(await status('/sandbox', { cookie, 'x-forwarded-for': '203.0.113.7' })).toBe(404)
  }
  // A test bank's form has a link of its own, which its vendor follows without a key.
  expect(await status('/sandbox/account/no-such-token')).not.toBe(500)
})

it('the printed key stays the same after a restart, and differs from that of another secret', () => {
  const keyWith = (secret: string) =>
    readConfig({ SECRET: secret, PUSH_PRIVATE_KEY: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94' }).printedKey
  expect(keyWith('a'.repeat(32))).toBe(keyWith('a'.repeat(32)))
  expect(keyWith('a'.repeat(32))).not.toBe(keyWith('b'.repeat(32)))
})
