import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawCard } from './drawing.ts'
import { CARD_SIZE, type LinkCard } from './port.ts'

const RED = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#c00000' } })
  .jpeg()
  .toBuffer()
const BLUE = await sharp({ create: { width: 200, height: 300, channels: 3, background: '#0000c0' } })
  .jpeg()
  .toBuffer()

const CARD: LinkCard = {
  brand: 'Jubilee',
  title: 'Harbour Light Pavilion',
  lines: ['Balmain East, NSW'],
  price: 'from $85.00 per person',
  rating: { average: 4.5, text: '4.5 (12 reviews)' },
  pictures: [RED],
}
/** The area of the texts, to the right of the pictures. */
const TEXTS = { left: 662, top: 0, width: CARD_SIZE.width - 662, height: CARD_SIZE.height }

type Area = { left: number; top: number; width: number; height: number }

/** The pixels of an area of a card, in rows of red, green and blue. */
async function pixelsOf(card: Partial<LinkCard>, area: Area = TEXTS): Promise<Buffer> {
  return sharp(await drawCard({ ...CARD, ...card }))
    .extract(area)
    .removeAlpha()
    .raw()
    .toBuffer()
}

/** How many pixels are of a colour, give or take what JPEG changes. */
function count(pixels: Buffer, [red, green, blue]: readonly [number, number, number]): number {
  let found = 0
  for (let at = 0; at < pixels.length; at += 3)
    if (
      Math.abs((pixels[at] ?? 0) - red) < 40 &&
      Math.abs((pixels[at + 1] ?? 0) - green) < 40 &&
      Math.abs((pixels[at + 2] ?? 0) - blue) < 40
    )
      found++
  return found
}
const INK = [0x1f, 0x2a, 0x2e] as const
const GLOW = [0xf2, 0xb6, 0x32] as const

describe('the card of a link', () => {
  it('comes as a JPEG of the size that networks show whole', async () => {
    const { format, width, height } = await sharp(await drawCard(CARD)).metadata()
    expect({ format, width, height }).toEqual({ format: 'jpeg', ...CARD_SIZE })
  })

  it('shows up to three pictures on its left, or none', async () => {
    const middle = { left: 100, top: 300, width: 10, height: 10 }
    const beside = { left: 600, top: 100, width: 10, height: 10 }
    const red = [0xc0, 0, 0] as const
    const blue = [0, 0, 0xc0] as const
    expect(count(await pixelsOf({}, middle), red)).toBe(100)
    expect(count(await pixelsOf({}, beside), red)).toBe(100)
    expect(count(await pixelsOf({ pictures: [RED, BLUE] }, beside), blue)).toBe(100)
    expect(count(await pixelsOf({ pictures: [RED, BLUE, RED, BLUE] }, { ...beside, top: 500 }), red)).toBe(
      100,
    )
    expect(count(await pixelsOf({ pictures: [] }, middle), red)).toBe(0)
  })

  it('writes its own texts', async () => {
    const texts = await pixelsOf({})
    expect(count(texts, INK)).toBeGreaterThan(3_000)
    for (const other of [
      { title: 'Harbour Dark Pavilion' },
      { lines: ['Balmain West, NSW'] },
      { price: 'from $95.00 per person' },
      { brand: 'Jubilate' },
    ])
      expect((await pixelsOf(other)).equals(texts)).toBe(false)
  })

  it.each([
    ['Chinese', '阿南陀長谷川'],
    ['Korean', '김민준의 정원'],
    ['Arabic', 'قاعة الميناء'],
    ['Hebrew', 'אולם הנמל'],
    ['Hindi', 'बंदरगाह हॉल'],
    ['Gurmukhi', 'ਬੰਦਰਗਾਹ ਹਾਲ'],
    ['Thai', 'ห้องโถงท่าเรือ'],
    ['Greek', 'Αίθουσα Λιμανιού'],
    ['Vietnamese', 'Sảnh Bến Cảng'],
    ['emoji', '🎉🎈'],
  ])('writes %s in its letters', async (_, title) => {
    const titleArea = { ...TEXTS, height: 170 }
    const written = await pixelsOf({ title }, titleArea)
    const boxes = await pixelsOf({ title: title.replace(/\S/gu, '\u{10FFFD}') }, titleArea)
    expect(count(written, INK)).toBeGreaterThan(300)
    expect(written.equals(boxes)).toBe(false)
  })

  it('keeps long texts within its edges', async () => {
    const edge = { left: CARD_SIZE.width - 40, top: 0, width: 40, height: CARD_SIZE.height }
    const long = 'The Featherstonehaughington-Cholmondeley-Marjoribanks Pavilion '.repeat(4)
    const pixels = await pixelsOf(
      { title: long, lines: [long, long], price: long, brand: 'J'.repeat(40) },
      edge,
    )
    expect(count(pixels, INK)).toBe(0)
    // The name of the site stays free.
    const foot = { left: TEXTS.left, top: 505, width: TEXTS.width, height: 20 }
    expect(count(await pixelsOf({ title: long, lines: [long], price: long, rating: null }, foot), INK)).toBe(
      0,
    )
  })

  it('lights as much of its stars as the rating has', async () => {
    const lit = async (average: number) =>
      count(await pixelsOf({ rating: { average, text: '' } }, { ...TEXTS, top: 150, height: 330 }), GLOW)
    const [three, half, five] = [await lit(3), await lit(4.5), await lit(5)]
    expect(three / five).toBeCloseTo(3 / 5, 1)
    expect(half / five).toBeCloseTo(4.5 / 5, 1)
    expect(count(await pixelsOf({ rating: null }, { ...TEXTS, height: 480 }), GLOW)).toBe(0)
  })
})
