import { describe, expect, it } from 'vitest'
import { trimEndWhere } from './trim-end.ts'

describe('trimming the end of a text', () => {
  it('removes only matching characters, and only at the end', () => {
    expect(trimEndWhere('a, b, ,', /[\s,]/)).toBe('a, b')
    expect(trimEndWhere('//a//', /\//)).toBe('//a')
    expect(trimEndWhere(',,,', /,/)).toBe('')
    expect(trimEndWhere('', /,/)).toBe('')
  })
})
