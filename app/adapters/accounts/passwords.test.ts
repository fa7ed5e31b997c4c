import { scryptSync } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { slowPasswords } from './passwords.server.ts'

const CROWD = 12
/** scrypt parameters that cost 32 MB and a tenth of a second per guess. */
const COST = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 }

it('slow passwords verify the right password and refuse another', async () => {
  const hash = await slowPasswords.hash('under the jacaranda')
  expect(await slowPasswords.verify({ hash, password: 'under the jacaranda' })).toBe(true)
  expect(await slowPasswords.verify({ hash, password: 'under the wattle' })).toBe(false)
})

it('a stored hash is slow to compute and has its own salt', async () => {
  const [first, second] = [
    await slowPasswords.hash('under the jacaranda'),
    await slowPasswords.hash('under the jacaranda'),
  ]
  expect(first).not.toBe(second)
  const [salt = '', key] = first.split(':')
  expect(salt).toMatch(/^[0-9a-f]{32}$/)
  expect(scryptSync('under the jacaranda', salt, 64, COST).toString('hex')).toBe(key)
})

it('a crowd that signs in doesn’t delay the check of a signature', async () => {
  let done = 0
  const crowd = Array.from({ length: CROWD }, async () => {
    await slowPasswords.hash('under the jacaranda')
    done++
  })
  // By then every one of them has requested its hash.
  await nextTurn()
  // Checking a session cookie uses the same threads.
  await crypto.subtle.digest('SHA-256', new Uint8Array(8))
  expect(done).toBeLessThan(CROWD / 2)
  await Promise.all(crowd)
  expect(done).toBe(CROWD)
})
