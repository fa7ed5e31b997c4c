import { describe, expect, it } from 'vitest'
import { isLinkToken, linkTokenOf, lowestOf, pickCompared } from './rules.ts'

describe('pickCompared', () => {
  it('takes the first four of those asked for, each once, in the order of the list', () => {
    expect(pickCompared(['c', 'a', 'a'], ['a', 'b', 'c'])).toEqual(['a', 'c'])
    expect(pickCompared(['e', 'd', 'c', 'b', 'a'], ['a', 'b', 'c', 'd', 'e'])).toEqual(['a', 'b', 'c', 'd'])
  })

  it('leaves out what is not on the list', () => {
    expect(pickCompared(['x', '', 'a'], ['a'])).toEqual(['a'])
    expect(pickCompared([], ['a'])).toEqual([])
  })
})

describe('lowestOf', () => {
  it.each([
    [[300, 200, null], 1],
    [[200, 200], null],
    [[200, null], null],
    [[], null],
    [[0, 5], 0],
  ])('finds in %j the position %s', (amounts, position) => {
    expect(lowestOf(amounts)).toBe(position)
  })
})

describe('the token of a link', () => {
  it('differs by key and by secret, and has the form that links are checked for', async () => {
    const token = await linkTokenOf('secret', 'key')
    expect(isLinkToken(token)).toBe(true)
    expect(await linkTokenOf('secret', 'other')).not.toBe(token)
    expect(await linkTokenOf('other', 'key')).not.toBe(token)
    expect([`${token}x`, '', 'a b', token.slice(1)].some(isLinkToken)).toBe(false)
  })
})
