import { expect, it } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

/** A task that ends when the test resolves it. */
function aTask(log: string[], name: string) {
  const done = Promise.withResolvers<string>()
  const work = async () => {
    log.push(`${name} begins`)
    const result = await done.promise
    log.push(`${name} ends`)
    return result
  }
  return { work, ...done }
}
const soon = () => new Promise((resolve) => setImmediate(resolve))

it('a keyed mutex runs tasks with one key in turn, and tasks with different keys concurrently', async () => {
  const withLock = createKeyedMutex()
  const log: string[] = []
  const [one, two, other] = ['one', 'two', 'other'].map((name) => aTask(log, name))
  if (!one || !two || !other) throw new Error('expected three tasks')
  const all = [withLock('a', one.work), withLock('a', two.work), withLock('b', other.work)]
  await soon()
  expect(log).toEqual(['one begins', 'other begins'])
  other.resolve('O')
  one.resolve('1')
  await soon()
  two.resolve('2')
  expect(await Promise.all(all)).toEqual(['1', '2', 'O'])
  expect(log).toEqual(['one begins', 'other begins', 'other ends', 'one ends', 'two begins', 'two ends'])
})

it('a keyed mutex continues after a failure, which rejects only its own caller', async () => {
  const withLock = createKeyedMutex()
  const failing = withLock('a', () => Promise.reject(new Error('no')))
  const next = withLock('a', async () => 'yes')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
  expect(await withLock('a', async () => 'again')).toBe('again')
})
