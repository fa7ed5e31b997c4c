import { describe, expect, it } from 'vitest'
import { normalForm } from './normal-form.ts'

describe('the normal form of a text', () => {
  it('replaces full-width letters by plain ones, and splits accents from theirs', () => {
    expect(normalForm('Ｋｉｍ ㌖', 'NFKC')).toBe('Kim キロメートル')
    expect(normalForm('é', 'NFKD')).toBe('e\u0301')
  })

  it('keeps all of a message, at whatever length it becomes', () => {
    expect(normalForm('ﷺ'.repeat(5000), 'NFKC')).toHaveLength(90_000)
  })

  it('ends after 100,000 characters, before and after it grows', () => {
    expect(normalForm('a'.repeat(1_000_000), 'NFKC')).toHaveLength(100_000)
    expect(normalForm('ﷺ'.repeat(1_000_000), 'NFKD')).toHaveLength(100_000)
  })
})
