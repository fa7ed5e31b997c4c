import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { hashPassword, verifyPassword } from './passwords.server.ts'

const CROWD = 12

it('tells the right password from another', async () => {
  const hash = await hashPassword('under the jacaranda')
  expect(await verifyPassword({ hash, password: 'under the jacaranda' })).toBe(true)
  expect(await verifyPassword({ hash, password: 'under the wattle' })).toBe(false)
})

it('a crowd that signs in holds up nobody who needs a signature', async () => {
  let done = 0
  const crowd = Array.from({ length: CROWD }, async () => {
    await hashPassword('under the jacaranda')
    done++
  })
  // All of them have asked for their hash by then.
  await nextTurn()
  // As checking a session's cookie does, with the same threads.
  await crypto.subtle.digest('SHA-256', new Uint8Array(8))
  expect(done).toBeLessThan(CROWD / 2)
  await Promise.all(crowd)
  expect(done).toBe(CROWD)
})
