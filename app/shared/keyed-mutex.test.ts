import { expect, it } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

/** Work that is over when it is told. */
function somethingToDo(log: string[], name: string) {
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

it('works on one thing one after the other, on another beside it', async () => {
  const inTurn = createKeyedMutex()
  const log: string[] = []
  const [one, two, other] = ['one', 'two', 'other'].map((name) => somethingToDo(log, name))
  if (!one || !two || !other) throw new Error('three were asked for')
  const all = [inTurn('a', one.work), inTurn('a', two.work), inTurn('b', other.work)]
  await soon()
  expect(log).toEqual(['one begins', 'other begins'])
  other.resolve('O')
  one.resolve('1')
  await soon()
  two.resolve('2')
  expect(await Promise.all(all)).toEqual(['1', '2', 'O'])
  expect(log).toEqual(['one begins', 'other begins', 'other ends', 'one ends', 'two begins', 'two ends'])
})

it('goes on after a failure, which only its own caller hears of', async () => {
  const inTurn = createKeyedMutex()
  const failing = inTurn('a', () => Promise.reject(new Error('no')))
  const next = inTurn('a', async () => 'yes')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
  expect(await inTurn('a', async () => 'again')).toBe('again')
})
