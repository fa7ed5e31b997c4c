import { describe, expect, it } from 'vitest'
import { degreeOf, patternsIn, problemOf } from './linear-patterns.ts'

const found = (text: string) => patternsIn('a.ts', text).map(({ pattern }) => pattern)

describe('patternsIn', () => {
  it('finds literals and constructors, with their flags and lines', () => {
    expect(patternsIn('a.ts', 'const a = 1\nconst b = /a\\/b+$/gu\n')).toEqual([
      { line: 2, pattern: { source: 'a\\/b+$', flags: 'gu' }, bound: null },
    ])
    expect(found("const a = new RegExp('a+$', 'i')")).toEqual([{ source: 'a+$', flags: 'i' }])
    expect(found('const a = RegExp(`a+`)')).toEqual([{ source: 'a+', flags: '' }])
    expect(patternsIn('a.tsx', 'const a = <p title={String(/b/.test(c))} />')).toHaveLength(1)
  })

  it('marks patterns that are put together, but not those made of another one', () => {
    expect(found('const a = new RegExp(`${'.concat('b}+$`)'))).toEqual([null])
    expect(found("const a = new RegExp(b, 'g')")).toEqual([null])
    expect(found("const a = new RegExp(b.source, 'g')")).toEqual([])
  })

  it('finds no pattern in a text, a comment or a division', () => {
    expect(found("const a = '/a+$/'\n// /a+$/\nconst b = c / d / e")).toEqual([])
  })

  it('reads the limit above a statement or an entry of a list, but no other one', () => {
    const bound = { name: 'MAX_NAME', file: 'app/a/limits.ts' }
    const bounds = (text: string) => patternsIn('a.ts', text).map((one) => one.bound)
    expect(bounds('/** Bounded by MAX_NAME. */\nconst a = /a/')).toEqual([null])
    expect(
      bounds('// A name, bounded by MAX_NAME in\n// app/a/limits.ts.\nconst a = /a/\nconst b = /b/'),
    ).toEqual([bound, null])
    expect(bounds('const a = [\n  // bounded by MAX_NAME in app/a/limits.ts\n  /a/,\n  /b/,\n]')).toEqual([
      bound,
      null,
    ])
    expect(
      bounds(
        '/** Every pattern here is bounded by MAX_NAME in app/a/limits.ts. */\nconst a = /a/\nconst b = /b/',
      ),
    ).toEqual([bound, bound])
  })
})

describe('the complexity of a pattern', () => {
  it('must be computable, and linear where the text has no limit', () => {
    expect(problemOf(1, null)).toBeNull()
    expect(problemOf(null, null)).toContain('can’t be analysed')
    expect(problemOf(2, null)).toContain('power of 2')
    expect(problemOf(Number.POSITIVE_INFINITY, 20)).toContain('exponential')
  })

  it('may be more than linear within 30 million steps', () => {
    expect(problemOf(2, 5000)).toBeNull()
    expect(problemOf(2, 6000)).toContain('too much for 6000 characters')
    expect(problemOf(3, 300)).toBeNull()
    expect(problemOf(4, 300)).toContain('too much')
  })

  it('comes from the detector', () => {
    expect(degreeOf({ status: 'safe' } as never)).toBe(1)
    expect(degreeOf({ status: 'unknown' } as never)).toBeNull()
    expect(degreeOf({ status: 'vulnerable', complexity: { type: 'polynomial', degree: 3 } } as never)).toBe(3)
    expect(degreeOf({ status: 'vulnerable', complexity: { type: 'exponential' } } as never)).toBe(Infinity)
  })
})
