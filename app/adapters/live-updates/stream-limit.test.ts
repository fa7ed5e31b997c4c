import { expect, it } from 'vitest'
import { createStreamLimit } from './stream-limit.server.ts'

it('a stream limit closes only the oldest stream of a visitor who opens one too many', () => {
  const limit = createStreamLimit(2)
  const closed: string[] = []
  const open = (visitor: string, name: string) => {
    const release = limit.take(visitor, () => {
      closed.push(name)
      release()
    })
    return release
  }
  open('kim', 'kim 1')
  const releaseSecond = open('kim', 'kim 2')
  open('lee', 'lee 1')
  expect(closed).toEqual([])
  open('kim', 'kim 3')
  expect(closed).toEqual(['kim 1'])
  releaseSecond()
  open('kim', 'kim 4')
  expect(closed).toEqual(['kim 1'])
  open('kim', 'kim 5')
  expect(closed).toEqual(['kim 1', 'kim 3'])
})
