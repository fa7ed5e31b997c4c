import type { RenderedParts } from '../ui/rendered-once.tsx'

/** Some thousand cards. The part that was used longest ago goes first. */
const MAX_BYTES = 8 * 2 ** 20

type Bytes = Buffer<ArrayBuffer>

/** The parts that documents share, as long as this process lives, from the one used longest ago to the latest. */
const kept = new Map<string, Bytes>()
let keptBytes = 0

/** A document in React's HTML, where a place stands for each part that comes from an earlier one. */
export type RenderedDocument = { html: string; parts: readonly Bytes[] }

/** The parts of one document. */
export type DocumentParts = RenderedParts & {
  /** Takes the marks off a complete document, and keeps the parts that it had to render. */
  finish(html: string): RenderedDocument
}

/** React escapes '<' and '"' wherever they come from people's texts, so neither can be forged. */
const PLACE = /<%(\d+)%>/
const markOf = (index: number) => ` data-part="${index}"`

export function createDocumentParts(): DocumentParts {
  const parts: Bytes[] = []
  const missing: { key: string; tag: string }[] = []
  return {
    find(tag, sameFor) {
      const key = `${tag} ${sameFor}`
      const html = kept.get(key)
      if (html) {
        // Now it is the latest.
        kept.delete(key)
        kept.set(key, html)
        return { inside: `<%${parts.push(html) - 1}%>` }
      }
      return { mark: { 'data-part': String(missing.push({ key, tag }) - 1) } }
    },
    finish(html) {
      if (missing.length === 0) return { html, parts }
      for (const [index, { key, tag }] of missing.entries()) {
        const inside = insideOf(html, tag, markOf(index))
        if (inside !== null && isAtItsPlace(inside, tag, key)) keep(key, wholeText(inside, parts))
      }
      return { html: withoutMarks(html), parts }
    },
  }
}

function keep(key: string, inside: string): void {
  if (kept.has(key)) return
  const html = Buffer.from(inside)
  kept.set(key, html)
  keptBytes += html.length + key.length
  for (const [oldest, bytes] of kept) {
    if (keptBytes <= MAX_BYTES) return
    kept.delete(oldest)
    keptBytes -= bytes.length + oldest.length
  }
}

/** A part may hold others, from this document or an earlier one. */
function wholeText(inside: string, parts: readonly Bytes[]): string {
  return withoutMarks(inside)
    .split(PLACE)
    .map((text, at) => (at % 2 === 0 ? text : parts[Number(text)]))
    .join('')
}

function withoutMarks(html: string): string {
  return html.replaceAll(/ data-part="\d+"/g, '')
}

/**
 * Splits a piece of a document at the places of its parts.
 * @param each gets the texts and parts in their order
 */
export function fillIn(
  piece: string,
  parts: readonly Bytes[],
  each: (textOrPart: string | Bytes) => void,
): void {
  let from = 0
  for (let at = piece.indexOf('<%'); at >= 0; at = piece.indexOf('<%', from)) {
    const end = piece.indexOf('%>', at)
    const part = parts[Number(piece.slice(at + 2, end))]
    if (!part) break
    each(piece.slice(from, at))
    each(part)
    from = end + 2
  }
  each(from === 0 ? piece : piece.slice(from))
}

/** React's ids say where in the document they are made. */
const GENERATED_ID = /\b_R_/
/** All documents have these at the same place. */
const ALWAYS_THERE = new Set(['header', 'footer'])

/**
 * @param mark the attribute of the element
 * @returns the HTML inside an element, or null if its end is missing, or a script in it is of this document
 */
export function insideOf(html: string, tag: string, mark: string): string | null {
  const at = html.indexOf(mark)
  if (at < 0) return null
  const start = html.indexOf('>', at) + 1
  const end = endOf(html, tag, start)
  if (end === null) return null
  const inside = html.slice(start, end)
  return inside.includes('<script') ? null : inside
}

/** Whether a part with React's ids depends on its place. */
function isAtItsPlace(inside: string, tag: string, key: string): boolean {
  return !GENERATED_ID.test(inside) || ALWAYS_THERE.has(tag) || GENERATED_ID.test(key)
}

/** @returns where the end tag of an element begins, which may have others of its kind inside */
function endOf(html: string, tag: string, start: number): number | null {
  let open = 1
  for (let at = html.indexOf('<', start); at >= 0; at = html.indexOf('<', at + 1)) {
    const isEnd = html[at + 1] === '/'
    const nameAt = at + (isEnd ? 2 : 1)
    if (!html.startsWith(tag, nameAt) || !/[\s>]/.test(html.charAt(nameAt + tag.length))) continue
    open += isEnd ? -1 : 1
    if (open === 0) return at
  }
  return null
}
