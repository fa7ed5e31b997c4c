import { expect, it } from 'vitest'
import { limitConcurrency, QueueFull } from './concurrency-limit.ts'

const soon = () => new Promise((resolve) => setImmediate(resolve))

it('runs so many at once, and the others in the order in which they came, whatever becomes of each', async () => {
  const atOnce = limitConcurrency(2)
  const begun: number[] = []
  const works = [0, 1, 2, 3].map(() => Promise.withResolvers<string>())
  const all = works.map((work, index) =>
    atOnce(() => {
      begun.push(index)
      return work.promise
    }),
  )
  await soon()
  expect(begun).toEqual([0, 1])
  works[1]?.reject(new Error('mine alone'))
  await expect(all[1]).rejects.toThrow('mine alone')
  await soon()
  expect(begun).toEqual([0, 1, 2])
  works[0]?.resolve('0')
  works[2]?.resolve('2')
  await soon()
  expect(begun).toEqual([0, 1, 2, 3])
  works[3]?.resolve('3')
  expect(await Promise.all([all[0], all[2], all[3]])).toEqual(['0', '2', '3'])
  expect(await atOnce(async () => 'free again')).toBe('free again')
})

it('refuses whoever would be one too many to wait, and takes the next once there is room', async () => {
  const atOnce = limitConcurrency(1, 1)
  const first = Promise.withResolvers<void>()
  const running = atOnce(() => first.promise)
  const waiting = atOnce(async () => 'had to wait')
  await expect(atOnce(async () => 'never')).rejects.toThrow(QueueFull)
  first.resolve()
  await running
  expect(await waiting).toBe('had to wait')
  expect(await atOnce(async () => 'room again')).toBe('room again')
})
