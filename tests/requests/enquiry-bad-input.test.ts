import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FIELD_TEXTS, FILE_REFUSALS } from '../../app/features/enquiries/messages.ts'
import {
  MAX_MESSAGE_FILE_BYTES,
  MAX_MESSAGE_LENGTH,
  MAX_REPORT_REASON,
  MAX_SAVED_REPLY_TITLE,
} from '../../app/features/enquiries/rules.ts'
import { saveReply } from '../../app/features/enquiries/saved-reply-commands.server.ts'
import { closeConversation, reportConversation } from '../../app/features/enquiries/status-commands.server.ts'
import { sendQuote } from '../../app/features/quotes/commands.server.ts'
import { FIELD_MESSAGES } from '../../app/features/quotes/field-messages.ts'
import { QUOTE_REFUSALS } from '../../app/features/quotes/messages.ts'
import { MAX_LABEL_LENGTH, MAX_NOTE_LENGTH } from '../../app/features/quotes/rules.ts'
import { bookingDeps, enquiryDeps } from '../../app/services/deps.server.ts'
import { addDays } from '../../app/shared/dates.ts'
import { newId } from '../../app/shared/ids.ts'
import { aBusiness, aConversation, aGuestConversation, anOffer } from '../builders.ts'
import { logIn, requestsTo, sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { aScriptedPdf } from '../pdf-files.ts'
import { startServer, type TestServer } from '../server.ts'

/** Bad input of every form of conversations and quotes: a sentence beside the field, what was typed, and never a 500. */

let server: TestServer
const cookies: Record<string, string> = { nobody: '' }
let vendorId: string
let business: { id: string; user_id: string }

const deps = () => enquiryDeps(server.services)
const db = () => server.services.db

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, demo: true })
  for (const account of ['customer', 'vendor', 'operator'])
    cookies[account] = await logIn(server, `${account}@jubilee.example`)
  const found = await db()
    .selectFrom('businesses')
    .select(['id', 'user_id'])
    .where('id', '=', 'harbour-light-pavilion')
    .executeTakeFirstOrThrow()
  business = found
  vendorId = found.user_id
})
afterAll(() => server.close())

type Fields = Record<string, string | File | readonly File[]>

/** Each request has an address of its own, so no limit counts them together. */
const { post } = requestsTo(
  () => server,
  () => ({ multipart: true, address: newId(), headers: { accept: 'text/html' } }),
)
const by = (who: string) => ({ cookie: cookies[who] ?? '' })

/** The page that refuses a form, as people read it. */
async function refusal(response: Response, status = 422): Promise<string> {
  expect(response.status).toBe(status)
  const html = await response.text()
  return html
    .replaceAll('&#x27;', '’')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
}

const NOT_STORABLE = 'This has a character that we can’t store.'
const SCRIPT = '<script>alert(1)</script>'

describe('the form of a question', () => {
  const path = () => `/business/${business.id}/ask`
  const right = () => ({
    wish: 'question',
    body: 'Is there a piano?',
    name: 'Kim Lee',
    email: `${newId(8)}@example.com`,
    eventDate: '',
    guests: '',
    budget: '',
    submitKey: newId(),
  })

  it.each([
    ['body', '', FIELD_TEXTS.messageMissing],
    ['body', ' \n ', FIELD_TEXTS.messageMissing],
    ['body', 'a'.repeat(MAX_MESSAGE_LENGTH + 1), FIELD_TEXTS.messageTooLong],
    ['body', 'a\0b', NOT_STORABLE],
    ['name', '', FIELD_TEXTS.nameMissing],
    ['name', 'a\0b', NOT_STORABLE],
    ['name', 'https://spam.example', 'A name can’t contain a web address'],
    ['name', 'a'.repeat(500), 'Use at most'],
    ['email', '', FIELD_TEXTS.emailMissing],
    ['email', 'kim', 'Enter an email address like'],
    ['email', 'kim@example.com\r\nbcc: all@example.com', 'Type this on one line'],
    ['eventDate', '2027-02-30', FIELD_TEXTS.dateWrong],
    ['eventDate', '2020-01-01', FIELD_TEXTS.datePast],
    ['eventDate', 'soon', FIELD_TEXTS.dateWrong],
    ['guests', '0', FIELD_TEXTS.guestsWrong],
    ['guests', '-5', FIELD_TEXTS.guestsWrong],
    ['guests', '1000001', FIELD_TEXTS.guestsWrong],
    ['guests', 'many', FIELD_TEXTS.guestsWrong],
    ['budget', 'lots', FIELD_TEXTS.budgetWrong],
    ['budget', '-1', FIELD_TEXTS.budgetWrong],
    ['budget', '1e9', FIELD_TEXTS.budgetWrong],
  ])('refuses %s %j beside the field, and keeps the rest', async (field, value, text) => {
    const html = await refusal(await post(path(), { ...right(), [field]: value }))
    expect(html).toContain(text)
    if (field !== 'name') expect(html).toContain('value="Kim Lee"')
    if (field !== 'body') expect(html).toContain('Is there a piano?')
  })

  it.each([
    ['wish', 'gift'],
    ['submitKey', ''],
    ['submitKey', '../../etc'],
  ])('refuses %s %j, which no page sends, with the typed text', async (field, value) => {
    const html = await refusal(await post(path(), { ...right(), [field]: value }))
    expect(html).toContain('This form arrived incomplete.')
    expect(html).toContain('Is there a piano?')
  })

  it.each([
    ['an empty file', new File([], 'plan.pdf'), FILE_REFUSALS.empty],
    ['a program', new File(['MZ\x90\0'], 'plan.png', { type: 'image/png' }), FILE_REFUSALS.wrong_type],
    ['a page', new File(['<html></html>'], 'plan.html'), FILE_REFUSALS.wrong_type],
    ['a drawing', new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'a.svg'), FILE_REFUSALS.wrong_type],
    ['an archive', new File(['PK\x03\x04'], 'plan.pdf'), FILE_REFUSALS.wrong_type],
    ['a PDF with a script', new File([aScriptedPdf()], 'a.pdf'), FILE_REFUSALS.active_pdf],
    [
      'a file of 10 MB and a byte',
      new File([new Uint8Array(MAX_MESSAGE_FILE_BYTES + 1)], 'a.pdf'),
      FILE_REFUSALS.too_large,
    ],
  ])('refuses %s beside the files, by its content', async (_, file, text) => {
    const html = await refusal(await post(path(), { ...right(), files: file }))
    expect(html).toContain(text)
    expect(html).toContain('Is there a piano?')
  })

  it('refuses six files', async () => {
    const files = Array.from({ length: 6 }, () => new File(['%PDF-1.7\n%%EOF'], 'a.pdf'))
    expect(await refusal(await post(path(), { ...right(), files }))).toContain(FIELD_TEXTS.tooManyFiles)
  })

  it('stores no half characters, and shows a script as text', async () => {
    // A lone surrogate in UTF-8, which no form sends.
    const boundary = 'x'.repeat(20)
    const parts = Object.entries({ ...right(), body: `${SCRIPT}|` }).map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const bytes = Buffer.concat(
      `${parts.join('')}--${boundary}--\r\n`
        .split('|')
        .flatMap((text, index) => [...(index ? [Buffer.from([0xed, 0xa0, 0x80])] : []), Buffer.from(text)]),
    )
    const response = await sendTo(server, path(), {
      body: new Uint8Array(bytes),
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    })
    expect(response.status).toBeLessThan(500)
    const row = await db()
      .selectFrom('messages')
      .select('body')
      .where('body', 'like', `${SCRIPT}%`)
      .executeTakeFirst()
    if (row) expect(row.body.isWellFormed()).toBe(true)
  })

  it.each(['no-such-business', '..%2f..', "'; drop table messages; --"])(
    'answers 404 or 410 for a business that isn’t there: %s',
    async (id) => {
      const response = await post(`/business/${encodeURIComponent(id)}/ask`, right())
      expect([404, 410]).toContain(response.status)
    },
  )
})

describe('the forms of a conversation', () => {
  const aTalk = async () => {
    const talk = await aConversation({ deps: deps(), db: db() }, { business })
    const customer = await db()
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'customer@jubilee.example')
      .executeTakeFirstOrThrow()
    await db()
      .updateTable('conversations')
      .set({ customer_user_id: customer.id })
      .where('id', '=', talk.id)
      .execute()
    return talk
  }

  it.each([
    ['', FIELD_TEXTS.reasonMissing],
    [' \n', FIELD_TEXTS.reasonMissing],
    ['a'.repeat(MAX_REPORT_REASON + 1), 'Use at most 1000 characters.'],
    ['a\0', NOT_STORABLE],
  ])('refuse a report for %j, and store none', async (reason, text) => {
    const talk = await aTalk()
    for (const [path, as] of [
      [`/messages/${talk.id}`, 'customer'],
      [`/dashboard/inbox/${talk.id}`, 'vendor'],
      [`/conversations/${talk.link.linkToken}`, 'nobody'],
    ] as const)
      expect(await refusal(await post(path, { intent: 'report', reason }, by(as)))).toContain(text)
    const reports = await db()
      .selectFrom('conversation_reports')
      .select('id')
      .where('conversation_id', '=', talk.id)
      .execute()
    expect(reports).toEqual([])
  })

  it.each([
    [{ title: '' }, FIELD_TEXTS.titleMissing],
    [{ title: 'a'.repeat(MAX_SAVED_REPLY_TITLE + 1) }, `Use at most ${MAX_SAVED_REPLY_TITLE} characters.`],
    [{ title: 'a\0' }, NOT_STORABLE],
    [{ body: '' }, FIELD_TEXTS.replyMissing],
    [{ body: 'a'.repeat(MAX_MESSAGE_LENGTH + 1) }, FIELD_TEXTS.messageTooLong],
    [{ body: 'a\0' }, NOT_STORABLE],
  ])('refuse the saved reply %j', async (fields, text) => {
    const reply = { intent: 'save-reply', title: 'Parking', body: 'Behind the hall.', ...fields }
    expect(await refusal(await post('/dashboard/inbox', reply, by('vendor')))).toContain(text)
  })

  it('change no reply of somebody else, and delete none', async () => {
    const other = await aBusiness(db())
    const saved = await saveReply(deps(), { userId: other.user_id, id: null, title: 'Mine', body: 'Mine' })
    if (!saved.ok) throw new Error(saved.reason)
    for (const intent of ['save-reply', 'delete-reply'])
      for (const id of [saved.id, 'no-such-reply', 'x'.repeat(64)]) {
        const answer = await post(
          '/dashboard/inbox',
          { intent, id, title: 'Yours', body: 'Yours' },
          by('vendor'),
        )
        expect(answer.status).toBe(404)
      }
    const kept = await db().selectFrom('saved_replies').select('title').where('id', '=', saved.id).execute()
    expect(kept).toEqual([{ title: 'Mine' }])
  })

  it.each(['send', 'read', 'verify', 'close', 'block', 'unblock', 'report', 'sell', ''])(
    'answer %j to wrong ids, with or without fields, without an error of the server',
    async (intent) => {
      const ids = [
        'no-such-conversation',
        'x'.repeat(300),
        '%00',
        '%F0%9F%8E%89',
        "'; drop table messages; --",
      ]
      for (const id of ids)
        for (const fields of [{}, { body: 'Hello', submitKey: newId(), reason: 'Rude' }] as Fields[])
          for (const [path, as] of [
            [`/messages/${id}`, 'customer'],
            [`/dashboard/inbox/${id}`, 'vendor'],
            [`/conversations/${id}`, 'nobody'],
          ] as const) {
            const { status } = await post(path, { intent, ...fields }, by(as))
            expect(status, `${intent} at ${path}`).toBeLessThan(500)
            // Marking nothing as read is no mistake.
            if (intent !== 'read') expect(status, `${intent} at ${path}`).toBeGreaterThanOrEqual(400)
          }
    },
  )

  it.each(['/business/harbour-light-pavilion/ask', '/messages/x', '/dashboard/inbox/x', '/conversations/x'])(
    'at %s answer a body that isn’t a form with a 4xx',
    async (path) => {
      const bodies: [BodyInit, string][] = [
        ['--x\r\nContent-Disposition: form-data; name="body"\r\n\r\na', 'multipart/form-data; boundary=x'],
        ['body=a', 'multipart/form-data'],
        ['{"body":', 'application/json'],
        [new Uint8Array([0, 255, 254, 0]), 'application/x-www-form-urlencoded'],
        ['a[4294967294]=1&__proto__=1', 'application/x-www-form-urlencoded'],
      ]
      for (const [body, type] of bodies)
        for (const as of ['customer', 'vendor']) {
          const { status } = await sendTo(server, path, {
            ...by(as),
            body,
            headers: { 'content-type': type },
          })
          expect(status).toBeGreaterThanOrEqual(400)
          expect(status).toBeLessThan(500)
        }
    },
  )

  it('keep the text of a message that is refused for its files or its conversation’s end', async () => {
    const talk = await aTalk()
    const path = `/messages/${talk.id}`
    const aMessageWith = (files?: File) => ({
      intent: 'send',
      body: 'Nothing typed is lost',
      submitKey: newId(),
      ...(files ? { files } : {}),
    })
    const empty = await refusal(await post(path, aMessageWith(new File([], 'a.pdf')), by('customer')))
    expect(empty).toContain(FILE_REFUSALS.empty)
    expect(empty).toContain('Nothing typed is lost')
    // Closed, it opens again.
    await closeConversation(deps(), { id: talk.id, by: talk.vendor })
    expect((await post(path, aMessageWith(), by('customer'))).status).toBe(200)
  })

  it('close no report with wrong ids, an empty outcome or an unknown side', async () => {
    const talk = await aTalk()
    await reportConversation(deps(), { id: talk.id, by: talk.vendor, reason: 'Rude' })
    const { id } = await db()
      .selectFrom('conversation_reports')
      .select('id')
      .where('conversation_id', '=', talk.id)
      .executeTakeFirstOrThrow()
    const right = { intent: 'close-report', id, block: '', reason: 'Talked to both' }
    for (const wrong of [{ id: 'none' }, { id: '' }, { reason: '' }, { reason: 'a\0' }, { block: 'both' }]) {
      const { status } = await post('/operations/reports', { ...right, ...wrong }, by('operator'))
      expect(status, JSON.stringify(wrong)).toBeLessThan(500)
    }
    for (const as of ['customer', 'vendor', 'nobody']) await post('/operations/reports', right, by(as))
    const report = await db()
      .selectFrom('conversation_reports')
      .select('closed_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(report.closed_at).toBeNull()
  })
})

describe('the forms of a quote', () => {
  const day = (days: number) => addDays(new Date().toISOString().slice(0, 10), days)
  const right = () => ({
    intent: 'send-quote',
    version: '1',
    'lines[0].label': 'Long-table dinner',
    'lines[0].quantity': '80',
    'lines[0].unitPrice': '55',
    note: 'With pleasure.',
    date: day(200),
    time: '16:00',
    end: '21:00',
    bookingType: 'perPerson',
    guests: '80',
    policy: 'moderate',
    plan: 'full',
    depositPercent: '',
    balanceDays: '',
    validTo: day(7),
    holdHours: '0',
  })
  const aTalk = () => aGuestConversation(bookingDeps(server.services), { id: business.id, user_id: vendorId })
  const quotesOf = (conversationId: string) =>
    db().selectFrom('quotes').select(['id', 'state']).where('conversation_id', '=', conversationId).execute()

  it.each([
    [{ 'lines[0].label': '' }, FIELD_MESSAGES.labelMissing],
    [{ 'lines[0].label': 'a'.repeat(MAX_LABEL_LENGTH + 1) }, `Use at most ${MAX_LABEL_LENGTH} characters.`],
    [{ 'lines[0].label': 'a\0' }, NOT_STORABLE],
    [{ 'lines[0].quantity': '0' }, FIELD_MESSAGES.quantityWrong],
    [{ 'lines[0].quantity': '-1' }, FIELD_MESSAGES.quantityWrong],
    [{ 'lines[0].quantity': '1.5' }, FIELD_MESSAGES.quantityWrong],
    [{ 'lines[0].quantity': '10001' }, FIELD_MESSAGES.quantityWrong],
    [{ 'lines[0].quantity': 'many' }, FIELD_MESSAGES.quantityWrong],
    [{ 'lines[0].unitPrice': '' }, FIELD_MESSAGES.priceMissing],
    [{ 'lines[0].unitPrice': '0' }, FIELD_MESSAGES.priceWrong],
    [{ 'lines[0].unitPrice': '-5' }, FIELD_MESSAGES.priceWrong],
    [{ 'lines[0].unitPrice': '1000000' }, FIELD_MESSAGES.priceTooLarge],
    [{ 'lines[0].quantity': '1', 'lines[0].unitPrice': '0.49' }, FIELD_MESSAGES.totalTooSmall],
    [{ 'lines[0].quantity': '10000', 'lines[0].unitPrice': '100.01' }, FIELD_MESSAGES.totalTooLarge],
    [{ 'lines[0].optional': 'on' }, FIELD_MESSAGES.allOptional],
    [{ note: 'a'.repeat(MAX_NOTE_LENGTH + 1) }, `Use at most ${MAX_NOTE_LENGTH} characters.`],
    [{ note: 'a\0' }, NOT_STORABLE],
    [{ date: '2020-01-01' }, FIELD_MESSAGES.datePast],
    [{ date: '2027-02-30' }, FIELD_MESSAGES.dateWrong],
    [{ date: '' }, FIELD_MESSAGES.dateMissing],
    [{ time: '25:00' }, FIELD_MESSAGES.timeWrong],
    [{ end: '' }, FIELD_MESSAGES.endMissing],
    [{ end: '25:00' }, FIELD_MESSAGES.timeWrong],
    [{ end: '21:07' }, FIELD_MESSAGES.endWrong],
    [{ bookingType: 'perDay' }, FIELD_MESSAGES.bookingTypeMissing],
    [{ guests: '0' }, FIELD_MESSAGES.guestsWrong],
    [{ guests: '' }, FIELD_MESSAGES.guestsWrong],
    [{ guests: '10001' }, FIELD_MESSAGES.guestsWrong],
    [{ policy: 'none' }, FIELD_MESSAGES.policyMissing],
    [{ plan: 'later' }, FIELD_MESSAGES.planMissing],
    [{ plan: 'deposit', depositPercent: '31', balanceDays: '30' }, FIELD_MESSAGES.depositWrong],
    [{ plan: 'deposit', depositPercent: '20', balanceDays: '5' }, FIELD_MESSAGES.balanceWrong],
    [{ validTo: '2020-01-01' }, FIELD_MESSAGES.validToPast],
    [{ validTo: '2999-01-01' }, FIELD_MESSAGES.validToFar],
    [{ holdHours: '72' }, FIELD_MESSAGES.holdWrong],
  ])('refuse %j beside the field, store nothing, and come back as they were sent', async (wrong, text) => {
    const talk = await aTalk()
    const path = `/dashboard/inbox/${talk.id}?quote=new`
    const html = await refusal(await post(path, { ...right(), ...wrong }, by('vendor')))
    expect(html).toContain(text)
    if (!('note' in wrong)) expect(html).toContain('With pleasure.')
    if (!('lines[0].label' in wrong)) expect(html).toContain('value="Long-table dinner"')
    expect(await quotesOf(talk.id)).toEqual([])
  })

  it('refuse no lines, and a 21st', async () => {
    const talk = await aTalk()
    const path = `/dashboard/inbox/${talk.id}?quote=new`
    const { 'lines[0].label': _, 'lines[0].quantity': __, 'lines[0].unitPrice': ___, ...none } = right()
    expect(await refusal(await post(path, none, by('vendor')))).toContain(FIELD_MESSAGES.linesMissing)
    const many = Object.fromEntries(
      Array.from({ length: 21 }, (_, index) => [
        [`lines[${index}].label`, 'Chair'],
        [`lines[${index}].quantity`, '1'],
        [`lines[${index}].unitPrice`, '5'],
      ]).flat(),
    )
    expect(await refusal(await post(path, { ...none, ...many }, by('vendor')))).toContain(
      FIELD_MESSAGES.linesTooMany,
    )
    expect(await quotesOf(talk.id)).toEqual([])
  })

  it('refuse the conversations and quotes of others, and ids that don’t exist', async () => {
    const others = await aBusiness(db())
    const talk = await aGuestConversation(bookingDeps(server.services), others)
    for (const id of [talk.id, 'none', 'x'.repeat(300)]) {
      const sent = await post(`/dashboard/inbox/${id}?quote=new`, right(), by('vendor'))
      expect(await refusal(sent, 404)).not.toContain('Long-table dinner"')
    }
    const validTo = day(3)
    const quote = await sendQuote(bookingDeps(server.services), {
      userId: others.user_id,
      conversationId: talk.id,
      version: 1,
      offer: anOffer({ date: day(60), validTo }),
    })
    if (!quote.ok) throw new Error(quote.reason)
    for (const quoteId of [quote.quoteId, 'none', '']) {
      const fields = { intent: 'withdraw-quote', quoteId }
      const withdrawn = await post(`/dashboard/inbox/${talk.id}?quote=withdraw`, fields, by('vendor'))
      expect([404, 422]).toContain(withdrawn.status)
    }
    expect(await quotesOf(talk.id)).toEqual([{ id: quote.quoteId, state: 'sent' }])
    expect((await post(`/quotes/${quote.quoteId}`, { intent: 'decline' }, by('customer'))).status).toBe(404)
  })

  it.each([
    [{ fullName: '' }],
    [{ fullName: 'https://spam.example' }],
    [{ fullName: 'a\0' }],
    [{ email: 'kim' }],
    [{ email: 'a'.repeat(400) }],
    [{ phone: '' }],
    [{ phone: 'a\0' }],
  ])('refuse to accept with %j, keep what was typed, and begin no payment', async (wrong) => {
    const talk = await aTalk()
    const quote = await sendQuote(bookingDeps(server.services), {
      userId: vendorId,
      conversationId: talk.id,
      version: 1,
      offer: anOffer({ date: day(201), validTo: day(3) }),
    })
    if (!quote.ok) throw new Error(quote.reason)
    const contact = { fullName: 'Kim Lee', email: 'kim@example.com', phone: '0411 222 333' }
    const path = `/quotes/${quote.quoteId}/${talk.linkToken}`
    const html = await refusal(await post(path, { intent: 'accept', ...contact, ...wrong }))
    for (const [name, value] of Object.entries(contact))
      if (!(name in wrong)) expect(html).toContain(`value="${value}"`)
    expect(await quotesOf(talk.id)).toMatchObject([{ state: 'sent' }])
    expect(html).not.toContain(QUOTE_REFUSALS.not_found)
  })
})

describe('a form that no page sends', () => {
  const day = (days: number) => addDays(new Date().toISOString().slice(0, 10), days)
  const aQuote = () => ({
    intent: 'send-quote',
    version: '1',
    'lines[0].label': 'Long-table dinner',
    'lines[0].quantity': '80',
    'lines[0].unitPrice': '55',
    note: 'With pleasure.',
    date: day(210),
    time: '16:00',
    hours: '5',
    bookingType: 'perPerson',
    quantity: '80',
    policy: 'moderate',
    plan: 'full',
    depositPercent: '',
    balanceDays: '',
    validTo: day(7),
    holdHours: '0',
  })
  const aQuestion = () => ({
    wish: 'question',
    body: 'Is there a piano?',
    name: 'Kim Lee',
    email: `${newId(8)}@example.com`,
    eventDate: '',
    guests: '',
    budget: '',
    submitKey: newId(),
  })
  const aMessage = () => ({ intent: 'send', body: 'Nothing typed is lost', submitKey: newId() })
  const anAcceptance = {
    intent: 'accept',
    fullName: 'Kim Lee',
    email: 'kim@example.com',
    phone: '0411 222 333',
  }

  /** Every form of conversations and quotes, with whoever sends it. */
  async function everyForm(): Promise<[path: string, fields: Fields, as: string][]> {
    const talk = await aGuestConversation(bookingDeps(server.services), {
      id: business.id,
      user_id: vendorId,
    })
    // A business of its own: accepted quotes take the time.
    const others = await aBusiness(db())
    const quoted = await aGuestConversation(bookingDeps(server.services), others)
    const quote = await sendQuote(bookingDeps(server.services), {
      userId: others.user_id,
      conversationId: quoted.id,
      version: 1,
      offer: anOffer({ date: day(60), validTo: day(3) }),
    })
    if (!quote.ok) throw new Error(quote.reason)
    return [
      [`/business/${business.id}/ask`, aQuestion(), 'nobody'],
      [`/business/${business.id}/ask`, aQuestion(), 'customer'],
      [`/conversations/${talk.linkToken}`, aMessage(), 'nobody'],
      [`/dashboard/inbox/${talk.id}`, aMessage(), 'vendor'],
      ['/dashboard/inbox', { intent: 'save-reply', title: 'Parking', body: 'Behind the hall.' }, 'vendor'],
      [`/dashboard/inbox/${talk.id}?quote=new`, aQuote(), 'vendor'],
      [
        `/quotes/${quote.quoteId}/${quoted.linkToken}`,
        { ...anAcceptance, line: '2', shown: '524000' },
        'nobody',
      ],
    ]
  }

  it.each<[string, (name: string, value: string | File | readonly File[]) => [string, Fields[string]][]]>([
    ['a file in place of each field', (name) => [[name, new File(['a'], 'a.txt')]]],
    ['an array in place of each field', (name, value) => [[`${name}[]`, value]]],
    ['a field of each field', (name, value) => [[`${name}.a[0]`, value]]],
    ['the prototype of each field', (name, value) => [[`__proto__.${name}`, value]]],
    ['a number beyond all bounds in each field', (name) => [[name, '9'.repeat(400)]]],
    ['a fraction in each field', (name) => [[name, '-1e-308']]],
    ['no number in each field', (name) => [[name, 'NaN']]],
    ['a hundred thousand characters in each field', (name) => [[name, '\u{1f389}'.repeat(50_000)]]],
    ['other characters in each field', (name) => [[name, '\u202e\ufeff\u0000\ufffe\u{e000}']]],
  ])('causes no server error: %s', async (_, change) => {
    for (const [path, right, as] of await everyForm())
      for (const [name, value] of Object.entries(right)) {
        if (name === 'intent') continue
        const { [name]: __, ...rest } = right
        const fields = { ...rest, ...Object.fromEntries(change(name, value)) }
        const { status } = await post(path, fields, by(as))
        expect(status, `${path} ${name}`).toBeLessThan(500)
      }
  })

  it('causes no server error: every field twice', async () => {
    for (const [path, right, as] of await everyForm()) {
      const body = new FormData()
      for (const [name, value] of [...Object.entries(right), ...Object.entries(right)])
        body.append(name, String(value))
      expect((await sendTo(server, path, { ...by(as), body, address: newId() })).status, path).toBeLessThan(
        500,
      )
    }
  })

  it('causes no server error: half characters and broken percent signs', async () => {
    for (const [path, right, as] of await everyForm())
      for (const odd of ['%ED%A0%80', '%ZZ', '%', '%00', '%FF%FE', '%C3'])
        for (const name of Object.keys(right)) {
          if (name === 'intent') continue
          const rest = Object.entries(right).filter(([other]) => other !== name)
          const texts = rest.map(([other, value]) => [other, String(value)] as [string, string])
          const response = await sendTo(server, path, {
            ...by(as),
            address: newId(),
            body: `${new URLSearchParams(texts)}&${encodeURIComponent(name)}=${odd}`,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          })
          expect(response.status, `${path} ${name} ${odd}`).toBeLessThan(500)
        }
    const texts = await db().selectFrom('messages').select('body').execute()
    for (const { body } of texts) expect(body.isWellFormed() && !body.includes('\0')).toBe(true)
  })

  it('gets 400 and stores no message if it has a file in place of a text', async () => {
    const talk = await aGuestConversation(bookingDeps(server.services), {
      id: business.id,
      user_id: vendorId,
    })
    const body = new File(['Hello'], 'hello.txt')
    const reply = { intent: 'save-reply', title: 'Parking', body }
    for (const [path, fields, as] of [
      [`/conversations/${talk.linkToken}`, { ...aMessage(), body }, 'nobody'],
      [`/business/${business.id}/ask`, { ...aQuestion(), body }, 'nobody'],
      ['/dashboard/inbox', reply, 'vendor'],
    ] as const)
      expect((await post(path, fields, by(as))).status).toBe(400)
    const stored = await db().selectFrom('messages').select('id').where('body', 'like', '[object%').execute()
    expect(stored).toEqual([])
  })

  it('changes no price: a field that the page doesn’t have refuses the form, and a total that it didn’t show too', async () => {
    const others = await aBusiness(db())
    const talk = await aGuestConversation(bookingDeps(server.services), others)
    const quote = await sendQuote(bookingDeps(server.services), {
      userId: others.user_id,
      conversationId: talk.id,
      version: 1,
      offer: anOffer({ date: day(60), validTo: day(3) }),
    })
    if (!quote.ok) throw new Error(quote.reason)
    const path = `/quotes/${quote.quoteId}/${talk.linkToken}`
    const right = { ...anAcceptance, shown: '479000' }
    for (const more of ['amount', 'totalCents', 'lines[0].unitPrice', 'quantity', 'terms', 'payment_id'])
      expect((await post(path, { ...right, [more]: '1' })).status, more).toBe(400)
    expect((await post(path, { ...right, shown: '1' })).status).toBe(409)
    expect(await quotePrice(quote.quoteId)).toEqual(['sent', null])
    expect((await post(path, right)).status).toBe(302)
    expect(await quotePrice(quote.quoteId)).toEqual(['accepted', 479_000])
  })

  async function quotePrice(id: string) {
    const { state, accepted_cents } = await db()
      .selectFrom('quotes')
      .select(['state', 'accepted_cents'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return [state, accepted_cents === null ? null : Number(accepted_cents)]
  }
})
