import { crc32, deflateSync } from 'node:zlib'
import { aDocument, aPdf, writePdf } from '../../tests/pdf-files.ts'
import { question } from './forms.ts'
import { type HostileCase, MULTIPART, multipart, post, type Target } from './target.ts'

const ASK = '/business/harbour-light-pavilion/ask'
const MB = 1_048_576

/** A customer, who may attach files, asks with one. */
const attach = (target: Target, name: string, value: string | Uint8Array) =>
  post(
    target,
    ASK,
    question('Is it free?', [{ header: `name="files"; filename="${name}"`, value: Buffer.from(value) }]),
    { ...MULTIPART, cookie: target.cookies.customer },
  )

const attachPdf = (target: Target, objects: Parameters<typeof writePdf>[0]['objects']) =>
  attach(target, 'a.pdf', writePdf({ objects }))

/** A vendor uploads a picture. */
const upload = (target: Target, bytes: Uint8Array) =>
  post(
    target,
    '/api/upload',
    multipart([
      { header: 'name="kind"', value: 'listing' },
      { header: 'name="file"; filename="a.png"\r\ncontent-type: image/png', value: Buffer.from(bytes) },
    ]),
    { ...MULTIPART, cookie: target.cookies.vendor },
  )

/** A PNG of one colour, which is small however many pixels it says it has. */
function aPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const check = Buffer.alloc(4)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  // Eight bits, grey.
  head.writeUInt8(8, 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(Math.min(height * (width + 1), 100 * MB)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Files of people who may send some. */
export const FILE_CASES: readonly HostileCase[] = [
  {
    name: 'a PDF of 120,000 streams',
    send: (target) => attach(target, 'a.pdf', `%PDF-1.4\n${'stream\n'.repeat(120_000)}`),
  },
  {
    name: 'a PDF whose stream inflates to 400 MB',
    send: (target) =>
      attachPdf(target, {
        ...aDocument(),
        4: { dict: '/Filter /FlateDecode', data: deflateSync(Buffer.alloc(400 * MB, ' ')) },
      }),
  },
  {
    name: 'a PDF of 5,000 objects in each other',
    send: (target) =>
      attachPdf(target, {
        ...aDocument({ catalog: '/Names 5 0 R' }),
        ...Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [at + 5, `<</Next ${at + 6} 0 R>>`])),
      }),
  },
  {
    name: 'twenty PDFs at once',
    send: async (target) =>
      (await Promise.all(Array.from({ length: 20 }, () => attach(target, 'a.pdf', aPdf())))).join(' '),
  },
  { name: 'a PNG of 20,000 by 20,000 pixels', send: (target) => upload(target, aPng(20_000, 20_000)) },
  { name: 'a PNG of 4,000,000,000 pixels in a row', send: (target) => upload(target, aPng(4e9, 1)) },
  {
    name: 'an SVG of nested entities as a picture',
    send: (target) =>
      upload(
        target,
        Buffer.from(
          `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(100)}">${Array.from({ length: 12 }, (_, at) => `<!ENTITY ${'b'.repeat(at + 1)} "${`&${at === 0 ? 'a' : 'b'.repeat(at)};`.repeat(10)}">`).join('')}]><svg xmlns="http://www.w3.org/2000/svg"><text>&${'b'.repeat(12)};</text></svg>`,
        ),
      ),
  },
]
