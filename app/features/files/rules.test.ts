import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyOfUrl, uploadUrl } from './commands.server.ts'
import { isUploadKey, readUploadVariant, readVariant, safeName, sniffImageType, uploadKey } from './rules.ts'

const at = 1_700_000_000_000
const query = (text: string) => new URLSearchParams(text)

describe('readVariant', () => {
  it('reads served widths and formats, with a default for each kind of picture', () => {
    expect(readVariant(query('w=640&f=webp'))).toEqual({ width: 640, format: 'webp' })
    expect(readVariant(query(''))).toEqual({ width: 1280, format: 'jpeg' })
    expect(readUploadVariant('businessLogos/1_a.png', query(''))).toEqual({ width: 320, format: 'webp' })
    expect(readUploadVariant('businessImages/a_1_0', query('f=avif'))).toEqual({
      width: 1280,
      format: 'avif',
    })
  })

  it.each(['w=641', 'w=', 'w=1e9', 'w=-320', 'f=svg', 'f=', 'w=640&f=WEBP'])('refuses %s', (text) => {
    expect(readVariant(query(text))).toBeNull()
  })
})

describe('uploadKey', () => {
  it('follows the format of the specification', () => {
    expect(uploadKey('logo', { businessName: '', fileName: 'my logo.png', index: 0, at })).toBe(
      `businessLogos/${at}_my_logo.png`,
    )
    expect(uploadKey('listing', { businessName: 'Tide House & Co', fileName: 'x.jpg', index: 2, at })).toBe(
      `businessImages/Tide_House_Co_${at}_2`,
    )
  })

  it('uses the file’s name while the business has none', () => {
    expect(uploadKey('listing', { businessName: '  ', fileName: 'a b.jpg', index: 0, at })).toBe(
      `businessImages/a_b_jpg_${at}_0`,
    )
  })

  it.each([
    '../../etc/passwd',
    '..\\..\\boot.ini',
    'a\0b.jpg',
    `${'x'.repeat(300)}.jpg`,
    '🎉🎉.png',
    '....',
    '/',
    '',
    'CON',
    '.htaccess',
    'a.svg/../b.html',
    "'; drop table uploads; --",
    '<img src=x>.jpg',
    'ça été.jpg',
  ])('returns a safe key for the name %j', (name) => {
    for (const kind of ['logo', 'listing'] as const) {
      const key = uploadKey(kind, { businessName: name, fileName: name, index: 0, at })
      expect(isUploadKey(key)).toBe(true)
      expect(key.split('/')).toHaveLength(2)
    }
  })

  it('returns a safe key for every possible name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        expect(safeName(name)).toMatch(/^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9-])?$/)
        const key = uploadKey('logo', { businessName: name, fileName: name, index: 0, at })
        expect(keyOfUrl(uploadUrl(key))).toBe(key)
      }),
    )
  })
})

describe('keyOfUrl', () => {
  it.each([
    '/illustrations/x/y',
    '/files/',
    '/files/other/a',
    '/files/businessImages/../secret',
    '/files/businessImages/a/b',
    'https://evil.example/files/businessImages/a',
    '/files/businessImages/a?w=640',
    '/files/variants/businessImages/a/640.webp',
  ])('finds no key in %s', (url) => expect(keyOfUrl(url)).toBeNull())
})

describe('sniffImageType', () => {
  const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

  it('detects the type by the first bytes', () => {
    expect(sniffImageType(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]))).toBe('jpeg')
    expect(sniffImageType(bytes('\x89PNG\r\n\x1a\n'))).toBe('png')
    expect(sniffImageType(bytes('GIF89a'))).toBe('gif')
    expect(sniffImageType(bytes('RIFF....WEBP'))).toBe('webp')
    expect(sniffImageType(bytes('....ftypavif'))).toBe('avif')
  })

  it.each([
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '%PDF-1.7',
    'II*\0',
    'BM',
    '',
    'RIFF....WAVE',
    '....ftypheic',
  ])('detects no type in %j', (text) => expect(sniffImageType(bytes(text))).toBeNull())
})
