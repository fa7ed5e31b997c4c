import { expect, it } from 'vitest'
import { MINUTE_MS } from '../../shared/time-units.ts'
import { createLocalLimits } from './memory.server.ts'

it('a local limit allows each address its uses per window, and returns the seconds to wait', () => {
  let at = 10 * MINUTE_MS + 15_000
  const limits = createLocalLimits({ max: 2, windowMs: MINUTE_MS }, () => new Date(at))
  expect([1, 2, 3, 4].map(() => limits.take('one'))).toEqual([0, 0, 45, 45])
  expect([limits.secondsToWait('one'), limits.secondsToWait('other')]).toEqual([45, 0])
  expect(limits.take('other')).toBe(0)
  at = 11 * MINUTE_MS - 1
  expect(limits.take('one')).toBe(1)
  at = 11 * MINUTE_MS
  expect(limits.secondsToWait('one')).toBe(0)
  expect([1, 2, 3].map(() => limits.take('one'))).toEqual([0, 0, 60])
})

it('a full local limit ignores new addresses and keeps counting known ones', () => {
  const limits = createLocalLimits({ max: 1, windowMs: MINUTE_MS }, () => new Date(0))
  for (let index = 0; index < 100_000; index++) limits.take(`address ${index}`)
  expect(limits.take('address 0')).toBe(60)
  expect([limits.take('late'), limits.take('late')]).toEqual([0, 0])
})
