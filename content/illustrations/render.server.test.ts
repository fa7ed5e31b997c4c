import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { renderScene } from './render.server.ts'

describe('renderScene', () => {
  it.each(['webp', 'avif', 'jpeg', 'png'] as const)('encodes %s in the requested size', async (format) => {
    const picture = await renderScene({ scene: 'catering-cake', seed: 's', width: 320, height: 240, format })
    const found = await sharp(picture).metadata()
    expect([found.width, found.height]).toEqual([320, 240])
    expect(found.format).toBe(format === 'avif' ? 'heif' : format)
    expect(found.hasAlpha).toBe(false)
  })

  it('returns the same bytes for the same input', async () => {
    const input = { scene: 'venue-vineyard', seed: 's', width: 200, height: 150, format: 'png' } as const
    expect((await renderScene(input)).equals(await renderScene(input))).toBe(true)
  })

  it('adds grain to flat colour', async () => {
    const picture = await renderScene({
      scene: 'placeholder',
      seed: 's',
      width: 64,
      height: 48,
      format: 'png',
    })
    const { channels } = await sharp(picture).extract({ left: 2, top: 2, width: 12, height: 2 }).stats()
    expect(channels[0]?.stdev ?? 0).toBeGreaterThan(1)
  })
})
