import { expect, it } from 'vitest'
import { hashText, sameText, signText } from './signed.ts'

it('a signature depends on the text, its purpose and the secret', async () => {
  const token = await signText('secret', 'booking-link:1')
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(await signText('secret', 'booking-link:1')).toBe(token)
  expect(await signText('secret', 'other:1')).not.toBe(token)
  expect(await signText('other', 'booking-link:1')).not.toBe(token)
  expect(await hashText(token)).not.toBe(token)
})

it('sameText compares texts', () => {
  expect(sameText('abc', 'abc')).toBe(true)
  expect(sameText('abc', 'abd')).toBe(false)
  expect(sameText('abc', 'abcd')).toBe(false)
})
