import { expect, it } from 'vitest'
import { signText } from './signed.ts'
import { readSignedList, signedListCookie } from './signed-cookie.server.ts'

it('a signed cookie is read back, and a forged or renamed one is refused', async () => {
  const options = { maxAgeS: 60, isSecure: true }
  const cookie = await signedListCookie(['a1', 'b2'], 'mine', 'secret', options)
  expect(cookie).toMatch(/^__Host-mine=[^;]+; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const sent = cookie.split(';')[0] ?? ''
  const value = sent.slice('__Host-mine='.length)
  const read = (header: string | null, name = 'mine', secret = 'secret') =>
    readSignedList(header, name, secret)
  expect(await read(`x=1; ${sent}; y=2`)).toEqual(['a1', 'b2'])
  expect(await read(`mine=${btoa('["a2"]')}.${value.split('.')[1]}`)).toEqual([])
  expect(await read(sent, 'mine', 'another')).toEqual([])
  expect(await read(`theirs=${value}`, 'theirs')).toEqual([])
  expect(await read('mine=')).toEqual([])
  expect(await read('mine=%')).toEqual([])
  expect(await read(null)).toEqual([])
})

it('a signed cookie in the former format is still read', async () => {
  const value = `a1.b2~${await signText('secret', 'cookie:mine:a1.b2')}`
  expect(await readSignedList(`mine=${value}`, 'mine', 'secret')).toEqual(['a1', 'b2'])
  expect(await readSignedList(`mine=${value.replace('a1', 'a2')}`, 'mine', 'secret')).toEqual([])
  expect(await readSignedList(`mine=${value}`, 'mine', 'another')).toEqual([])
  expect(await readSignedList(`theirs=${value}`, 'theirs', 'secret')).toEqual([])
})
