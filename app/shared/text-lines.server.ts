import { readFileSync } from 'node:fs'
import createBidi from 'bidi-js'
import type { Font, FontCollection } from 'fontkit'
import { listPdfFonts, type PdfFace, type PdfFont } from './pdf-fonts.server.ts'

/** Drawn in place of a letter that no font has. */
export const MISSING = '□'
const ELLIPSIS = '…'
/** They choose how a letter is drawn, or join two, and have no shape of their own. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

const bidi = createBidi()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const words = new Intl.Segmenter('en', { granularity: 'word' })

/** The letters of most documents. They are always embedded together, so that their fonts are made once. */
const LATIN = [...charactersBetween(0x20, 0x7e), ...charactersBetween(0xa1, 0xff), ...'–—‘’“”•…€™−', MISSING]

function charactersBetween(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
}

/** The letters of a text, each of which may be several code points. */
export function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text.normalize('NFC')), ({ segment }) => segment)
}

/** A font's file with those of a text's letters that it draws. */
export type LetterFont = { file: Uint8Array; letters: ReadonlySet<string> }

/**
 * Finds the fonts that draw texts, in whatever script people wrote them. A font's file covers part of a script,
 * and gives its letters of `texts` at one weight.
 * @returns the fonts in the order in which they are asked for a letter, those of Latin letters first
 */
export async function findLetterFonts(face: PdfFace, texts: readonly string[]): Promise<LetterFont[]> {
  const others = new Set(texts.flatMap((text) => splitGraphemes(text)))
  for (const letter of LATIN) others.delete(letter)
  const found: LetterFont[] = []
  for (const own of [LATIN, [...others]]) {
    let missing = own
    for (const font of listPdfFonts(face)) {
      const candidates = missing.filter((letter) => pointsOf(letter).every(font.has))
      if (candidates.length === 0) continue
      const subset = await takeSubset(font, face, candidates)
      if (subset.letters.size === 0) continue
      found.push(subset)
      missing = missing.filter((letter) => !subset.letters.has(letter))
      if (missing.length === 0) break
    }
  }
  return found
}

const pointsOf = (letter: string) =>
  Array.from(letter.replace(INVISIBLE, ''), (one) => one.codePointAt(0) ?? 0)

const latinSubsets = new Map<string, LetterFont>()

/** Takes letters out of a font. Its list of code points may name some that it lacks, so the result says which it has. */
async function takeSubset(font: PdfFont, face: PdfFace, letters: readonly string[]): Promise<LetterFont> {
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
  const subset = { file, letters: new Set(letters.filter((letter) => pointsOf(letter).every(has))) }
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
export type Run = { text: string; level: number; font: string }

/**
 * Splits a line into its runs.
 * @param nameOf the name of a letter's font
 * @param missing that of the box for a letter without one
 */
export function runsOf(line: string, nameOf: (letter: string) => string | undefined, missing: string): Run[] {
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

/** Rule L2 of the Unicode bidirectional algorithm: each stretch of a level or higher is reversed, the highest first. */
export function inVisualOrder(runs: readonly Run[]): Run[] {
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
export function breakLines(paragraph: string, width: number, widthOf: (line: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  for (const piece of listPieces(paragraph, width, widthOf)) {
    if (line !== '' && widthOf((line + piece).trimEnd()) > width) {
      lines.push(line.trimEnd())
      line = ''
    }
    if (line !== '' || piece.trim() !== '') line += piece
  }
  return [...lines, line.trimEnd()]
}

/** Scripts that put no spaces between words. */
export const WITHOUT_SPACES =
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

/** A line that fits the width, cut with an ellipsis if need be. */
export function fitOneLine(line: string, width: number, widthOf: (line: string) => number): string {
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
