import { describe, expect, it } from 'vitest'
import { createBodyBudget } from './body-budget.ts'

describe('a budget of body bytes', () => {
  it('limits one address, then all addresses together', () => {
    const budget = createBodyBudget({ process: 10, address: 6 })
    expect(typeof budget.claim('a', 6)).toBe('function')
    expect(budget.claim('a', 1)).toBe('address')
    expect(typeof budget.claim('b', 4)).toBe('function')
    expect(budget.claim('c', 1)).toBe('process')
  })

  it('gets the bytes of an ended body back once, however often it ends', () => {
    const budget = createBodyBudget({ process: 10, address: 10 })
    const release = budget.claim('a', 6)
    if (typeof release === 'string') throw new Error(release)
    expect(budget.claim('b', 5)).toBe('process')
    release()
    release()
    expect(typeof budget.claim('a', 10)).toBe('function')
    expect(budget.claim('b', 1)).toBe('process')
  })
})
