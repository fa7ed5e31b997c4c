import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupBy } from './group-by.ts'
import { parseUrl } from './parse-url.ts'

describe('functions that are newer than the browsers that we support', () => {
  it('group as Map.groupBy does', () => {
    const keyOf = (number: number) => number % 3
    fc.assert(
      fc.property(fc.array(fc.integer()), (numbers) => {
        expect([...groupBy(numbers, keyOf)]).toEqual([...Map.groupBy(numbers, keyOf)])
      }),
    )
  })

  it('parse an address exactly if URL.canParse says that it can be parsed', () => {
    for (const text of ['https://jubilee.example/a?b#c', '/a', '//', 'http://', 'https://a b', ''])
      for (const base of [undefined, 'https://jubilee.example'])
        expect(parseUrl(text, base) !== null, `${text} from ${base}`).toBe(URL.canParse(text, base))
  })
})
