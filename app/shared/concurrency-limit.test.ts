import { expect, it } from 'vitest'
import { limitConcurrency, QueueFull } from './concurrency-limit.ts'

const soon = () => new Promise((resolve) => setImmediate(resolve))

it('runs tasks up to the limit and the rest in FIFO order, even after a failure', async () => {
  const limited = limitConcurrency(2)
  const begun: number[] = []
  const works = [0, 1, 2, 3].map(() => Promise.withResolvers<string>())
  const all = works.map((work, index) =>
    limited(() => {
      begun.push(index)
      return work.promise
    }),
  )
  await soon()
  expect(begun).toEqual([0, 1])
  works[1]?.reject(new Error('failed'))
  await expect(all[1]).rejects.toThrow('failed')
  await soon()
  expect(begun).toEqual([0, 1, 2])
  works[0]?.resolve('0')
  works[2]?.resolve('2')
  await soon()
  expect(begun).toEqual([0, 1, 2, 3])
  works[3]?.resolve('3')
  expect(await Promise.all([all[0], all[2], all[3]])).toEqual(['0', '2', '3'])
  expect(await limited(async () => 'free again')).toBe('free again')
})

it('refuses a task when the queue is full, and accepts one again when there is room', async () => {
  const limited = limitConcurrency(1, 1)
  const first = Promise.withResolvers<void>()
  const running = limited(() => first.promise)
  const waiting = limited(async () => 'had to wait')
  await expect(limited(async () => 'never')).rejects.toThrow(QueueFull)
  first.resolve()
  await running
  expect(await waiting).toBe('had to wait')
  expect(await limited(async () => 'room again')).toBe('room again')
})

it('takes turns between queues, so that a long one holds up no other', async () => {
  const limited = limitConcurrency(1, 4)
  const first = Promise.withResolvers<void>()
  const begun: string[] = []
  const begin = (name: string, queue: string) => limited(async () => void begun.push(name), queue)
  const running = limited(() => first.promise)
  const all = [
    ...['a1', 'a2', 'a3', 'a4'].map((name) => begin(name, 'a')),
    ...['b1', 'b2'].map((name) => begin(name, 'b')),
  ]
  await expect(begin('a5', 'a')).rejects.toThrow(QueueFull)
  first.resolve()
  await Promise.all([running, ...all])
  expect(begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4'])
})

it('gives a place in the full queues to a task whose own queue is short, instead of the last of the longest', async () => {
  const limited = limitConcurrency(1, 9, 3)
  const first = Promise.withResolvers<void>()
  const begun: string[] = []
  const begin = (name: string, queue: string) => limited(async () => void begun.push(name), queue)
  const running = limited(() => first.promise)
  const kept = ['a1', 'a2'].map((name) => begin(name, 'a'))
  const last = begin('a3', 'a')
  const other = begin('b1', 'b')
  await expect(last).rejects.toThrow(QueueFull)
  // Now the queues are equal, so nobody has to make room.
  await expect(begin('a4', 'a')).rejects.toThrow(QueueFull)
  await expect(begin('b2', 'b')).rejects.toThrow(QueueFull)
  first.resolve()
  await Promise.all([running, ...kept, other])
  expect(begun).toEqual(['a1', 'b1', 'a2'])
})
