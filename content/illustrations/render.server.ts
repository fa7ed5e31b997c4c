import sharp from 'sharp'
import { drawScene } from './draw.ts'
import { randomFrom } from './random.ts'
import type { SceneName } from './scenes.ts'

export type RenderInput = {
  scene: SceneName
  seed: string
  /** in pixels */
  width: number
  height: number
  format: 'webp' | 'avif' | 'jpeg' | 'png'
}

// Smaller than the smallest served picture, because a tile must fit into it.
const GRAIN_SIZE = 128
/** The maximum deviation of the paper grain from neutral, of 255. */
const GRAIN_DEPTH = 13

/**
 * The paper grain as one tile, created once. Composited here, because a noise filter inside the SVG cost more than the
 * rest of the picture together.
 */
function makeGrain(): Buffer {
  const r = randomFrom('paper grain')
  const pixels = Buffer.alloc(GRAIN_SIZE * GRAIN_SIZE * 3)
  for (let i = 0; i < GRAIN_SIZE * GRAIN_SIZE; i++) {
    const value = 128 + (r.next() + r.next() + r.next() - 1.5) * GRAIN_DEPTH * 1.6
    pixels.fill(Math.round(value), i * 3, i * 3 + 3)
  }
  return pixels
}

let grain: Buffer | undefined

/** The grain tile, cropped for a picture that is smaller: sharp accepts no overhanging tile. */
function grainFor(
  width: number,
  height: number,
): { input: Buffer; raw: { width: number; height: number; channels: 3 } } {
  grain ??= makeGrain()
  const w = Math.min(GRAIN_SIZE, width)
  const h = Math.min(GRAIN_SIZE, height)
  if (w === GRAIN_SIZE)
    return { input: grain.subarray(0, w * h * 3), raw: { width: w, height: h, channels: 3 } }
  const cut = Buffer.alloc(w * h * 3)
  for (let y = 0; y < h; y++) grain.copy(cut, y * w * 3, y * GRAIN_SIZE * 3, (y * GRAIN_SIZE + w) * 3)
  return { input: cut, raw: { width: w, height: h, channels: 3 } }
}

/** Draws and encodes one picture. The same input always gives the same pixels. */
export async function renderScene({ scene, seed, width, height, format }: RenderInput): Promise<Buffer> {
  const svg = drawScene({ scene, seed, width, height })
  const picture = sharp(Buffer.from(svg))
    .flatten({ background: '#ffffff' })
    .composite([{ ...grainFor(width, height), tile: true, blend: 'soft-light' }])
    .removeAlpha()
  switch (format) {
    case 'webp':
      return picture.webp({ quality: 80 }).toBuffer()
    case 'avif':
      return picture.avif({ quality: 46, effort: 2 }).toBuffer()
    case 'jpeg':
      return picture.jpeg({ quality: 82, mozjpeg: true }).toBuffer()
    case 'png':
      return picture.png().toBuffer()
  }
}
