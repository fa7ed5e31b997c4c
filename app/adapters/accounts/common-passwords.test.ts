import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { newId } from '../../shared/ids.ts'
import { openCommonPasswords } from './common-passwords.server.ts'

const FILE = 'database/common-passwords.bin'
const common = openCommonPasswords(FILE)

describe('the list of common passwords', () => {
  it.each(['123456', 'password', 'qwerty', 'iloveyou', 'celebrate', 'sunshine1', 'trustno1'])(
    'contains %s, also in capitals',
    (password) => {
      expect(common.has(password)).toBe(true)
      expect(common.has(password.toUpperCase())).toBe(true)
    },
  )

  it('recognises full-width digits as plain ones', () => {
    expect(common.has('１２３４５６')).toBe(true)
  })

  it.each(['', 'under the jacaranda', 'a second password', '🎉🎉🎉🎉🎉🎉'])(
    'doesn’t contain %j',
    (password) => {
      expect(common.has(password)).toBe(false)
    },
  )

  it('contains no random password', () => {
    const random = Array.from({ length: 20_000 }, () => newId(16))
    expect(random.filter((password) => common.has(password))).toEqual([])
  })

  it('contains at least 100,000 entries', () => {
    const { size } = statSync(FILE)
    expect(size % 5).toBe(0)
    expect(size / 5).toBeGreaterThanOrEqual(100_000)
  })
})
