/** Characters of an HTML text that are read, from its start. The styles of a mail program take up to 100,000. */
const MAX_READ = 500_000
/** Characters of the text that is made of it. A message has 4,000. */
const MAX_TEXT = 20_000
/** Longer tags are skipped like the others, without their name. */
const MAX_NAME = 20

/** Elements that stand on lines of their own. */
const BLOCKS = new Set(
  'address article aside blockquote center dd div dl dt footer form h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table tr ul'.split(
    ' ',
  ),
)
/** Elements whose content isn't shown as text. */
const HIDDEN = new Set(['head', 'script', 'style', 'title', 'template', 'noscript'])
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
}

/**
 * Makes a plain text of the HTML part of a mail, as mail programs do: blocks on lines of their own, and '> ' before the lines
 * of a quotation. Reads each character once.
 * @returns the first 20,000 characters of the text
 */
export function htmlToText(html: string): string {
  const read = html.slice(0, MAX_READ)
  // Names of elements are found in any case. Other letters keep their length.
  const lower = read.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const text = new Lines()
  let at = 0
  while (at < read.length && text.length < MAX_TEXT) {
    const open = read.indexOf('<', at)
    text.add(decodeEntities(read.slice(at, open < 0 ? read.length : open)))
    if (open < 0) break
    at = passTag(lower, open, text)
  }
  return text.toString()
}

/** Handles the tag, comment or hidden element at a position. @returns the position behind it */
function passTag(lower: string, open: number, text: Lines): number {
  if (lower.startsWith('<!--', open)) return behind(lower, '-->', open + 4)
  const [, slash, name] = /^<(\/?)([a-z][a-z0-9]*)/.exec(lower.slice(open, open + MAX_NAME)) ?? []
  if (!name) {
    // A sign of the text, such as '<3'.
    if (/^<[!?/]/.test(lower.slice(open, open + 2))) return behind(lower, '>', open)
    text.add('<')
    return open + 1
  }
  const close = behind(lower, '>', open)
  if (HIDDEN.has(name)) return slash ? close : behind(lower, '>', behind(lower, `</${name}`, close))
  if (name === 'br') text.breakLine()
  else if (BLOCKS.has(name)) text.beginBlock()
  if (name === 'blockquote') text.quote(slash ? -1 : 1)
  return close
}

/** The position behind the next occurrence of a text, or the end. */
function behind(text: string, searched: string, from: number): number {
  const found = text.indexOf(searched, from)
  return found < 0 ? text.length : found + searched.length
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

class Lines {
  readonly #parts: string[] = []
  #depth = 0
  #isLineEmpty = true
  length = 0

  /** Adds text, in which all space is one space. */
  add(text: string) {
    const plain = text.slice(0, MAX_TEXT).replace(/\s+/g, ' ')
    if (plain === '' || (this.#isLineEmpty && plain === ' ')) return
    if (this.#isLineEmpty && this.#depth > 0) this.#push('> ')
    this.#push(this.#isLineEmpty ? plain.trimStart() : plain)
    this.#isLineEmpty = false
  }

  breakLine() {
    this.#push(this.#isLineEmpty && this.#depth > 0 ? '>\n' : '\n')
    this.#isLineEmpty = true
  }

  beginBlock() {
    if (!this.#isLineEmpty) this.breakLine()
  }

  quote(change: 1 | -1) {
    this.#depth = Math.max(0, this.#depth + change)
  }

  #push(part: string) {
    this.#parts.push(part)
    this.length += part.length
  }

  toString(): string {
    return this.#parts.join('').slice(0, MAX_TEXT)
  }
}
