import { inflateSync } from 'node:zlib'

/** A name such as /Type, without its escapes. */
export type PdfName = { name: string }
/** A reference to an object, such as 12 0 R. */
export type PdfRef = { ref: number }
export type PdfDict = { dict: Map<string, PdfValue>; isStream: boolean }
export type PdfText = { text: string }
export type PdfValue = PdfName | PdfRef | PdfDict | PdfText | PdfValue[] | number | boolean | null

/** The objects of a file by their number, and the trailer. */
export type PdfObjects = { objects: Map<number, PdfValue>; trailer: PdfDict }

/** A file that isn't written as `readWrittenPdf` expects. */
export class UnexpectedPdf extends Error {}

/** More than the object streams of any 10 MB document unpack to. */
const MAX_UNPACKED_BYTES = 64 * 1_048_576
/** Arrays and dictionaries inside each other. Real documents have fewer than ten. */
const MAX_DEPTH = 60

/**
 * Reads the objects of a PDF that our library has written. This is no reader of other files: it knows the one form that the
 * library's writer has (objects in sequence, one cross-reference stream, object streams with at most one Flate filter) and
 * refuses everything else. So a stranger's file can't be read differently here than by other programs.
 * @throws UnexpectedPdf
 */
export function readWrittenPdf(bytes: Uint8Array): PdfObjects {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = /startxref\n(\d{1,10})\n%%EOF\n$/.exec(file.toString('latin1', file.byteLength - 40))
  if (!end) throw new UnexpectedPdf('no end')
  const table = readObject(file, Number(end[1]), null)
  const entries = readTable(file, table)
  const objects = new Map<number, PdfValue>()
  const packs = new Map<number, Map<number, PdfValue>>()
  let left = MAX_UNPACKED_BYTES
  const unpack = (number: number, at: number) => {
    const { value, data } = readObject(file, at, number)
    if (!data || !isNamed(value, 'Type', 'ObjStm')) throw new UnexpectedPdf('no object stream')
    const unpacked = inflated(value, file.subarray(data.from, data.until), left)
    left -= unpacked.byteLength
    return readPack(unpacked, value)
  }
  const packNumbers = new Set(entries.filter(({ kind }) => kind === 2).map(({ at }) => at))
  for (const { number, kind, at } of entries)
    if (kind === 1 && packNumbers.has(number)) packs.set(number, unpack(number, at))
  for (const { number, kind, at } of entries) {
    if (kind === 2) {
      const packed = packs.get(at)?.get(number)
      if (packed === undefined) throw new UnexpectedPdf('no packed object')
      objects.set(number, packed)
    } else if (kind === 1 && !packNumbers.has(number) && at !== Number(end[1])) {
      const { value } = readObject(file, at, number)
      // A program that repairs files could take these for the file's own.
      if (isNamed(value, 'Type', 'ObjStm') || isNamed(value, 'Type', 'XRef'))
        throw new UnexpectedPdf('a second table')
      objects.set(number, value)
    }
  }
  if (!isDict(table.value)) throw new UnexpectedPdf('no trailer')
  return { objects, trailer: table.value }
}

type Entry = { number: number; kind: number; at: number }
type ReadObject = { value: PdfValue; data: { from: number; until: number } | null }

/** The entries of the cross-reference stream (ISO 32000-2, 7.5.8). */
function readTable(file: Buffer, { value, data }: ReadObject): Entry[] {
  if (!data || !isDict(value) || !isNamed(value, 'Type', 'XRef') || value.dict.has('Prev'))
    throw new UnexpectedPdf('no table')
  const rows = inflated(value, file.subarray(data.from, data.until), MAX_UNPACKED_BYTES)
  const widths = numbersOf(value.dict.get('W'))
  const index = numbersOf(value.dict.get('Index'))
  const [kinds = 0, offsets = 0, rest = 0] = widths
  const width = kinds + offsets + rest
  if (widths.length !== 3 || kinds !== 1 || width > 16) throw new UnexpectedPdf('odd widths')
  const entries: Entry[] = []
  let at = 0
  for (let part = 0; part < index.length; part += 2) {
    const [first = 0, count = 0] = index.slice(part, part + 2)
    if (at + count * width > rows.byteLength) throw new UnexpectedPdf('a short table')
    for (let number = first; number < first + count; number++, at += width)
      entries.push({ number, kind: rows[at] ?? 0, at: rows.readUIntBE(at + 1, offsets) })
  }
  return entries
}

/** Reads '12 0 obj … endobj'. @param number the object's number, or null for any */
function readObject(file: Buffer, at: number, number: number | null): ReadObject {
  const head = /^(\d{1,10}) (\d{1,5}) obj\n/.exec(file.toString('latin1', at, at + 24))
  if (!head || (number !== null && Number(head[1]) !== number)) throw new UnexpectedPdf('no object')
  const cursor = new Cursor(file, at + head[0].length)
  const value = cursor.read(0)
  if (cursor.takes('\nendobj\n')) return { value, data: null }
  if (!isDict(value) || !cursor.takes(' stream\n')) throw new UnexpectedPdf('no end of an object')
  const length = value.dict.get('Length')
  if (typeof length !== 'number') throw new UnexpectedPdf('no length')
  const data = { from: cursor.at, until: cursor.at + length }
  cursor.at = data.until
  if (!cursor.takes('\nendstream\nendobj\n')) throw new UnexpectedPdf('no end of a stream')
  return { value: { dict: value.dict, isStream: true }, data }
}

/** The objects of an object stream, by their number. */
function readPack(unpacked: Buffer, value: PdfValue): Map<number, PdfValue> {
  const first = isDict(value) ? value.dict.get('First') : null
  const count = isDict(value) ? value.dict.get('N') : null
  if (typeof first !== 'number' || typeof count !== 'number') throw new UnexpectedPdf('no first object')
  const heads = unpacked.toString('latin1', 0, first).trim().split(/\s+/).map(Number)
  if (heads.length !== count * 2) throw new UnexpectedPdf('odd heads')
  const found = new Map<number, PdfValue>()
  for (let index = 0; index < heads.length; index += 2) {
    const [number = 0, offset = 0] = heads.slice(index, index + 2)
    found.set(number, new Cursor(unpacked, first + offset).read(0))
  }
  return found
}

function inflated({ dict }: PdfDict, data: Buffer, limit: number): Buffer {
  const filter = dict.get('Filter')
  if (filter === undefined) return data
  if (!isName(filter) || filter.name !== 'FlateDecode' || dict.has('DecodeParms'))
    throw new UnexpectedPdf('another filter')
  return inflateSync(data, { maxOutputLength: Math.max(limit, 1) })
}

/** Reads values one after the other, each byte once. */
class Cursor {
  readonly #bytes: Buffer
  at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  /** Whether a text comes next, which is then passed. */
  takes(text: string): boolean {
    if (this.#bytes.toString('latin1', this.at, this.at + text.length) !== text) return false
    this.at += text.length
    return true
  }

  read(depth: number): PdfValue {
    if (depth > MAX_DEPTH) throw new UnexpectedPdf('too deep')
    this.#skipSpace()
    const byte = this.#bytes[this.at]
    if (byte === undefined) throw new UnexpectedPdf('nothing left')
    if (byte === SLASH) return { name: this.#readName() }
    if (byte === OPEN_TEXT) return { text: this.#readText() }
    if (byte === OPEN_ARRAY) return this.#readArray(depth)
    if (this.takes('<<')) return this.#readDict(depth)
    return this.#readWord()
  }

  #skipSpace() {
    while (isSpace(this.#bytes[this.at])) this.at++
  }

  #readName(): string {
    const from = ++this.at
    while (isRegular(this.#bytes[this.at])) this.at++
    return this.#bytes
      .toString('latin1', from, this.at)
      .replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }

  #readText(): string {
    const from = ++this.at
    let depth = 1
    for (; depth > 0; this.at++) {
      const byte = this.#bytes[this.at]
      if (byte === undefined) throw new UnexpectedPdf('an open text')
      if (byte === BACKSLASH) this.at++
      else if (byte === OPEN_TEXT) depth++
      else if (byte === CLOSE_TEXT) depth--
    }
    return this.#bytes.toString('latin1', from, this.at - 1).replace(/\\(.)/gs, '$1')
  }

  #readArray(depth: number): PdfValue[] {
    this.at++
    const values: PdfValue[] = []
    for (;;) {
      this.#skipSpace()
      if (this.takes(']')) return values
      values.push(this.read(depth + 1))
    }
  }

  #readDict(depth: number): PdfDict {
    const dict = new Map<string, PdfValue>()
    for (;;) {
      this.#skipSpace()
      if (this.takes('>>')) return { dict, isStream: false }
      if (this.#bytes[this.at] !== SLASH) throw new UnexpectedPdf('no key')
      const key = this.#readName()
      if (dict.has(key)) throw new UnexpectedPdf('a key twice')
      dict.set(key, this.read(depth + 1))
    }
  }

  /** A number, a reference, true, false or null. */
  #readWord(): PdfValue {
    const from = this.at
    while (isRegular(this.#bytes[this.at])) this.at++
    const word = this.#bytes.toString('latin1', from, this.at)
    if (word === 'null') return null
    if (word === 'true' || word === 'false') return word === 'true'
    if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(word)) throw new UnexpectedPdf('an odd word')
    const reference = /^ \d{1,5} R(?![^\s<>[\]()/])/.exec(
      this.#bytes.toString('latin1', this.at, this.at + 9),
    )
    if (!reference || !/^\d+$/.test(word)) return Number(word)
    this.at += reference[0].length
    return { ref: Number(word) }
  }
}

const SLASH = 0x2f
const BACKSLASH = 0x5c
const OPEN_TEXT = 0x28
const CLOSE_TEXT = 0x29
const OPEN_ARRAY = 0x5b
const SPACES = new Set([0, 9, 10, 12, 13, 32])
const DELIMITERS = new Set([...'()<>[]{}/%'].map((sign) => sign.charCodeAt(0)))

const isSpace = (byte: number | undefined) => byte !== undefined && SPACES.has(byte)
const isRegular = (byte: number | undefined) =>
  byte !== undefined && !SPACES.has(byte) && !DELIMITERS.has(byte)

function numbersOf(value: PdfValue | undefined): number[] {
  if (!Array.isArray(value)) throw new UnexpectedPdf('no list')
  return value.map((each) => {
    if (typeof each !== 'number' || !Number.isInteger(each) || each < 0)
      throw new UnexpectedPdf('an odd number')
    return each
  })
}

export function isDict(value: PdfValue | undefined): value is PdfDict {
  return typeof value === 'object' && value !== null && 'dict' in value
}

export function isName(value: PdfValue | undefined): value is PdfName {
  return typeof value === 'object' && value !== null && 'name' in value
}

export function isRef(value: PdfValue | undefined): value is PdfRef {
  return typeof value === 'object' && value !== null && 'ref' in value
}

function isNamed(value: PdfValue, key: string, name: string): value is PdfDict {
  if (!isDict(value)) return false
  const found = value.dict.get(key)
  return isName(found) && found.name === name
}
