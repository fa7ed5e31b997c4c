import { describe, expect, it } from 'vitest'
import { type AlbumPicture, applyStep, latestRemoved, neighbourBefore } from './album-rules.ts'

const picture = (url: string): AlbumPicture => ({
  url,
  width: 1200,
  height: 800,
  colour: '#aabbcc',
  caption: `Caption ${url}`,
  alt: '',
})
const ALBUM = ['a', 'b', 'c', 'd'].map(picture)
const urls = (album: readonly AlbumPicture[]) => album.map(({ url }) => url).join('')

describe('a step of an album', () => {
  it.each([
    ['d', null, 'dabc'],
    ['a', 'd', 'bcda'],
    ['a', 'b', 'bacd'],
    ['c', 'a', 'acbd'],
    ['b', 'a', 'abcd'],
  ])('moves %s behind %s', (url, after, expected) => {
    const moved = applyStep(ALBUM, { kind: 'move', url, after }, null)
    expect(urls(moved)).toBe(expected)
    expect(urls(applyStep(moved, { kind: 'move', url, after }, null))).toBe(expected)
  })

  it.each([
    ['gone', 'a'],
    ['a', 'gone'],
    ['a', 'a'],
  ])('leaves the order if %s goes behind %s', (url, after) => {
    expect(urls(applyStep(ALBUM, { kind: 'move', url, after }, null))).toBe('abcd')
  })

  it('adds a picture at the end, first, behind another, or at the end if that is gone', () => {
    const added = (after: string | null | undefined) =>
      urls(applyStep(ALBUM, { kind: 'add', url: 'x', caption: '', alt: '', after }, picture('x')))
    expect([undefined, null, 'b', 'gone'].map(added)).toEqual(['abcdx', 'xabcd', 'abxcd', 'abcdx'])
  })

  it('adds a picture once, with the texts of the step', () => {
    const step = { kind: 'add', url: 'x', caption: 'New', alt: 'A tent' } as const
    const album = applyStep(ALBUM, step, picture('x'))
    expect(album.at(-1)).toMatchObject({ caption: 'New', alt: 'A tent' })
    expect(applyStep(album, step, picture('x'))).toEqual(album)
    expect(urls(applyStep(ALBUM, step, null))).toBe('abcd')
  })

  it('changes only the texts that it names', () => {
    const [first] = applyStep(ALBUM, { kind: 'describe', url: 'a', alt: 'A tent' }, null)
    expect(first).toMatchObject({ caption: 'Caption a', alt: 'A tent' })
    const [cleared] = applyStep(ALBUM, { kind: 'describe', url: 'a', caption: '' }, null)
    expect(cleared).toMatchObject({ caption: '' })
  })

  it('removes a picture, and puts it back where it was', () => {
    const removed = applyStep(ALBUM, { kind: 'remove', url: 'c' }, null)
    expect(urls(removed)).toBe('abd')
    const after = neighbourBefore(ALBUM, 2)
    const back = { kind: 'add', url: 'c', caption: 'Caption c', alt: '', after } as const
    expect(applyStep(removed, back, picture('c'))).toEqual(ALBUM)
    expect(neighbourBefore(ALBUM, 0)).toBeNull()
  })

  it('keeps what two tabs do at once, in whichever order it arrives', () => {
    const one = { kind: 'move', url: 'd', after: null } as const
    const other = { kind: 'move', url: 'b', after: 'c' } as const
    expect(urls(applyStep(applyStep(ALBUM, one, null), other, null))).toBe('dacb')
    expect(urls(applyStep(applyStep(ALBUM, other, null), one, null))).toBe('dacb')
  })
})

it('puts back the last removed picture that isn’t in the album, again if that was refused', () => {
  const removed = ['x', 'y'].map((url) => ({ picture: picture(url) }))
  expect(latestRemoved(removed, ALBUM)?.picture.url).toBe('y')
  expect(latestRemoved(removed, [...ALBUM, picture('y')])?.picture.url).toBe('x')
  expect(latestRemoved(removed, ALBUM)?.picture.url).toBe('y')
  expect(latestRemoved([], ALBUM)).toBeUndefined()
})
