import { describe, expect, it } from 'vitest'
import { intlTexts, textFunctions } from './intl-texts.ts'

const found = (text: string, file = 'app/a.tsx') => intlTexts(file, text, new Set(['formatMoney'])).length > 0

describe('intlTexts', () => {
  it.each([
    'const [year, month] = days.format(at).match(/\\d+/g) ?? []',
    "const [year] = days.format(at).split('/')",
    'const year = days.format(at).slice(0, 4)',
    'const year = days.format(at)[3]',
    'const [first] = days.format(at)',
    'const all = [...days.format(at)]',
    'const shown = days.format(at)\nconst year = shown.slice(0, 4)',
    'const [, year] = /(\\d{4})/.exec(days.format(at)) ?? []',
    'const at = Date.parse(days.format(at))',
    'const day = Number(days.format(at))',
    'const isToday = days.format(at) === days.format(now)',
    'const isEarlier = days.format(at) < today',
    "const price = formatMoney(cents).replace(/\\.00$/, '')",
    "const size = count.toLocaleString('en-AU').split(',')",
    "const day = new Intl.DateTimeFormat('en-CA').format(at)",
    "const day = at.toLocaleDateString('en-AU')",
    "const text = new Date(at).toLocaleString('en-AU')",
    "const text = at.toLocaleString('en-AU', { timeZone: zone })",
  ])('reports: %s', (text) => expect(found(text)).toBe(true))

  it.each([
    'for (const { type, value } of days.formatToParts(at)) shown[type] = value',
    `const text = \`\${count.toLocaleString('en-AU')} guests\``,
    `const text = formatMoney(cents)\nreturn \`\${text} a guest\``,
    'const text = formatMoney(cents).length > 9 ? 1 : 2',
    'const zone = Intl.DateTimeFormat().resolvedOptions().timeZone',
    'const parts = text.split(",")',
    '// days.format(at).slice(0, 4)',
  ])('accepts: %s', (text) => expect(found(text)).toBe(false))

  it('accepts formatters of dates in tests and in shared/dates.ts', () => {
    const text = "const days = new Intl.DateTimeFormat('en-CA')"
    expect(['app/shared/dates.ts', 'app/a.test.ts', 'tests/a.ts'].some((file) => found(text, file))).toBe(
      false,
    )
  })

  it('reports the line', () => {
    expect(intlTexts('app/a.ts', 'const a = 1\nconst b = days.format(at)[0]\n', new Set())).toEqual([2])
  })
})

describe('textFunctions', () => {
  it('finds the functions that return a text of Intl', () => {
    const text = `
      export function formatMoney(cents) { return dollars.format(cents / 100) }
      export function shortMoney(cents) { if (cents % 100 === 0) return whole.format(cents) ; return '' }
      const guests = (count) => (count === 1 ? 'one' : count.toLocaleString('en-AU'))
      function upTo(cents) { return \`up to \${dollars.format(cents)}\` }
      function parts(at) { return days.formatToParts(at) }`
    expect(textFunctions('app/a.ts', text)).toEqual(['formatMoney', 'shortMoney', 'guests'])
  })
})
