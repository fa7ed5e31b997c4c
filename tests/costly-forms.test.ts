import { describe, expect, it } from 'vitest'
import { costlyForms } from './costly-forms.ts'

const found = (text: string) => costlyForms('a.ts', text).length

describe('costlyForms', () => {
  it.each([
    'for (const x of y) list = [...list, x]',
    'while (x) { list = [...list, x] }',
    'for (const x of y) all = { ...all, [x]: 1 }',
    'for (const x of y) map.set(x, [...(map.get(x) ?? []), x])',
    'for (const x of y) found.list = [...(found.list ?? []), x]',
    'y.forEach((x) => { list = [...list, x] })',
    'y.reduce((all, x) => ({ ...all, [x]: 1 }), {})',
    'y.reduce((all, x) => [...all, x], [])',
    'y.reduce((all, x) => { return [...all, x] }, [])',
    'y.reduce((all, x) => (x ? [...all, x] : all), [])',
  ])('reports a copy for each entry: %s', (text) => expect(found(text)).toBe(1))

  it.each([
    'list = [...list, x]',
    'for (const x of y) list = [...other, x]',
    'for (const x of y) list.push(...x)',
    'for (const x of y) { const all = { ...x, a: 1 } }',
    'y.map((x) => ({ ...x, a: 1 }))',
    'y.reduce((sum, x) => sum + x, 0)',
    'setList((list) => [...list, x])',
  ])('accepts: %s', (text) => expect(found(text)).toBe(0))

  it('reports a compatibility form without a bound', () => {
    expect(found("a.normalize('NFKC')")).toBe(1)
    expect(found('a.normalize(b)')).toBe(1)
    expect(found("a.normalize('NFC')") + found('a.normalize()')).toBe(0)
  })

  it.each(['a.replace(/b/, c)', 'a.replaceAll(b, c.d)', 'a.replace(b, `$${c}`)', "a.replace('b', c + d)"])(
    'reports a text as a replacement: %s',
    (text) => expect(found(text)).toBe(1),
  )

  it.each([
    "a.replace(/b/, '')",
    "a.replace(/(b)/, '$1 c')",
    'a.replace(b, () => c)',
    "a.replace(b, c ? 'd' : 'e')",
    "const MASKED = '•••'\na.replace(b, MASKED)",
    'function mark() {}\na.replace(b, mark)',
    'window.location.replace(address)',
  ])('accepts: %s', (text) => expect(found(text)).toBe(0))
})
