import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sendMessage } from '../../app/features/enquiries/commands.server.ts'
import { CONTACT_NOTE, CONVERSATION_REFUSALS, FIELD_TEXTS } from '../../app/features/enquiries/messages.ts'
import { MAX_MESSAGE_LENGTH } from '../../app/features/enquiries/rules.ts'
import { reportConversation } from '../../app/features/enquiries/status-commands.server.ts'
import { VENDOR_REFUSALS, WRITE_QUOTE } from '../../app/features/quotes/messages.ts'
import { enquiryDeps } from '../../app/services/deps.server.ts'
import { newId } from '../../app/shared/ids.ts'
import { aBusiness, aConversation } from '../builders.ts'
import { logIn, requestsTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { aPdf } from '../pdf-files.ts'
import { startServer, type TestServer } from '../server.ts'

const ACCOUNTS = ['customer', 'vendor', 'operator'] as const
const SIDES = ['/messages/', '/dashboard/inbox/'] as const

let server: TestServer
const cookies: Record<string, string> = { nobody: '' }
let talk: Awaited<ReturnType<typeof aConversation>>

const deps = () => enquiryDeps(server.services)
const db = () => server.services.db

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, demo: true })
  for (const account of ACCOUNTS) cookies[account] = await logIn(server, `${account}@jubilee.example`)
})
afterAll(() => server.close())

const idOf = async (email: string) =>
  (await db().selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id

/** A conversation of the demo's customer with the demo's vendor. */
beforeEach(async () => {
  const business = await db()
    .selectFrom('businesses')
    .select(['id', 'user_id'])
    .where('id', '=', 'harbour-light-pavilion')
    .executeTakeFirstOrThrow()
  talk = await aConversation({ deps: deps(), db: db() }, { business, files: [await aPicture()] })
  const customer = await idOf('customer@jubilee.example')
  await db()
    .updateTable('conversations')
    .set({ customer_user_id: customer })
    .where('id', '=', talk.id)
    .execute()
})

async function aPicture(): Promise<File> {
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#2f5d50' } })
    .png()
    .toBuffer()
  return new File([new Uint8Array(bytes)], 'plan of the room.png', { type: 'image/png' })
}

const { get, post } = requestsTo(
  () => server,
  () => ({ multipart: true, headers: { accept: 'text/html' } }),
)
const by = (who: string) => ({ cookie: cookies[who] ?? '' })

const aSent = (body: string, files?: File) => ({
  intent: 'send',
  submitKey: newId(),
  body,
  ...(files ? { files } : {}),
})

const stored = async () => ({
  messages: await db()
    .selectFrom('messages')
    .select(['body', 'sender', 'read_at'])
    .where('conversation_id', '=', talk.id)
    .orderBy('number')
    .execute(),
  ...(await db()
    .selectFrom('conversations')
    .select(['status', 'verified_at'])
    .where('id', '=', talk.id)
    .executeTakeFirstOrThrow()),
})

const WRITES: Record<string, string | File>[] = [
  aSent('Let me in'),
  { intent: 'read' },
  { intent: 'close' },
  { intent: 'block' },
  { intent: 'report', reason: 'None of my business' },
]

describe('a conversation', () => {
  it.each(SIDES)('at %s refuses every write as nobody', async (path) => {
    const before = await stored()
    for (const write of WRITES) {
      const answer = await post(path + talk.id, write)
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toContain('/login')
    }
    expect(await stored()).toEqual(before)
  })

  it.each(SIDES)('at %s is missing as someone else, who can’t write in it', async (path) => {
    const page = await get(path + talk.id, by('operator'))
    expect(page.status).toBe(404)
    expect(await page.text()).not.toContain('Is the garden free')
    const before = await stored()
    for (const write of WRITES) {
      const answer = await post(path + talk.id, write, by('operator'))
      expect([200, 404]).toContain(answer.status)
    }
    expect(await stored()).toEqual(before)
    expect(await db().selectFrom('conversation_reports').selectAll().execute()).toEqual([])
  })

  it('opens at /messages for its customer, and in the inbox for its vendor', async () => {
    for (const [path, side, other] of [
      [SIDES[0], 'customer', 'vendor'],
      [SIDES[1], 'vendor', 'customer'],
    ] as const) {
      const page = await get(path + talk.id, by(side))
      expect(page.status).toBe(200)
      expect(page.headers.get('cache-control')).toBe('private, no-store')
      expect(await page.text()).toContain('Is the garden free that day?')
      expect((await get(path + talk.id, by(other))).status).toBe(404)
    }
  })

  it('counts on the vendor’s overview while it waits, and on the customer’s while it is unread', async () => {
    const { id } = talk
    await db()
      .updateTable('messages')
      .set({ read_at: new Date() })
      .where('conversation_id', '!=', id)
      .execute()
    await db().updateTable('conversations').set({ waiting_since: null }).where('id', '!=', id).execute()
    expect(await (await get('/dashboard', by('vendor'))).text()).toContain(
      '1 customer is waiting for your answer.',
    )
    expect(await (await get('/userdashboard/user', by('customer'))).text()).toContain(
      'Answers from venues and vendors come here.',
    )
    const message = { body: 'Yes', files: [], submitKey: newId() }
    await sendMessage(deps(), { id, by: talk.vendor, message })
    expect(await (await get('/dashboard', by('vendor'))).text()).toContain(
      'Nobody is waiting for your answer.',
    )
    expect(await (await get('/userdashboard/user', by('customer'))).text()).toContain('Read the new message')
    for (const as of ['customer', 'operator'])
      expect(await (await get('/dashboard', by(as))).text()).not.toContain('waiting for your answer.')
  })

  it('stays unconfirmed and unread when its link is opened, until a button is pressed', async () => {
    await sendMessage(deps(), {
      id: talk.id,
      by: talk.vendor,
      message: { body: 'Yes', files: [], submitKey: newId() },
    })
    await db().updateTable('conversations').set({ verified_at: null }).where('id', '=', talk.id).execute()
    const path = `/conversations/${talk.link.linkToken}`
    const page = await get(path)
    expect(page.status).toBe(200)
    expect(page.headers.get('x-robots-tag')).toContain('noindex')
    const opened = await stored()
    expect(opened.verified_at).toBeNull()
    expect(opened.messages.at(-1)?.read_at).toBeNull()
    expect((await post(path, { intent: 'verify' })).status).toBe(200)
    expect((await post(path, { intent: 'read' })).status).toBe(200)
    const pressed = await stored()
    expect(pressed.verified_at).not.toBeNull()
    expect(pressed.messages.at(-1)?.read_at).not.toBeNull()
  })

  it('can’t be found or changed by any other link', async () => {
    const path = `/conversations/${'A'.repeat(43)}`
    expect((await get(path)).status).toBe(404)
    const before = await stored()
    for (const write of WRITES) expect([200, 404]).toContain((await post(path, write)).status)
    expect(await stored()).toEqual(before)
  })
})

describe('a message', () => {
  const path = () => SIDES[0] + talk.id

  it('may have 4,000 characters, line breaks counted once, and one more is refused with its text', async () => {
    const longest = `${'a\n'.repeat(MAX_MESSAGE_LENGTH / 2 - 1)}ab`
    // As a browser sends them.
    expect((await post(path(), aSent(longest.replaceAll('\n', '\r\n')), by('customer'))).status).toBe(200)
    expect((await stored()).messages.at(-1)?.body).toBe(longest)
    const refused = await post(path(), aSent(`${longest}!`), by('customer'))
    expect(refused.status).toBe(422)
    const html = await refused.text()
    expect(html).toContain(FIELD_TEXTS.messageTooLong)
    expect(html).toContain(`${longest}!`)
  })

  it.each([
    ['nothing', '', FIELD_TEXTS.messageMissing],
    ['spaces', ' \n ', FIELD_TEXTS.messageMissing],
    ['NUL', 'a\0b', 'This has a character that we can’t store.'],
  ])('gets a refusal beside the field for %s', async (_, body, text) => {
    const refused = await post(path(), aSent(body), by('customer'))
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain(text)
  })

  it('shows a script as text, and a link without following it', async () => {
    await post(path(), aSent('<script>alert(1)</script> https://example.org/a'), by('customer'))
    const html = await (await get(path(), by('customer'))).text()
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).toMatch(/<a [^>]*rel="nofollow noopener noreferrer ugc"[^>]*>https:\/\/example\.org\/a<\/a>/)
  })

  it('with a phone number gets a note about payment protection, is counted for operators, and stays as it is', async () => {
    const text = 'Ring me on 0412 345 678.'
    expect(await (await get(path(), by('customer'))).text()).not.toContain(CONTACT_NOTE)
    await post(path(), aSent(text), by('customer'))
    for (const [at, as] of [
      [path(), 'customer'],
      [SIDES[1] + talk.id, 'vendor'],
      [`/conversations/${talk.link.linkToken}`, 'nobody'],
    ] as const) {
      const html = await (await get(at, by(as))).text()
      expect(html).toContain(text)
      expect(html).toContain(CONTACT_NOTE)
    }
    const reports = await (await get('/operations/reports', by('operator'))).text()
    expect(reports).toMatch(/[1-9]\d* of \d+ conversations in the last 90 days have contact details/)
    // Nothing of an unreported conversation is among the reports.
    expect(reports).not.toContain(text)
  })

  it('with a renamed program is refused beside the files, and its text stays', async () => {
    const program = new File(['MZ\x90\0'], 'menu.pdf', { type: 'application/pdf' })
    const refused = await post(path(), aSent('Our menu', program), by('customer'))
    expect(refused.status).toBe(422)
    const html = await refused.text()
    expect(html).toContain('menu.pdf: ')
    expect(html).toContain('Our menu')
  })

  it('keeps its text when a blocked conversation refuses it', async () => {
    await post(SIDES[1] + talk.id, { intent: 'block' }, by('vendor'))
    const refused = await post(path(), aSent('One more thing'), by('customer'))
    expect(refused.status).toBe(403)
    const html = await refused.text()
    expect(html).toContain(CONVERSATION_REFUSALS.blocked)
    expect(html).toContain('One more thing')
    await post(SIDES[1] + talk.id, { intent: 'unblock' }, by('vendor'))
  })
})

describe('a live stream', () => {
  // A process that has just started can't know what has changed before.
  beforeEach(() => {
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 600_000)
  })
  afterEach(() => vi.restoreAllMocks())

  const byLink = () => `conversation-${talk.link.linkToken}`

  /** A change of the conversation and of both inboxes, of which this process has heard. */
  async function changed() {
    const told = Promise.withResolvers<void>()
    const stop = server.services.liveUpdates.subscribe([`conversation:${talk.id}`], () => told.resolve())
    const message = { body: 'Yes', files: [], submitKey: newId() }
    await sendMessage(deps(), { id: talk.id, by: talk.vendor, message })
    await told.promise
    stop()
  }

  /** The first subject that a stream reports: 'later' for a subject that changes once the stream is open. */
  async function firstReported(subject: string, age: string, as = 'nobody'): Promise<string | undefined> {
    const { id } = await aBusiness(db())
    const later = `availability-${id}`
    const answer = await get(`/api/live?subject=${subject}&subject=${later}${age}`, by(as))
    const reader = answer.body?.getReader()
    let text = ''
    const readTo = async (end: RegExp) => {
      while (!end.test(text)) {
        const part = await reader?.read()
        if (!part?.value) throw new Error(`answered with ${answer.status} and ${text}`)
        text += new TextDecoder().decode(part.value)
      }
    }
    await readTo(/retry: .*\n/)
    await db()
      .transaction()
      .execute((tx) => server.services.liveUpdates.publish(tx, `calendar:${id}`))
    await readTo(/data: .*\n/)
    await reader?.cancel()
    const first = /data: (.*)\n/.exec(text)?.[1]
    return first === later ? 'later' : first
  }

  it('reports at its opening what has changed since its page was rendered', async () => {
    await changed()
    expect(await firstReported(byLink(), '&age=0')).toBe(byLink())
    expect(await firstReported('inbox', '&age=0', 'vendor')).toBe('inbox')
    expect(await firstReported('inbox', '&age=0', 'customer')).toBe('inbox')
  })

  it.each(['', '&age=', '&age=-1', '&age=1e3', '&age=9999999999', '&age=x'])(
    'reports nothing at its opening to a page that says of its age %j',
    async (age) => {
      await changed()
      expect(await firstReported(byLink(), age)).toBe('later')
    },
  )

  it('reports no change of a conversation to anybody else', async () => {
    await changed()
    expect(await firstReported(`conversation-${'A'.repeat(43)}`, '&age=0')).toBe('later')
    expect(await firstReported('inbox', '&age=0')).toBe('later')
    expect(await firstReported('inbox', '&age=0', 'operator')).toBe('later')
  })
})

describe('a file of a message', () => {
  const fileId = async () =>
    (
      await db()
        .selectFrom('message_files')
        .innerJoin('messages', 'messages.id', 'message_files.message_id')
        .select('message_files.id')
        .where('messages.conversation_id', '=', talk.id)
        .executeTakeFirstOrThrow()
    ).id

  it('opens for both sides alone, is never stored, and never guessed to be of another type', async () => {
    const id = await fileId()
    for (const [key, as] of [
      [talk.link.linkToken, 'nobody'],
      [talk.id, 'customer'],
      [talk.id, 'vendor'],
    ] as const) {
      const answer = await get(`/conversations/${key}/files/${id}`, by(as))
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('image/webp')
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-disposition')).toMatch(/^inline; filename\*=UTF-8''plan/)
    }
    expect((await get(`/conversations/${talk.id}/files/${id}`)).status).toBe(404)
    expect((await get(`/conversations/${'A'.repeat(43)}/files/${id}`)).status).toBe(404)
  })

  it('downloads under its name and never opens within the site if it is a PDF', async () => {
    const file = new File([aPdf()], 'Menü "March".pdf', { type: 'text/html' })
    await sendMessage(deps(), {
      id: talk.id,
      by: talk.vendor,
      message: { body: '', files: [file], submitKey: newId() },
    })
    const { id } = await db()
      .selectFrom('message_files')
      .innerJoin('messages', 'messages.id', 'message_files.message_id')
      .select('message_files.id')
      .where('messages.conversation_id', '=', talk.id)
      .where('content_type', '=', 'application/pdf')
      .executeTakeFirstOrThrow()
    const answer = await get(`/conversations/${talk.link.linkToken}/files/${id}`)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename*=UTF-8''${encodeURIComponent('Menü "March".pdf')}`,
    )
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await answer.text()).slice(0, 5)).toBe('%PDF-')
  })

  it('opens for an operator only once the conversation is reported', async () => {
    const path = `/conversations/${talk.id}/files/${await fileId()}`
    expect((await get(path, by('operator'))).status).toBe(404)
    await reportConversation(deps(), { id: talk.id, by: talk.vendor, reason: 'Wants cash' })
    expect((await get(path, by('operator'))).status).toBe(200)
  })
})

describe('the response time of a business', () => {
  it('appears on its page from five conversations on', async () => {
    const business = await aBusiness(db())
    const page = async () => (await get(`/business/${business.id}`)).text()
    for (let asked = 0; asked < 5; asked++) {
      // Before the fifth, there is nothing to say.
      if (asked === 4) expect(await page()).not.toContain('Usually answers within')
      const one = await aConversation({ deps: deps(), db: db() }, { business })
      await sendMessage(deps(), {
        id: one.id,
        by: one.vendor,
        message: { body: 'Yes', files: [], submitKey: newId() },
      })
    }
    // The page is cached for some minutes, and messages don't drop it.
    await db()
      .updateTable('businesses')
      .set({ updated_at: new Date() })
      .where('id', '=', business.id)
      .execute()
    await expect
      .poll(page)
      .toContain('Usually answers within an hour. Answers 100% of questions within a day.')
  })
})

describe('a report', () => {
  it('opens its conversation to operators, logs each opening, and is closed with an outcome', async () => {
    await reportConversation(deps(), { id: talk.id, by: talk.vendor, reason: 'Wants cash' })
    const { id } = await db()
      .selectFrom('conversation_reports')
      .select('id')
      .where('conversation_id', '=', talk.id)
      .executeTakeFirstOrThrow()
    const opened = async () =>
      (
        await db().selectFrom('operator_log').select('action').where('subject_id', '=', talk.id).execute()
      ).map(({ action }) => action)
    const list = await (await get('/operations/reports', by('operator'))).text()
    expect(list).toContain('Wants cash')
    expect(list).not.toContain('Is the garden free')
    expect(await opened()).toEqual([])
    const page = await (await get(`/operations/reports/${id}`, by('operator'))).text()
    expect(page).toContain('Is the garden free that day?')
    expect(await opened()).toEqual(['open-report'])
    const close = { intent: 'close-report', id, block: 'customer', reason: 'Told them the rules' }
    expect((await post(`/operations/reports/${id}`, close, by('vendor'))).status).toBe(404)
    expect((await post(`/operations/reports/${id}`, { ...close, reason: '' }, by('operator'))).status).toBe(
      422,
    )
    expect((await post(`/operations/reports/${id}`, close, by('operator'))).status).toBe(200)
    expect((await stored()).status).toBe('blocked')
    expect((await post(`/operations/reports/${id}`, close, by('operator'))).status).toBe(409)
  })
})

describe('the address of a quote that is being written', () => {
  const path = () => `/dashboard/inbox/${talk.id}?quote=new`

  it('takes every other form of the conversation', async () => {
    expect((await post(path(), aSent('One moment.'), by('vendor'))).status).toBe(200)
    expect((await post(path(), { intent: 'report', reason: 'Rude' }, by('vendor'))).status).toBe(200)
    expect((await post(path(), { intent: 'close' }, by('vendor'))).status).toBe(200)
    expect((await stored()).status).toBe('closed')
    expect((await post(path(), { intent: 'block' }, by('vendor'))).status).toBe(200)
    const { messages, status } = await stored()
    expect(status).toBe('blocked')
    expect(messages.map(({ body }) => body)).toContain('One moment.')
  })

  it('offers no quote for a listing that is gone, says why, and sends a message', async () => {
    const page = async (address: string) => (await get(address, by('vendor'))).text()
    expect(await page(`/dashboard/inbox/${talk.id}`)).toContain(WRITE_QUOTE)
    expect(await page(path())).toContain('class="quote-composer"')
    const hide = (hidden: { hidden_at: Date; hidden_by: 'owner' } | { hidden_at: null; hidden_by: null }) =>
      db().updateTable('businesses').set(hidden).where('id', '=', talk.business.id).execute()
    await hide({ hidden_at: new Date(), hidden_by: 'owner' })
    try {
      expect(await page(`/dashboard/inbox/${talk.id}`)).not.toContain(WRITE_QUOTE)
      const gone = await page(path())
      expect(gone).toContain(VENDOR_REFUSALS.gone)
      expect(gone).not.toContain('class="quote-composer"')
      expect((await post(path(), aSent('We are closed in March.'), by('vendor'))).status).toBe(200)
      expect((await stored()).messages.map(({ body }) => body)).toContain('We are closed in March.')
    } finally {
      await hide({ hidden_at: null, hidden_by: null })
    }
  })
})
