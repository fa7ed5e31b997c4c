import { describe, expect, it } from 'vitest'
import { groupCalls } from './group-calls.ts'

/** Calls whose groups wait until the test ends the first of them. */
function slowGroups() {
  const groups: { items: readonly string[]; end: PromiseWithResolvers<void> }[] = []
  const call = groupCalls<string>((items) => {
    const end = Promise.withResolvers<void>()
    groups.push({ items, end })
    return end.promise
  })
  return { call, groups }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('grouped calls', () => {
  it('join the next group while one is being handled, and resolve with their own', async () => {
    const { call, groups } = slowGroups()
    const done: string[] = []
    const calls = ['a', 'b', 'c'].map((item) => call(item).then(() => done.push(item)))
    expect(groups.map(({ items }) => items)).toEqual([['a']])
    groups[0]?.end.resolve()
    await settled()
    expect(groups.map(({ items }) => items)).toEqual([['a'], ['b', 'c']])
    expect(done).toEqual(['a'])
    groups[1]?.end.resolve()
    await Promise.all(calls)
    expect(done).toEqual(['a', 'b', 'c'])
    void call('d')
    expect(groups.at(-1)?.items).toEqual(['d'])
  })

  it('fail with their group, and no other', async () => {
    const { call, groups } = slowGroups()
    const calls = ['a', 'b', 'c'].map((item) => call(item))
    const results = Promise.allSettled(calls)
    groups[0]?.end.resolve()
    await settled()
    groups[1]?.end.reject(new Error('down'))
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    const next = call('d')
    groups[2]?.end.resolve()
    await next
  })
})
