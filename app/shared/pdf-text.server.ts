import type { PdfFace } from './pdf-fonts.server.ts'
import {
  breakLines,
  findLetterFonts,
  fitOneLine,
  inVisualOrder,
  MISSING,
  type Run,
  runsOf,
} from './text-lines.server.ts'

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
const LINE_HEIGHT = 1.2

/** Letters that are drawn one by one, from left to right. */
const SIMPLE = /^[\u0020-\u024f\u2010-\u2026€™]*$/

/**
 * Embeds the fonts that draw `texts`, in whatever script people wrote them, and returns what writes with them: Chinese,
 * Arabic from right to left, marks that combine, emoji. A font's file covers part of a script, and only the letters of
 * `texts` are embedded of it, at one weight.
 * @param texts everything that the returned function will write, apart from Latin letters
 */
export async function embedPdfText(pdf: PDFKit.PDFDocument, texts: readonly string[]): Promise<PdfText> {
  const fonts = new Map<PdfFace, Map<string, string>>()
  for (const face of FACES) fonts.set(face, await embedFace(pdf, face, texts))
  return {
    write(text, x, y, style) {
      const setter = createSetter(pdf, style, (letter) => fonts.get(style.face)?.get(letter))
      let top = y
      for (const paragraph of text.normalize('NFC').split('\n'))
        for (const line of linesOf(paragraph, style, setter.widthOf)) {
          setter.draw(line, x, top)
          top += style.size * LINE_HEIGHT + (style.lineGap ?? 0)
        }
      pdf.x = x
      pdf.y = top
      return top
    },
  }
}

function linesOf(
  paragraph: string,
  { oneLine, width }: PdfStyle,
  widthOf: (line: string) => number,
): string[] {
  return oneLine ? [fitOneLine(paragraph, width, widthOf)] : breakLines(paragraph, width, widthOf)
}

/** Returns the name under which pdfkit has the font of each letter. A letter may be several code points. */
async function embedFace(
  pdf: PDFKit.PDFDocument,
  face: PdfFace,
  texts: readonly string[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const [index, { file, letters }] of (await findLetterFonts(face, texts)).entries()) {
    const name = `${face}-${index}`
    pdf.registerFont(name, file)
    for (const letter of letters) names.set(letter, name)
  }
  return names
}

function createSetter(
  pdf: PDFKit.PDFDocument,
  style: PdfStyle,
  nameOf: (letter: string) => string | undefined,
) {
  const missing = nameOf(MISSING) ?? 'Helvetica'
  const runs = (line: string) => runsOf(line, nameOf, missing)

  const widthOfRun = (run: Run) =>
    pdf
      .font(run.font)
      .fontSize(style.size)
      .widthOfString(run.text, { features: featuresOf(pdf, run) })
  const widthOf = (line: string) => runs(line).reduce((sum, run) => sum + widthOfRun(run), 0)

  return {
    widthOf,
    draw(line: string, x: number, y: number): void {
      let left = style.align === 'right' ? x + style.width - widthOf(line) : x
      const baseline = y + style.size
      // Shapes alone don't say which letters they are: a reader's search and a screen reader take this text.
      const spoken = SIMPLE.test(line) ? null : line
      if (spoken) pdf.markContent('Span', { actual: spoken })
      for (const run of inVisualOrder(runs(line))) {
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
