/** The lines of a wrapped header. Programs wrap at 70 to 80 characters. */
const MAX_HEADER_LINES = 4
/** Programs break lines no earlier. */
const MIN_WRAPPED_LENGTH = 50
/** A line of a header is shorter: the longest names and addresses together. */
const MAX_LINE_LENGTH = 300
/** Headers inside each other at the end of a reply, such as a separator above fields. */
const MAX_ROUNDS = 4

/**
 * Finds where a reply ends and what it quotes begins: the header above a quotation ('On Friday … wrote:' in any language),
 * and the fields that Outlook writes. They are known by their structure, since every program has its own words in every
 * language: a date, a time and an address, with a colon at the end, above a quotation or the end of the text.
 * @param lines without a quotation's own lines at the end
 * @param isAboveQuote whether a quotation followed these lines
 * @returns the number of lines that the person wrote
 */
export function linesAboveHeader(lines: readonly string[], isAboveQuote: boolean): number {
  let end = textEnd(lines, lines.length)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const above = isAboveQuote ? headerStart(lines, end, { isAboveQuote: true }) : end
    const next = textEnd(lines, above)
    if (next === end) break
    end = next
  }
  // Where nothing marks the quotation itself, only an unmistakable header ends the reply.
  for (let line = 0; line < end; line++) {
    const start = headerStart(lines, line + 1, { isAboveQuote: false })
    if (start <= line) return textEnd(lines, start)
  }
  return end
}

/** Without the empty lines at the end. */
function textEnd(lines: readonly string[], end: number): number {
  let last = end
  while (last > 0 && lines[last - 1] === '') last--
  return last
}

/** The first line of the header that ends before a line, or that line if none does. */
function headerStart(lines: readonly string[], end: number, where: { isAboveQuote: boolean }): number {
  const last = lines[end - 1]
  if (last === undefined || last === '' || last.length > MAX_LINE_LENGTH) return end
  return (
    fieldsStart(lines, end, where) ??
    sentenceStart(lines, end, where) ??
    (where.isAboveQuote && (isSeparator(last) || isShortHeader(last)) ? end - 1 : end)
  )
}

/** 'On Friday, Jubilee wrote:' above a quotation. 'On Saturday my mum wrote:' has no comma, and is a person's own. */
const isShortHeader = (line: string) => /^On [A-Z][a-z]{2,8}, [^:]{1,80} wrote:$/.test(line)

/** The first line of a sentence like 'On 20 Nov 2026, at 12:00, Kim <kim@example.com> wrote:'. */
function sentenceStart(
  lines: readonly string[],
  end: number,
  { isAboveQuote }: { isAboveQuote: boolean },
): number | null {
  let joined = ''
  let fallback: number | null = null
  for (let start = end - 1; start >= Math.max(0, end - MAX_HEADER_LINES); start--) {
    const line = lines[start] ?? ''
    if (line === '' || line.length > MAX_LINE_LENGTH) break
    if (start < end - 1 && !isWrapped(line, lines[start + 1] ?? '')) break
    joined = `${line} ${joined}`
    const { hasDate, hasTime, hasAddress, hasColon } = readHeader(joined)
    if (hasDate && hasTime && hasAddress && (hasColon || isAboveQuote)) return start
    if (!isAboveQuote || !hasColon) continue
    // Thunderbird names no address, Yahoo no time, and Samsung neither. The wrapped rest may still be above.
    if ((hasDate && hasTime) || hasAddress) fallback ??= start
  }
  return fallback
}

/** Whether a program broke a line here, since the next word wouldn't fit. A person's own short line isn't part of a header. */
function isWrapped(line: string, next: string): boolean {
  const [word = ''] = next.split(' ', 1)
  return line.length + 1 + word.length > MIN_WRAPPED_LENGTH
}

/** The first line of fields like 'From: …', 'Sent: …', 'To: …', with the separator above them. */
function fieldsStart(
  lines: readonly string[],
  end: number,
  { isAboveQuote }: { isAboveQuote: boolean },
): number | null {
  let start = end
  let hasDate = false
  let hasAddress = false
  while (start > 0 && end - start < 2 * MAX_HEADER_LINES && isField(lines[start - 1] ?? '')) {
    start--
    const read = readHeader(lines[start] ?? '')
    hasDate ||= read.hasDate
    hasAddress ||= read.hasAddress
  }
  const count = end - start
  const above = textEnd(lines, start)
  const separator = above > 0 && isSeparator(lines[above - 1] ?? '') ? above - 1 : null
  if (separator !== null && count > 0 && hasAddress) return separator
  // A person may list such fields too, such as their email and the date of the party.
  const isSure = isAboveQuote ? count >= 3 && (hasAddress || hasDate) : count >= 3 && hasAddress && hasDate
  return isSure && (isAboveQuote || isSender(lines[start] ?? '')) ? start : null
}

const plainOf = (line: string) => line.replace(/[*\p{Cf}]/gu, '')

/** 'From: …', also with a full-width colon. */
const isField = (line: string) =>
  line.length <= MAX_LINE_LENGTH && /^[^:：<@]{1,30}[:：] ?\S/.test(plainOf(line))

/** 'From: Kim <kim@example.com>'. */
const isSender = (line: string) => BRACKETED.test(plainOf(line))

/** A line of dashes, also with words between: '-----Original Message-----'. */
const isSeparator = (line: string) =>
  line.length <= 100 && /^[-_=*―—]{5}/.test(line) && /[-_=*―—]{5}$/.test(line)

/** An address in brackets of any kind. */
const BRACKETED = /[<([][^\s<>()[\]@]{1,100}@[^\s<>()[\]@]{1,200}[>)\]]/
/** The years of the Western, the Thai and the Islamic calendar, or a date of numbers. */
const DATE = /(?<!\d)(?:(?:20|25|14)\d\d)(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2}(?!\d)|\d月 ?\d{1,2}日/
const TIME = /(?<!\d)\d{1,2} ?[:：.h時时点] ?\d\d(?!\d)/
const COLON = /[:：] ?\S{0,2}$/

/** Finds the parts of a quotation's header in a text. */
function readHeader(text: string) {
  // Programs put marks of direction around names and addresses in Arabic and Hebrew.
  const plain = toLatinDigits(plainOf(text)).trim()
  return {
    hasDate: DATE.test(plain),
    hasTime: TIME.test(plain.replace(/(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?!\d)/g, ' ')),
    hasAddress: BRACKETED.test(plain),
    hasColon: COLON.test(plain),
  }
}

/** Arabic, Persian, Devanagari, Bengali and Thai digits as 0 to 9. */
function toLatinDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59]/g, (digit) => {
    const zero = ZEROS.findLast((each) => each <= digit.charCodeAt(0)) ?? 0
    return String(digit.charCodeAt(0) - zero)
  })
}
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50]

/**
 * The line that a phone's mail program adds: 'Sent from my iPhone'. Its words differ by language, so the list has those of the
 * programs' translations that name a device or program in one short line.
 */
const SENT_BY =
  /^(?:sent (?:from|via|with)|get (?:outlook|bluemail)|von mein|gesendet (?:von|mit)|envoyé (?:de|depuis|à partir)|enviado (?:desde|do|a partir|con)|inviato da|verzonden (?:vanaf|met|via)|verstuurd vanaf|sendt fra|skickat från|lähetetty|wysłan[eo] z|odesláno z|odoslané z|отправлено (?:с|из)|надіслано з|στάλθηκε από|đã gửi từ|gửi từ|dikirim dari|أُ?رسلت? من|נשלח מ|发自|發自|從我的|从我的|ส่งจาก|मेरे )/iu
const SENT_AT_END = /(?:gesendet|gönderildi|から送信|에서 보냄|से भेजा गया|küldve)\.?$/iu
const DEVICE =
  /(?:iphone|ipad|android|samsung|galaxy|outlook|gmail|yahoo|proton|huawei|xiaomi|mobil|phone|tablet|mail|windows|blackberry|手机|手機|携帯|스마트폰)/iu

/** Whether a line is the note of a mail program about itself. */
export function isSentByNote(line: string): boolean {
  return line.length <= 120 && DEVICE.test(line) && (SENT_BY.test(line) || SENT_AT_END.test(line))
}
