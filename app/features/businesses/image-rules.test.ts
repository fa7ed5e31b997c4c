import { describe, expect, it } from 'vitest'
import { admitFiles, type ListedImage, moveImage, storedImages } from './image-rules.ts'

const file = (name: string, size = 1_000) => ({ name, size })
const TWO_MB = 2_097_152

describe('admitFiles', () => {
  it('accepts up to three new images, and warns in the specified words', () => {
    expect(admitFiles([file('a'), file('b'), file('c')], 0)).toMatchObject({ warnings: [] })
    const four = admitFiles([file('a'), file('b'), file('c'), file('d')], 0)
    expect(four.taken.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(four.warnings).toEqual(['You can only upload up to 3 images.'])
    expect(admitFiles([file('a')], 3)).toEqual({
      taken: [],
      warnings: ['You can only upload up to 3 images.'],
    })
  })

  it('skips a file over 2 MB, and accepts one of exactly 2 MB', () => {
    const { taken, warnings } = admitFiles([file('big.jpg', TWO_MB + 1), file('just.jpg', TWO_MB)], 0)
    expect(taken.map(({ name }) => name)).toEqual(['just.jpg'])
    expect(warnings).toEqual(['File big.jpg exceeds 2MB and was skipped.'])
  })

  it('doesn’t count skipped files towards the limit', () => {
    const { warnings } = admitFiles([file('a'), file('b'), file('c'), file('d', TWO_MB + 1)], 0)
    expect(warnings).toEqual(['File d exceeds 2MB and was skipped.'])
  })
})

describe('moveImage', () => {
  const images = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  const order = (moved: { id: string }[]) => moved.map(({ id }) => id).join('')

  it('moves one image and keeps the order of the others', () => {
    expect(order(moveImage(images, 'c', 0))).toBe('cab')
    expect(order(moveImage(images, 'a', 1))).toBe('bac')
    expect(order(moveImage(images, 'a', 99))).toBe('bca')
    expect(order(moveImage(images, 'b', -5))).toBe('bac')
    expect(order(moveImage(images, 'x', 0))).toBe('abc')
  })
})

describe('storedImages', () => {
  it('leaves out failed and unfinished uploads', () => {
    const image = { url: '/files/a', width: 1, height: 1, colour: '#fff' }
    const base = { id: '1', fileName: 'a', isNew: true, preview: null }
    const images: ListedImage[] = [
      { ...base, state: 'failed', reason: '' },
      { ...base, state: 'stored', image },
      { ...base, state: 'sending', progress: 0.5 },
    ]
    expect(storedImages(images)).toEqual([image])
  })
})
