import { readFileSync } from 'node:fs'
import createBidi from 'bidi-js'
import type { Font, FontCollection } from 'fontkit'
import { listPdfFonts, type PdfFace, type PdfFont } from './pdf-fonts.server.ts'

/** How a text is set. Lengths are in points. */
export type PdfStyle = {
  face: PdfFace
  size: number
  colour: string
  width: number
  align?: 'left' | 'right'
  /** Space between two lines, added to that of the font. */
  lineGap?: number
  /** Cuts the text after one line, with an ellipsis. */
  oneLine?: boolean
}

export type PdfText = {
  /** Writes `text` from `x` and `y`, in lines that fit the width. Returns the bottom of the last line, where `pdf.y` is then too. */
  write: (text: string, x: number, y: number, style: PdfStyle) => number
}

const FACES: readonly PdfFace[] = ['text', 'bold', 'heading']
/** Drawn in place of a letter that no font has. */
const MISSING = '□'
const ELLIPSIS = '…'
/** They choose how a letter is drawn, or join two, and have no shape of their own. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
const LINE_HEIGHT = 1.2

/** Letters that are drawn one by one, from left to right. */
const SIMPLE = /^[\u0020-\u024f\u2010-\u2026€™]*$/

const bidi = createBidi()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const words = new Intl.Segmenter('en', { granularity: 'word' })

/** The letters of most documents. They are always embedded together, so that their fonts are made once. */
const LATIN = [...charactersBetween(0x20, 0x7e), ...charactersBetween(0xa1, 0xff), ...'–—‘’“”•…€™−', MISSING]

function charactersBetween(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
}

/**
 * Embeds the fonts that draw `texts`, in whatever script people wrote them, and returns what writes with them: Chinese,
 * Arabic from right to left, marks that combine, emoji. A font's file covers part of a script, and only the letters of
 * `texts` are embedded of it, at one weight.
 * @param texts everything that the returned function will write, apart from Latin letters
 */
export async function embedPdfText(pdf: PDFKit.PDFDocument, texts: readonly string[]): Promise<PdfText> {
  const letters = new Set(texts.flatMap((text) => splitGraphemes(text)))
  for (const letter of LATIN) letters.delete(letter)
  const fonts = new Map<PdfFace, Map<string, string>>()
  for (const face of FACES) fonts.set(face, await embedFace(pdf, face, [...letters]))
  return {
    write(text, x, y, style) {
      const setter = createSetter(pdf, style, (letter) => fonts.get(style.face)?.get(letter))
      let top = y
      for (const paragraph of text.normalize('NFC').split('\n'))
        for (const line of breakLines(paragraph, style, setter.widthOf)) {
          setter.draw(line, x, top)
          top += style.size * LINE_HEIGHT + (style.lineGap ?? 0)
        }
      pdf.x = x
      pdf.y = top
      return top
    },
  }
}

function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text.normalize('NFC')), ({ segment }) => segment)
}

/** Returns the name under which pdfkit has the font of each letter. A letter may be several code points. */
async function embedFace(
  pdf: PDFKit.PDFDocument,
  face: PdfFace,
  letters: readonly string[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const own of [LATIN, letters]) {
    let missing = own
    for (const font of listPdfFonts(face)) {
      const candidates = missing.filter((letter) => pointsOf(letter).every(font.has))
      if (candidates.length === 0) continue
      const { file, covered } = await takeSubset(font, face, candidates)
      if (covered.size === 0) continue
      const name = `${face}-${names.size}`
      pdf.registerFont(name, file)
      for (const letter of covered) names.set(letter, name)
      missing = missing.filter((letter) => !covered.has(letter))
      if (missing.length === 0) break
    }
  }
  return names
}

const pointsOf = (letter: string) =>
  Array.from(letter.replace(INVISIBLE, ''), (one) => one.codePointAt(0) ?? 0)

type Subset = { file: Uint8Array; covered: ReadonlySet<string> }

const latinSubsets = new Map<string, Subset>()

/** Takes letters out of a font. Its list of code points may name some that it lacks, so the result says which it has. */
async function takeSubset(font: PdfFont, face: PdfFace, letters: readonly string[]): Promise<Subset> {
  const key = `${face} ${font.path} ${letters.join('')}`
  const known = latinSubsets.get(key)
  if (known) return known
  // Large, and most processes never draw a document.
  const [{ default: subsetFont }, fontkit] = await Promise.all([import('subset-font'), import('fontkit')])
  const file = await subsetFont(readFileSync(font.path), letters.join(''), {
    targetFormat: 'truetype',
    variationAxes: font.axes,
  })
  const has = codePointsOf(fontkit.create(Buffer.from(file)))
  const subset = { file, covered: new Set(letters.filter((letter) => pointsOf(letter).every(has))) }
  // Those of the Latin letters return with each document; others would fill the memory.
  if (letters.every((letter) => LATIN.includes(letter))) latinSubsets.set(key, subset)
  return subset
}

function codePointsOf(font: Font | FontCollection): PdfFont['has'] {
  if (!('hasGlyphForCodePoint' in font)) return () => false
  return (codePoint) => {
    try {
      return font.hasGlyphForCodePoint(codePoint)
    } catch {
      // Fontkit can't read the table of a font without any letter.
      return false
    }
  }
}

/** Letters that follow one another in one direction and one font. */
type Run = { text: string; level: number; font: string }

function createSetter(
  pdf: PDFKit.PDFDocument,
  style: PdfStyle,
  nameOf: (letter: string) => string | undefined,
) {
  const missing = nameOf(MISSING) ?? 'Helvetica'

  function runsOf(line: string): Run[] {
    const { levels } = bidi.getEmbeddingLevels(line, 'ltr')
    const runs: Run[] = []
    for (const { segment, index } of graphemes.segment(line)) {
      const level = levels[index] ?? 0
      const mirrored = level % 2 === 1 ? bidi.getMirroredCharacter(segment) : null
      const font = nameOf(segment)
      const text = font ? (mirrored ?? segment) : MISSING
      const last = runs.at(-1)
      if (last?.level === level && last.font === (font ?? missing)) last.text += text
      else runs.push({ text, level, font: font ?? missing })
    }
    return runs
  }

  const widthOfRun = (run: Run) =>
    pdf
      .font(run.font)
      .fontSize(style.size)
      .widthOfString(run.text, { features: featuresOf(pdf, run) })
  const widthOf = (line: string) => runsOf(line).reduce((sum, run) => sum + widthOfRun(run), 0)

  return {
    widthOf,
    draw(line: string, x: number, y: number): void {
      let left = style.align === 'right' ? x + style.width - widthOf(line) : x
      const baseline = y + style.size
      // Shapes alone don't say which letters they are: a reader's search and a screen reader take this text.
      const spoken = SIMPLE.test(line) ? null : line
      if (spoken) pdf.markContent('Span', { actual: spoken })
      for (const run of inVisualOrder(runsOf(line))) {
        pdf.font(run.font).fontSize(style.size).fillColor(style.colour)
        const features = featuresOf(pdf, run)
        pdf.text(run.text, left, baseline, { lineBreak: false, features, baseline: 'alphabetic' })
        left += widthOfRun(run)
      }
      if (spoken) pdf.endMarkedContent()
    },
  }
}

/**
 * The features of a run's font. With any list of them, pdfkit sets the run as a whole instead of word by word from the
 * left. Fontkit can't place the marks of some fonts, and throws; those letters are drawn without the finer placing.
 */
function featuresOf(pdf: PDFKit.PDFDocument, { text, font }: Run): PDFKit.Mixins.OpenTypeFeatures[] {
  try {
    pdf.font(font).widthOfString(text, { features: [] })
    return []
  } catch {
    return WITHOUT_MARKS
  }
}

// Fontkit also takes an object, which turns features off; pdfkit passes it on, but doesn't declare it.
const WITHOUT_MARKS = { mark: false, mkmk: false, abvm: false, blwm: false, kern: false } as never

/** Rule L2 of the Unicode bidirectional algorithm: each stretch of a level or higher is reversed, the highest first. */
function inVisualOrder(runs: readonly Run[]): Run[] {
  const ordered = [...runs]
  const highest = Math.max(0, ...runs.map(({ level }) => level))
  for (let level = highest; level >= 1; level--) {
    let start = 0
    while (start < ordered.length) {
      let end = start
      while (end < ordered.length && (ordered[end]?.level ?? 0) >= level) end++
      if (end - start > 1) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse())
      start = end + 1
    }
  }
  return ordered
}

/** Breaks at spaces, between words of scripts without them, and inside a word only if it is wider than a line. */
function breakLines(paragraph: string, style: PdfStyle, widthOf: (line: string) => number): string[] {
  if (style.oneLine) return [fitOneLine(paragraph, style.width, widthOf)]
  const lines: string[] = []
  let line = ''
  for (const piece of listPieces(paragraph, style.width, widthOf)) {
    if (line !== '' && widthOf((line + piece).trimEnd()) > style.width) {
      lines.push(line.trimEnd())
      line = ''
    }
    if (line !== '' || piece.trim() !== '') line += piece
  }
  return [...lines, line.trimEnd()]
}

/** Scripts that put no spaces between words. */
const WITHOUT_SPACES =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

function listPieces(paragraph: string, width: number, widthOf: (line: string) => number): string[] {
  const pieces: string[] = []
  for (const { segment, isWordLike } of words.segment(paragraph)) {
    const before = pieces.at(-1) ?? ''
    const mayBreak =
      before === '' ||
      (segment.trim() !== '' && /\s$/.test(before)) ||
      (isWordLike && WITHOUT_SPACES.test(segment) && WITHOUT_SPACES.test(before))
    if (mayBreak) pieces.push(segment)
    else pieces[pieces.length - 1] = before + segment
  }
  return pieces.flatMap((piece) => (widthOf(piece.trimEnd()) > width ? splitGraphemes(piece) : [piece]))
}

function fitOneLine(line: string, width: number, widthOf: (line: string) => number): string {
  if (widthOf(line) <= width) return line
  const letters = splitGraphemes(line)
  let low = 0
  let high = letters.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (widthOf(letters.slice(0, middle).join('').trimEnd() + ELLIPSIS) <= width) low = middle
    else high = middle - 1
  }
  return letters.slice(0, low).join('').trimEnd() + ELLIPSIS
}
