import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness, aConversation, aMessage, anEnquiryWorld, aUser } from '../../../tests/builders.ts'
import { aDocument, aPdf, aScriptedPdf, writePdf } from '../../../tests/pdf-files.ts'
import { FileStoreUnavailable } from '../../adapters/file-store/port.ts'
import { newId } from '../../shared/ids.ts'
import { sendMessage, startConversation, verifyConversation } from './commands.server.ts'
import { findConversation, readMessageFile } from './queries.server.ts'
import { FILES_LIMIT, GUEST_FILES_LIMIT, MAX_MESSAGE_FILE_BYTES, MAX_UNCONFIRMED_BYTES } from './rules.ts'
import { blockConversation } from './status-commands.server.ts'

let world: Awaited<ReturnType<typeof anEnquiryWorld>>

beforeAll(async () => {
  world = await anEnquiryWorld()
})
afterAll(() => world.close())

const aPicture = async (format: 'jpeg' | 'png' = 'jpeg') =>
  new Uint8Array(
    await sharp({ create: { width: 60, height: 40, channels: 3, background: '#2F5D50' } })
      .withExif({ IFD0: { Copyright: 'Kim Lee' }, IFD3: { GPSLatitude: '37/1 48/1 0/1' } })
      .toFormat(format)
      .toBuffer(),
  )

const aFile = (content: string | Uint8Array<ArrayBuffer>, name: string) => new File([content], name)

async function send(files: File[], body = '') {
  const talk = await aConversation(world)
  const sent = await sendMessage(world.deps, { id: talk.id, by: talk.vendor, message: aMessage(body, files) })
  return { talk, sent }
}

/** Every file in the store. */
const stored = () => Array.fromAsync(world.deps.files.list())

describe('the files of a message', () => {
  it('keep no metadata in pictures, and in PDFs only the objects that the pages need', async () => {
    const pdf = writePdf({ objects: aDocument({ objects: { 9: '(Written by Kim Lee)' } }) })
    const { talk, sent } = await send([aFile(await aPicture(), 'hall.jpg'), aFile(pdf, 'menu.pdf')])
    expect(sent).toMatchObject({ ok: true })
    const view = await findConversation(world.deps, { id: talk.id, by: talk.customer })
    const [picture, document] = view?.messages[1]?.files ?? []
    expect(picture).toMatchObject({ name: 'hall.webp', contentType: 'image/webp' })
    expect(document).toMatchObject({ name: 'menu.pdf', contentType: 'application/pdf' })
    const read = await readMessageFile(world.deps, { fileId: picture?.id ?? '', by: talk.customer })
    const { format, exif, width } = await sharp(read?.bytes).metadata()
    expect({ format, exif, width }).toEqual({ format: 'webp', exif: undefined, width: 60 })
    const kept = await readMessageFile(world.deps, { fileId: document?.id ?? '', by: talk.vendor })
    const text = Buffer.from(kept?.bytes ?? []).toString('latin1')
    expect(text).toMatch(/^%PDF-[\s\S]*10 10 m 200 100 l S/)
    expect(text).not.toContain('Kim Lee')
    expect(document?.bytes).toBe(text.length)
  })

  it('can be read by the two sides alone', async () => {
    const { talk } = await send([aFile(aPdf(), 'menu.pdf')])
    const view = await findConversation(world.deps, { id: talk.id, by: talk.vendor })
    const fileId = view?.messages[1]?.files[0]?.id ?? ''
    const stranger = await aUser(world.db)
    for (const by of [
      { userId: stranger.id, verifiedEmail: stranger.email },
      { userId: '', verifiedEmail: null },
      { linkToken: 'x'.repeat(43) },
    ])
      expect(await readMessageFile(world.deps, { fileId, by })).toBeNull()
    for (const by of [talk.vendor, talk.customer, talk.link])
      expect(await readMessageFile(world.deps, { fileId, by })).not.toBeNull()
    expect(await readMessageFile(world.deps, { fileId: 'another', by: talk.vendor })).toBeNull()
  })

  it('stay hidden from the vendor until a guest who sent them has confirmed', async () => {
    const talk = await aConversation(world, {
      guest: { name: 'Kim Lee', email: 'files@example.com' },
      files: [aFile(aPdf(), 'plan.pdf')],
    })
    const view = await findConversation(world.deps, { by: talk.link })
    const fileId = view?.messages[0]?.files[0]?.id ?? ''
    expect(await readMessageFile(world.deps, { fileId, by: talk.vendor })).toBeNull()
    await verifyConversation(world.deps, { by: talk.link })
    expect(await readMessageFile(world.deps, { fileId, by: talk.vendor })).not.toBeNull()
  })

  it.each([
    ['an empty file', 'empty', () => aFile('', 'menu.pdf')],
    ['a file over 10 MB', 'too_large', () => aFile(new Uint8Array(MAX_MESSAGE_FILE_BYTES + 1), 'menu.pdf')],
    ['a renamed program', 'wrong_type', () => aFile('MZ\x90\0\x03\0\0\0', 'menu.pdf')],
    ['a program with a picture’s name', 'wrong_type', () => aFile('\x7fELF\x02\x01', 'hall.jpg')],
    ['HTML', 'wrong_type', () => aFile('<script>alert(1)</script>', 'menu.html')],
    ['an SVG', 'wrong_type', () => aFile('<svg xmlns="http://www.w3.org/2000/svg"/>', 'hall.png')],
    ['a truncated picture', 'wrong_type', async () => aFile((await aPicture()).slice(0, 200), 'hall.jpg')],
    ['a truncated PDF', 'unreadable_pdf', () => aFile('%PDF-1.7\n1 0 obj', 'menu.pdf')],
    ['a PDF with a script', 'active_pdf', () => aFile(aScriptedPdf(), 'menu.pdf')],
  ] as const)('refuse %s', async (_, why, make) => {
    const file = await make()
    const before = await stored()
    const { sent, talk } = await send([aFile(aPdf(), 'fine.pdf'), file])
    expect(sent).toMatchObject({ ok: false, reason: 'file', why })
    expect(sent.ok === false && sent.reason === 'file' && sent.file).toBe(file.name)
    const view = await findConversation(world.deps, { id: talk.id, by: talk.vendor })
    expect(view?.messages).toHaveLength(1)
    expect(await stored()).toEqual(before)
  })

  it('stop at five', async () => {
    const files = Array.from({ length: 6 }, (_, index) => aFile(aPdf(), `${index}.pdf`))
    expect((await send(files)).sent).toMatchObject({ ok: false, file: '5.pdf', why: 'too_many' })
    expect((await send(files.slice(0, 5))).sent).toMatchObject({ ok: true })
  })

  it('fail together with their message while the file store is unavailable', async () => {
    const talk = await aConversation(world)
    const put = () => Promise.reject(new FileStoreUnavailable(null))
    const sent = await sendMessage(
      { ...world.deps, files: { ...world.deps.files, put } },
      { id: talk.id, by: talk.vendor, message: aMessage('The menu.', [aFile(aPdf(), 'menu.pdf')]) },
    )
    expect(sent).toEqual({ ok: false, reason: 'file', file: 'menu.pdf', why: 'overrun' })
  })

  it('have names that fit in headers', async () => {
    const names = [
      '../../etc/pass\r\nwd.pdf',
      'C:\\temp\\menu.pdf',
      `${'é'.repeat(300)}.pdf`,
      '\u202Efdp.pdf',
      '.pdf',
    ]
    const { talk } = await send(names.slice(0, 5).map((name) => aFile(aPdf(), name)))
    const view = await findConversation(world.deps, { id: talk.id, by: talk.vendor })
    expect(view?.messages[1]?.files.map(({ name }) => name)).toEqual([
      'pass wd.pdf',
      'menu.pdf',
      `${'é'.repeat(96)}.pdf`,
      'fdp.pdf',
      'file.pdf',
    ])
  })

  it('don’t stay in the store when their message is refused in the end', async () => {
    const talk = await aConversation(world)
    const { deps } = world
    const before = (await stored()).length
    const sendThrough = (files: typeof deps.files) =>
      sendMessage(
        { ...deps, files },
        { id: talk.id, by: talk.vendor, message: aMessage('', [aFile(aPdf(), 'menu.pdf')]) },
      )
    // Blocked once the file is stored.
    const put: typeof deps.files.put = async (...file) => {
      await deps.files.put(...file)
      await blockConversation(deps, { id: talk.id, by: talk.customer })
    }
    expect(await sendThrough({ ...deps.files, put })).toEqual({ ok: false, reason: 'blocked' })
    expect(await stored()).toHaveLength(before + 1)
    await world.runJobs()
    expect(await stored()).toHaveLength(before)
    // Blocked before: nothing is stored.
    expect(await sendThrough(deps.files)).toEqual({ ok: false, reason: 'blocked' })
    expect(await stored()).toHaveLength(before)
    // Those of stored messages do.
    const { talk: other } = await send([aFile(aPdf(), 'menu.pdf')])
    await world.runJobs()
    const view = await findConversation(world.deps, { id: other.id, by: other.vendor })
    const fileId = view?.messages[1]?.files[0]?.id ?? ''
    expect(await readMessageFile(world.deps, { fileId, by: other.vendor })).not.toBeNull()
  })
})

describe('the files of a day', () => {
  /** A picture of this number of megabytes, nearly all of which follow its pixels. */
  const heavy = (megabytes: number) => {
    const bytes = new Uint8Array(megabytes * 1_048_576)
    bytes.set(small)
    return aFile(bytes, 'plan.jpg')
  }
  let small: Uint8Array
  beforeAll(async () => {
    small = await aPicture()
  })
  const heavies = (count: number) => Array.from({ length: count }, () => heavy(10))

  async function asks(
    files: File[],
    from: { address?: string; email?: string; userId?: string; business?: { id: string } } = {},
  ) {
    const business = from.business ?? (await aBusiness(world.db))
    return startConversation(world.deps, {
      businessId: business.id,
      wish: 'question',
      eventDate: null,
      guests: null,
      budgetCents: null,
      message: aMessage('Does it fit?', files),
      customer: {
        userId: from.userId ?? null,
        name: 'Kim Lee',
        email: from.email ?? `${newId(8)}@example.com`,
      },
      address: from.address ?? newId(),
    })
  }

  it('stop at 60 MB from a guest’s network or email address, and text always passes', async () => {
    for (const shared of [{ address: newId() }, { email: `${newId(8)}@example.com` }]) {
      expect(await asks(heavies(5), shared)).toMatchObject({ ok: true })
      const before = (await stored()).length
      expect(await asks(heavies(2), shared)).toEqual({
        ok: false,
        reason: 'file',
        file: 'plan.jpg',
        why: 'too_much_as_guest',
      })
      expect(await stored()).toHaveLength(before)
      // A refused question takes nothing from the day: ten megabytes are left.
      expect(await asks(heavies(1), shared)).toMatchObject({ ok: true })
      expect(await asks([aFile(aPdf(), 'menu.pdf')], shared)).toMatchObject({ why: 'too_much_as_guest' })
      expect(await asks([], shared)).toMatchObject({ ok: true })
      world.clock.forward(GUEST_FILES_LIMIT.windowMs)
      expect(await asks(heavies(1), shared)).toMatchObject({ ok: true })
    }
  })

  it('stop at 200 MB from an account, over all its conversations', async () => {
    const customer = await aUser(world.db)
    const from = { userId: customer.id, email: customer.email }
    for (let sent = 0; sent < FILES_LIMIT.max / 50; sent++)
      expect(await asks(heavies(5), from)).toMatchObject({ ok: true })
    expect(await asks([aFile(aPdf(), 'menu.pdf')], from)).toMatchObject({ why: 'too_much_today' })
    expect(await asks([], from)).toMatchObject({ ok: true })
  })

  it('stop at 200 MB from an account and from a confirmed guest alike, and a file that is too large takes nothing', async () => {
    const { deps } = world
    const talk = await aConversation(world, {
      guest: { name: 'Kim Lee', email: `${newId(8)}@example.com` },
    })
    await verifyConversation(deps, { by: talk.link })
    const sides = [
      { by: talk.link, key: `files:guest:${talk.id}` },
      { by: talk.vendor, key: `files:account:${talk.vendor.userId}` },
    ]
    for (const { by, key } of sides) {
      const sends = (files: File[], body = '') =>
        sendMessage(deps, { id: talk.id, by, message: aMessage(body, files) })
      expect(await deps.rateLimits.take(key, FILES_LIMIT, FILES_LIMIT.max - 1)).toBe(true)
      const tooLarge = aFile(new Uint8Array(MAX_MESSAGE_FILE_BYTES + 1), 'plan.pdf')
      expect(await sends([tooLarge])).toMatchObject({ ok: false, why: 'too_large' })
      expect(await sends([aFile(aPdf(), 'menu.pdf')])).toMatchObject({ ok: true })
      expect(await sends([aFile(aPdf(), 'menu.pdf')])).toMatchObject({ ok: false, why: 'too_much_today' })
      expect(await sends([], 'Without it, then.')).toMatchObject({ ok: true })
    }
  })

  it('stop for guests while 2 GB of unconfirmed files wait, and not for accounts', async () => {
    const talk = await aConversation(world, {
      guest: { name: 'Kim', email: `${newId(8)}@example.com` },
      files: [aFile(aPdf(), 'menu.pdf')],
    })
    const { id } = await world.db
      .selectFrom('message_files')
      .innerJoin('messages', 'messages.id', 'message_files.message_id')
      .select('message_files.id')
      .where('messages.conversation_id', '=', talk.id)
      .executeTakeFirstOrThrow()
    await world.db
      .updateTable('message_files')
      .set({ bytes: MAX_UNCONFIRMED_BYTES - 1 })
      .where('id', '=', id)
      .execute()
    expect(await asks([aFile(aPdf(), 'menu.pdf')])).toMatchObject({ ok: false, why: 'overrun' })
    const customer = await aUser(world.db)
    const from = { userId: customer.id, email: customer.email }
    expect(await asks([aFile(aPdf(), 'menu.pdf')], from)).toMatchObject({ ok: true })
    await verifyConversation(world.deps, { by: talk.link })
    expect(await asks([aFile(aPdf(), 'menu.pdf')])).toMatchObject({ ok: true })
  })
})

describe('the pictures of one customer', () => {
  it('count together over all conversations: six at once, and one turn among those of others', async () => {
    const customer = await aUser(world.db)
    const talks = await Promise.all(Array.from({ length: 7 }, () => aConversation(world, { customer })))
    // Nothing is decoded until the first picture may be stored.
    const gate = Promise.withResolvers<void>()
    const take: typeof world.deps.rateLimits.take = async (key, ...rest) => {
      if (key.startsWith('pixels:')) await gate.promise
      return world.deps.rateLimits.take(key, ...rest)
    }
    const deps = { ...world.deps, rateLimits: { ...world.deps.rateLimits, take } }
    const picture = await aPicture()
    const sends = talks.map(({ id, customer: by }) =>
      sendMessage(deps, { id, by, message: aMessage('', [aFile(picture, 'hall.jpg')]) }),
    )
    expect(await Promise.race(sends)).toMatchObject({ ok: false, why: 'too_many_at_once' })
    gate.resolve()
    const outcomes = await Promise.all(sends)
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(6)
  })
})
