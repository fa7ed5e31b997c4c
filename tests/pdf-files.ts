import { deflateSync } from 'node:zlib'

/** An object of a PDF: its text, or the dictionary and the data of a stream. */
type PdfObject = string | { dict: string; data: Uint8Array }

/** How an object stream is packed, from the plain bytes. */
type Packing = (plain: Buffer) => { dict: string; data: Uint8Array }

const flate: Packing = (plain) => ({ dict: '/Filter /FlateDecode', data: deflateSync(plain) })

/** Bytes of a row of the PNG predictor below. */
const COLUMNS = 20

/** The forms of packing, all of which every PDF program reads (ISO 32000-2, 7.4 and 7.5.7). */
export const PACKINGS = {
  Flate: flate,
  'Flate twice': (plain) => ({
    dict: '/Filter [/FlateDecode /FlateDecode]',
    data: deflateSync(deflateSync(plain)),
  }),
  'Flate and hex': (plain) => ({
    dict: '/Filter [/FlateDecode /ASCIIHexDecode]',
    data: deflateSync(Buffer.from(`${plain.toString('hex')}>`)),
  }),
  'a predictor': (plain) => {
    const rows: Buffer[] = []
    let above = Buffer.alloc(COLUMNS)
    for (let at = 0; at < plain.length; at += COLUMNS) {
      const row = Buffer.alloc(COLUMNS, ' ')
      plain.copy(row, 0, at, at + COLUMNS)
      const before = above
      // The Up filter of PNG: each byte is the difference to the one above it.
      rows.push(Buffer.from([2, ...row.map((byte, index) => (byte - (before[index] ?? 0)) & 0xff)]))
      above = row
    }
    return {
      dict: `/Filter /FlateDecode /DecodeParms <</Predictor 12 /Columns ${COLUMNS}>>`,
      data: deflateSync(Buffer.concat(rows)),
    }
  },
  'a dictionary of 3,000 bytes': (plain) => {
    const { dict, data } = flate(plain)
    return { dict: `${dict} /Note (${'x'.repeat(3_000)})`, data }
  },
  'the word obj in its dictionary': (plain) => {
    const { dict, data } = flate(plain)
    return { dict: `${dict} /Note (an obj)`, data }
  },
} satisfies Record<string, Packing>

/**
 * Writes a PDF from its objects: 1 is the catalog.
 * @param input.packed objects in an object stream, whose number follows theirs
 * @param input.trailer more of the trailer's dictionary
 */
export function writePdf(input: {
  objects: Record<number, PdfObject>
  packed?: Record<number, string>
  packing?: Packing
  trailer?: string
}): Uint8Array<ArrayBuffer> {
  const { objects, packed = {}, packing = flate, trailer = '' } = input
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const size = () => parts.reduce((sum, part) => sum + part.length, 0)
  const entries = new Map<number, number[]>([[0, [0, 0, 0]]])
  const add = (number: number, object: PdfObject) => {
    entries.set(number, [1, size(), 0])
    parts.push(Buffer.from(`${number} 0 obj\n`))
    if (typeof object === 'string') parts.push(Buffer.from(`${object}\nendobj\n`, 'latin1'))
    else
      parts.push(
        Buffer.from(`<<${object.dict} /Length ${object.data.byteLength}>>\nstream\n`, 'latin1'),
        Buffer.from(object.data),
        Buffer.from('\nendstream\nendobj\n'),
      )
  }
  for (const [number, object] of Object.entries(objects)) add(Number(number), object)
  const inside = Object.entries(packed)
  const packNumber = Math.max(0, ...Object.keys({ ...objects, ...packed }).map(Number)) + 1
  if (inside.length > 0) {
    let offset = 0
    const heads = inside.map(([number, text], index) => {
      entries.set(Number(number), [2, packNumber, index])
      const head = `${number} ${offset} `
      offset += text.length + 1
      return head
    })
    const head = heads.join('')
    const { dict, data } = packing(
      Buffer.from(`${head}${inside.map(([, text]) => text).join(' ')}`, 'latin1'),
    )
    add(packNumber, { dict: `/Type /ObjStm /N ${inside.length} /First ${head.length} ${dict}`, data })
  }
  const tableNumber = packNumber + 1
  const start = size()
  entries.set(tableNumber, [1, start, 0])
  const rows = Buffer.concat(
    Array.from({ length: tableNumber + 1 }, (_, number) => {
      const [kind = 0, at = 0, rest = 0] = entries.get(number) ?? []
      const row = Buffer.alloc(7)
      row.writeUInt8(kind)
      row.writeUInt32BE(at, 1)
      row.writeUInt16BE(rest, 5)
      return row
    }),
  )
  add(tableNumber, {
    dict: `/Type /XRef /Size ${tableNumber + 1} /W [1 4 2] /Root 1 0 R ${trailer}`,
    data: rows,
  })
  parts.push(Buffer.from(`startxref\n${start}\n%%EOF\n`))
  return new Uint8Array(Buffer.concat(parts))
}

/** The objects of a document of one page. @param more entries of its catalog and page, and further objects */
export function aDocument(
  more: { catalog?: string; page?: string; objects?: Record<number, PdfObject> } = {},
): Record<number, PdfObject> {
  return {
    1: `<</Type /Catalog /Pages 2 0 R ${more.catalog ?? ''}>>`,
    2: '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    3: `<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources <<>> ${more.page ?? ''}>>`,
    4: { dict: '', data: Buffer.from('10 10 m 200 100 l S') },
    ...more.objects,
  }
}

/** A small PDF of one page, with nothing active in it. */
export const aPdf = (): Uint8Array<ArrayBuffer> => writePdf({ objects: aDocument() })

/** A small PDF with a script that runs when it is opened. */
export const aScriptedPdf = (): Uint8Array<ArrayBuffer> =>
  writePdf({ objects: aDocument({ catalog: '/OpenAction <</S /JavaScript /JS (app.alert\\(1\\))>>' }) })
