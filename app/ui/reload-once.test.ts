import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { claimReload, forgetReload } from './reload-once.ts'

function memoryStorage() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

describe('the reload for a script that can’t be fetched', () => {
  beforeEach(() => vi.stubGlobal('sessionStorage', memoryStorage()))
  afterEach(() => vi.unstubAllGlobals())

  it('happens once for each script, and again only after it was fetched', () => {
    expect(claimReload('/assets/home-1.js')).toBe(true)
    expect(claimReload('/assets/home-1.js')).toBe(false)
    expect(claimReload('/assets/cart-1.js')).toBe(true)
    forgetReload('/assets/home-1.js')
    expect(claimReload('/assets/home-1.js')).toBe(true)
  })

  it('never happens when the browser refuses storage', () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
    expect(claimReload('/assets/home-1.js')).toBe(false)
    expect(() => forgetReload('/assets/home-1.js')).not.toThrow()
  })
})
