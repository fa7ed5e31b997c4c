import { expect, it } from 'vitest'
import { hashText, readSignedList, sameText, signText, writeSignedList } from './signed.ts'

it('signs the same text the same way, and another text or purpose otherwise', async () => {
  const token = await signText('secret', 'booking-link:1')
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(await signText('secret', 'booking-link:1')).toBe(token)
  expect(await signText('secret', 'other:1')).not.toBe(token)
  expect(await signText('other', 'booking-link:1')).not.toBe(token)
  expect(await hashText(token)).not.toBe(token)
})

it('reads back its own cookie and no other', async () => {
  const value = await writeSignedList(['a1', 'b2'], 'mine', 'secret')
  expect(await readSignedList(`x=1; mine=${value}; y=2`, 'mine', 'secret')).toEqual(['a1', 'b2'])
  expect(await readSignedList(`mine=${value.replace('a1', 'a2')}`, 'mine', 'secret')).toEqual([])
  expect(await readSignedList(`mine=${value}`, 'mine', 'another')).toEqual([])
  expect(await readSignedList(`theirs=${value}`, 'theirs', 'secret')).toEqual([])
  expect(await readSignedList('mine=', 'mine', 'secret')).toEqual([])
  expect(await readSignedList(null, 'mine', 'secret')).toEqual([])
})

it('compares texts', () => {
  expect(sameText('abc', 'abc')).toBe(true)
  expect(sameText('abc', 'abd')).toBe(false)
  expect(sameText('abc', 'abcd')).toBe(false)
})
