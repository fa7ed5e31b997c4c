/** Characters of a reply, without what it quotes, from which on it isn't parsed: no message is nearly as long. */
export const MAX_PARSED_LENGTH = 5_000
/** A line that begins a quote is shorter. */
const MAX_HEADER_LENGTH = 160
/** Lines of a signature: more below its delimiter is text of the reply. */
const MAX_SIGNATURE_LINES = 8

/**
 * Whether a mail was sent by a program: a holiday notice, a bounce, a mailing list (RFC 3834, 2 and 5; RFC 5321, 4.5.5).
 * @param headers by name in lower case
 */
export function isAutomatic(headers: ReadonlyMap<string, readonly string[]>): boolean {
  const has = (name: string, test: (value: string) => boolean) =>
    (headers.get(name) ?? []).some((value) => test(value.trim().toLowerCase()))
  return (
    has('auto-submitted', (value) => value !== 'no') ||
    has('precedence', (value) => ['bulk', 'junk', 'list', 'auto_reply'].includes(value)) ||
    has('return-path', (value) => value === '' || value === '<>') ||
    ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'list-id', 'x-failed-recipients'].some((name) =>
      headers.has(name),
    )
  )
}

/**
 * Cuts off what a reply quotes.
 * @param mark the line above the quoted text, in the mail that is answered
 * @param parse cuts a text without that line at what a mail program writes above its quote. Its patterns take up to the
 *   fourth power of a line's length, so it gets only short texts of short lines
 * @returns null for a text that is too long to be a message
 */
export function visibleReply(text: string, mark: string, parse: (text: string) => string): string | null {
  const lines = readable(text).split('\n')
  const end = lines.findIndex((line) => line.includes(mark))
  const own = withoutQuote(end < 0 ? lines : lines.slice(0, end)).join('\n')
  const short = own.replace(/\n{3,}/g, '\n\n').trim()
  if (short.length > MAX_PARSED_LENGTH) return null
  const kept: string[] = []
  const keep = (line: string) => placeholder(kept.push(line) - 1)
  const shortened = short.split('\n').map((line, index, all) => {
    if (line === SIGNATURE) return all.length - index - 1 > MAX_SIGNATURE_LINES ? keep('--') : '--'
    // The library takes any line of dashes for a signature, which ends a reply. People write them between their points.
    return line.length > MAX_HEADER_LENGTH || /^-{2,}$/.test(line) ? keep(line) : line
  })
  // The library finds a quote's header only below an empty line, which a reply without words doesn't have.
  const parsed = parse(`\n\n${shortened.join('\n')}`)
  return parsed.replaceAll(PLACEHOLDERS, (_, index: string) => kept[Number(index)] ?? '').trim()
}

/** Cuts off the quoted lines at the end, and empty ones below them. */
function withoutQuote(lines: readonly string[]): readonly string[] {
  let end = lines.length
  while (end > 1 && lines[end - 1]?.trim() === '') end--
  if (!lines[end - 1]?.startsWith('>')) return lines
  while (end > 1 && lines[end - 1]?.startsWith('>')) end--
  return lines.slice(0, end)
}

/** In the private use area, which `readable` removes from what was received. */
const EDGE = '\u{e000}'
const PLACEHOLDERS = new RegExp(`${EDGE}(\\d+)${EDGE}`, 'g')
/** A signature's delimiter: dashes with a space behind them (RFC 3676, 4.3). */
const SIGNATURE = '\u{e001}'
const placeholder = (index: number) => `${EDGE}${index}${EDGE}`

/** The text without what no message may have: NUL, other controls, lone surrogates. Delimiters are `SIGNATURE`. */
function readable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/\p{Co}|(?!\n)\p{Cc}/gu, '')
    .replaceAll(/^-- $/gm, SIGNATURE)
    .replaceAll(/ ?\n ?/g, '\n')
}
