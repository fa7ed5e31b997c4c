import { isSentByNote, linesAboveHeader } from './quote-rules.ts'

/** Characters of a received text that are read, from its start. What it quotes may be any length. */
const MAX_READ_LENGTH = 20_000
/** Characters of a reply, without what it quotes, from which on it is no message. */
export const MAX_REPLY_LENGTH = 5_000
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
 * Cuts off what a reply quotes, the header above that, and the signature. Reads each line a fixed number of times.
 * @param mark the line above the quoted text, in the mail that is answered
 * @param domain the domain of reply addresses, which let their holder write: none of them may reach the other side
 * @returns null for a text that is too long to be a message
 */
export function visibleReply(text: string, mark: string, domain: string | null = null): string | null {
  const lines = readable(text.slice(0, MAX_READ_LENGTH)).split('\n')
  const isSecret = (line: string) => domain !== null && line.toLowerCase().includes(`@${domain}`)
  // A header that isn't recognised may still hold an address of ours.
  const marked = lines.findIndex((line) => line.includes(mark))
  const above = withoutQuote(marked < 0 ? lines : lines.slice(0, marked))
  const isAboveQuote = above.length < lines.length
  const own = above.slice(0, linesAboveHeader(above, isAboveQuote))
  const secret = own.findIndex(isSecret)
  const kept = withoutSignature(secret < 0 ? own : own.slice(0, secret))
  const reply = kept
    .map((line) => (line === SIGNATURE ? '--' : line))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return reply.length > MAX_REPLY_LENGTH ? null : reply
}

/** The lines above those at the end that are quoted. */
function withoutQuote(lines: readonly string[]): readonly string[] {
  let end = lines.length
  let quoted = end
  for (; end > 0; end--) {
    const line = lines[end - 1]
    if (line?.startsWith('>')) quoted = end - 1
    else if (line !== '') break
  }
  return lines.slice(0, quoted)
}

/** The lines above the signature, and without the note of the program that sent them. */
function withoutSignature(lines: readonly string[]): readonly string[] {
  const from = lines.lastIndexOf(SIGNATURE)
  const isSignature = from >= 0 && lines.length - from - 1 <= MAX_SIGNATURE_LINES
  const own = isSignature ? lines.slice(0, from) : lines
  const last = own.findLastIndex((line) => line !== '')
  return isSentByNote(own[last] ?? '') ? own.slice(0, last) : own
}

/** A signature's delimiter: dashes with a space behind them (RFC 3676, 4.3). In the private use area, which is removed. */
const SIGNATURE = '\u{e001}'

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
