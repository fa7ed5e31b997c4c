import { inflateSync } from 'node:zlib'

/**
 * Names in a PDF that run or unpack something when it is opened, or that hide its content from this check: scripts, programs,
 * attached files, media, XFA forms, encryption (ISO 32000-2, 12.6.4, 7.11.4, 13, 12.7.8, 7.6).
 */
const ACTIVE =
  /\/(?:JavaScript|Launch|EmbeddedFiles?|RichMedia|Rendition|XFA|ImportData|SubmitForm|Encrypt)(?![A-Za-z])/

/** More than the objects of any 10 MB document unpack to. */
const MAX_UNPACKED_BYTES = 64 * 1_048_576

/** Whether the first bytes are a PDF's. */
export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-'
}

/** Whether a PDF has nothing active in it. Looks into compressed objects too, and refuses those that it can't unpack. */
export function isPassivePdf(bytes: Uint8Array): boolean {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = readNames(whole)
  if (!text.includes('%%EOF') || ACTIVE.test(text)) return false
  let left = MAX_UNPACKED_BYTES
  for (const stream of objectStreams(whole)) {
    try {
      const unpacked = inflateSync(stream, { maxOutputLength: left })
      left -= unpacked.byteLength
      if (left <= 0 || ACTIVE.test(readNames(unpacked))) return false
    } catch {
      return false
    }
  }
  return true
}

/** The text with names as a reader sees them: '/J#61vaScript' is '/JavaScript' (ISO 32000-2, 7.3.5). */
function readNames(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Characters before a stream that its dictionary takes at most. */
const DICTIONARY_LENGTH = 2_000

/** The streams that hold objects. A reader finds the objects by /First, so a stream can't do without it. */
function* objectStreams(whole: Buffer): Generator<Buffer> {
  for (let at = whole.indexOf('stream'); at >= 0; at = whole.indexOf('stream', at + 6)) {
    // 'endstream' ends one.
    if (whole.subarray(Math.max(at - 3, 0), at).toString('latin1') === 'end') continue
    const before = readNames(whole.subarray(Math.max(at - DICTIONARY_LENGTH, 0), at))
    const dictionary = before.slice(before.lastIndexOf(' obj') + 1)
    if (!/\/(?:ObjStm|First)(?![A-Za-z])/.test(dictionary)) continue
    const start = at + 6 + (whole[at + 6] === 13 ? 2 : 1)
    const end = whole.indexOf('endstream', start)
    yield whole.subarray(start, end < 0 ? whole.length : end)
  }
}
