import sharp, { type OverlayOptions } from 'sharp'
import { CARD_SIZE, type LinkCard, MAX_PICTURES } from './port.ts'
import { createTextShapes, type TextShapes } from './text-shapes.ts'

/** The day's palette (docs/design-language.md). */
const COLOURS = {
  ground: '#FBF7F0',
  ink: '#1F2A2E',
  quiet: '#5A6468',
  brand: '#2F5D50',
  glow: '#F2B632',
  dull: '#E9DFCF',
} as const

const PICTURE_WIDTH = 660
const GAP = 6
const PADDING = 48
const TEXT = { x: PICTURE_WIDTH + PADDING, width: CARD_SIZE.width - PICTURE_WIDTH - 2 * PADDING } as const
/** A title takes the largest size at which it has so few lines, and no line breaks inside a word. */
const TITLE_SIZES = [64, 56, 48, 40, 34] as const
const TITLE_LINES = 4
const LINE_SIZE = 30
const BRAND_SIZE = 36
const STAR = 'M12 1.6l3.2 6.6 7.2 1-5.2 5.1 1.3 7.2L12 18.1l-6.5 3.4 1.3-7.2L1.6 9.2l7.2-1z'

/** Draws a card: its pictures on the left, and its texts beside them. @returns a JPEG */
export async function drawCard(card: LinkCard): Promise<Buffer> {
  const { title, lines, price, rating, brand } = card
  const shapes = await createTextShapes([title, ...lines, price ?? '', rating?.text ?? '', brand])
  const [pictures, texts] = await Promise.all([layPictures(card.pictures), drawTexts(card, shapes)])
  return sharp({ create: { ...CARD_SIZE, channels: 3, background: COLOURS.ground } })
    .composite([...pictures, { input: Buffer.from(texts), left: 0, top: 0 }])
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer()
}

type Box = { left: number; top: number; width: number; height: number }

/** The places of one, two or three pictures: one large, the others below each other beside it. */
function boxesOf(count: number): Box[] {
  const height = CARD_SIZE.height
  if (count === 0) return []
  if (count === 1) return [{ left: 0, top: 0, width: PICTURE_WIDTH, height }]
  const side = Math.round(PICTURE_WIDTH * 0.36)
  const large = { left: 0, top: 0, width: PICTURE_WIDTH - side - GAP, height }
  const left = large.width + GAP
  if (count === 2) return [large, { left, top: 0, width: side, height }]
  const half = (height - GAP) / 2
  return [
    large,
    { left, top: 0, width: side, height: half },
    { left, top: half + GAP, width: side, height: half },
  ]
}

async function layPictures(pictures: readonly Uint8Array[]): Promise<OverlayOptions[]> {
  const shown = pictures.slice(0, MAX_PICTURES)
  const boxes = boxesOf(shown.length)
  return Promise.all(
    boxes.map(async ({ left, top, width, height }, index) => ({
      input: await sharp(shown[index]).resize(width, height, { fit: 'cover' }).toBuffer(),
      left,
      top,
    })),
  )
}

async function drawTexts(card: LinkCard, shapes: TextShapes): Promise<string> {
  const parts: string[] = []
  let top = PADDING
  const write = (
    text: string,
    style: { face: 'text' | 'bold' | 'heading'; size: number; colour: string; maxLines: number; gap: number },
  ) => {
    for (const line of shapes.lines(text, { ...style, width: TEXT.width })) {
      parts.push(shapes.draw(line, TEXT.x, top + style.size, style))
      top += style.size * LINE_HEIGHT[style.face]
    }
    top += style.gap
  }
  const size = titleSize(card.title, shapes)
  write(card.title, { face: 'heading', size, colour: COLOURS.ink, maxLines: TITLE_LINES, gap: 18 })
  for (const line of card.lines)
    write(line, { face: 'text', size: LINE_SIZE, colour: COLOURS.quiet, maxLines: 2, gap: 6 })
  top += 12
  if (card.price)
    write(card.price, { face: 'bold', size: LINE_SIZE, colour: COLOURS.ink, maxLines: 1, gap: 14 })
  if (card.rating) {
    parts.push(drawStars(card.rating.average, top))
    const x = TEXT.x + 5 * STAR_STEP + 12
    const style = { face: 'text', size: LINE_SIZE, colour: COLOURS.quiet } as const
    parts.push(shapes.draw(card.rating.text, x, top + 26, style))
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_SIZE.width}" height="${CARD_SIZE.height}">${parts.join('')}${drawBrand(card.brand, shapes)}</svg>`
}

const LINE_HEIGHT = { heading: 1.12, text: 1.3, bold: 1.3 } as const

function titleSize(title: string, shapes: TextShapes): number {
  const fits = TITLE_SIZES.find((size) => {
    const style = { face: 'heading', size, width: TEXT.width } as const
    const lines = shapes.lines(title, { ...style, maxLines: TITLE_LINES + 1 })
    return lines.length <= TITLE_LINES && shapes.fitsWords(title, style)
  })
  return fits ?? TITLE_SIZES[TITLE_SIZES.length - 1] ?? LINE_SIZE
}

const STAR_STEP = 33

/** Five stars, of which a part is lit. */
function drawStars(average: number, top: number): string {
  const row = (colour: string) =>
    [0, 1, 2, 3, 4]
      .map(
        (index) =>
          `<path transform="translate(${TEXT.x + index * STAR_STEP} ${top}) scale(1.25)" d="${STAR}" fill="${colour}"/>`,
      )
      .join('')
  // A star is as wide as its drawing, and the space after it isn't lit.
  const lit = Math.floor(average) * STAR_STEP + (average % 1) * 30
  return `${row(COLOURS.dull)}<clipPath id="lit"><rect x="${TEXT.x}" y="${top - 4}" width="${lit}" height="40"/></clipPath><g clip-path="url(#lit)">${row(COLOURS.glow)}</g>`
}

/** The mark and the name at the foot, as in the header of every page. */
function drawBrand(brand: string, shapes: TextShapes): string {
  const top = CARD_SIZE.height - PADDING - 44
  const style = { face: 'heading', size: BRAND_SIZE, width: TEXT.width - 60, maxLines: 1 } as const
  const [line = ''] = shapes.lines(brand, style)
  return `<g transform="translate(${TEXT.x - 3} ${top}) scale(1.3)"><circle cx="13.4" cy="15.4" r="5.2" fill="${COLOURS.glow}"/><path d="M25 4.5v15.2a11 11 0 0 1-11.2 10.9C8.3 30.6 4 26.7 3.4 21.6" fill="none" stroke="${COLOURS.brand}" stroke-width="4.6" stroke-linecap="round"/></g>${shapes.draw(line, TEXT.x + 48, top + 35, { ...style, colour: COLOURS.brand })}`
}
