import type { Font } from 'fontkit'
import type { PdfFace } from '../../shared/pdf-fonts.server.ts'
import {
  breakLines,
  findLetterFonts,
  fitOneLine,
  inVisualOrder,
  MISSING,
  type Run,
  runsOf,
  WITHOUT_SPACES,
} from '../../shared/text-lines.server.ts'

/** How a text is set. Lengths are in pixels. */
export type ShapeStyle = { face: PdfFace; size: number; colour: string; width: number; maxLines: number }

/** Text as shapes of an SVG, so that the picture needs no fonts of the machine that draws it. */
export type TextShapes = {
  /** The lines of a text, the last one with an ellipsis if there would be more. */
  lines: (text: string, style: Omit<ShapeStyle, 'colour'>) => string[]
  /** Whether every word of a text fits the width, so that no line breaks inside one. */
  fitsWords: (text: string, style: Pick<ShapeStyle, 'face' | 'size' | 'width'>) => boolean
  /** A line's shapes. @param y of its baseline */
  draw: (line: string, x: number, y: number, style: Pick<ShapeStyle, 'face' | 'size' | 'colour'>) => string
  widthOf: (line: string, style: Pick<ShapeStyle, 'face' | 'size'>) => number
}

const FACES: readonly PdfFace[] = ['text', 'bold', 'heading']

/** @param texts all that will be drawn, apart from Latin letters */
export async function createTextShapes(texts: readonly string[]): Promise<TextShapes> {
  const fontkit = await import('fontkit')
  const fonts = new Map<string, Font>()
  const names = new Map<PdfFace, Map<string, string>>()
  for (const face of FACES) {
    const ofFace = new Map<string, string>()
    for (const [index, { file, letters }] of (await findLetterFonts(face, texts)).entries()) {
      const font = fontkit.create(Buffer.from(file))
      if (!('layout' in font)) continue
      fonts.set(`${face}-${index}`, font)
      for (const letter of letters) ofFace.set(letter, `${face}-${index}`)
    }
    names.set(face, ofFace)
  }

  function runs(line: string, face: PdfFace): Run[] {
    const ofFace = names.get(face)
    return runsOf(line, (letter) => ofFace?.get(letter), ofFace?.get(MISSING) ?? '')
  }

  function layOut({ text, font }: Run) {
    const found = fonts.get(font)
    if (!found) return null
    try {
      return { font: found, run: found.layout(text) }
    } catch {
      // Fontkit can't place the marks of some fonts: those letters are drawn without the finer placing.
      return { font: found, run: found.layout(text, WITHOUT_MARKS) }
    }
  }

  const widthOf: TextShapes['widthOf'] = (line, { face, size }) =>
    runs(line, face).reduce((sum, run) => {
      const laid = layOut(run)
      return laid ? sum + (laid.run.advanceWidth * size) / laid.font.unitsPerEm : sum
    }, 0)

  return {
    widthOf,
    fitsWords: (text, style) =>
      text.split(' ').every((word) => WITHOUT_SPACES.test(word) || widthOf(word, style) <= style.width),
    lines(text, style) {
      const measure = (line: string) => widthOf(line, style)
      const all = breakLines(text.normalize('NFC'), style.width, measure)
      if (all.length <= style.maxLines) return all
      const shown = all.slice(0, style.maxLines - 1)
      return [...shown, fitOneLine(all.slice(style.maxLines - 1).join(' '), style.width, measure)]
    },
    draw(line, x, y, { face, size, colour }) {
      let left = x
      const shapes: string[] = []
      for (const run of inVisualOrder(runs(line, face))) {
        const laid = layOut(run)
        if (!laid) continue
        const scale = size / laid.font.unitsPerEm
        for (const [index, glyph] of laid.run.glyphs.entries()) {
          const place = laid.run.positions[index]
          if (!place) continue
          const at = `translate(${round(left + place.xOffset * scale)} ${round(y - place.yOffset * scale)})`
          const outline = glyph.path.toSVG()
          if (outline) shapes.push(`<path transform="${at} scale(${scale} ${-scale})" d="${outline}"/>`)
          left += place.xAdvance * scale
        }
      }
      return `<g fill="${colour}">${shapes.join('')}</g>`
    },
  }
}

const round = (value: number) => Math.round(value * 100) / 100

// Fontkit also takes an object, which turns features off, but doesn't declare it.
const WITHOUT_MARKS = { mark: false, mkmk: false, abvm: false, blwm: false, kern: false } as never
