import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { normalForm } from '../app/shared/normal-form.ts'
import { patternsIn } from './linear-patterns.ts'
import { stepCounter } from './pattern-steps.ts'

/** Units that make patterns try again: what they consist of, and what nearly is their end. */
const UNITS = [
  ...[
    'a',
    'A',
    '0',
    ' ',
    '\t',
    '\n',
    '.',
    ',',
    '-',
    '_',
    '/',
    '\\',
    '@',
    '+',
    '=',
    '"',
    '(',
    '[',
    '<',
    '>',
    '$',
    '%',
  ],
  ...[
    'a.',
    'a@',
    'a ',
    '0 ',
    '> a\n',
    '\n\n',
    '>\n',
    '--',
    'www.',
    'http://',
    '+1',
    '(0',
    '0:',
    'ﷺ',
    '㌖',
    '👰',
    'é',
    '،',
  ],
]
const LENGTH = 400
/** Twice the length takes twice the steps, or four times as many if they grow with its square. */
const MAX_GROWTH = 3

const folders = ['app/features', 'app/shared', 'app/adapters/calendars', 'app/adapters/inbound-mail']
const patterns = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .flatMap((file) =>
      patternsIn(file, readFileSync(`${folder}/${file}`, 'utf8')).flatMap(({ line, pattern, bound }) =>
        pattern && !bound ? [{ ...pattern, place: `${folder}/${file}:${line}` }] : [],
      ),
    ),
)

/** A text of a unit, after NFKC, which begins and ends differently so that no pattern matches the whole. */
const textOf = (unit: string, length: number) =>
  `x${normalForm(unit.repeat(length), 'NFKC').slice(0, length)}\u0000`

/** The units with which the steps of a pattern grow faster than the length. */
function growing({ source, flags }: { source: string; flags: string }): string[] {
  const count = stepCounter(source, flags)
  return UNITS.filter(
    (unit) => count(textOf(unit, 2 * LENGTH)) > MAX_GROWTH * count(textOf(unit, LENGTH)) + 100,
  )
}

describe('the counted steps', () => {
  it('grow with the length of a linear pattern, and with its square otherwise', () => {
    const steps = (source: string, length: number) => stepCounter(source, '')(`${'a'.repeat(length)}b`)
    expect(steps('^a+$', 200) / steps('^a+$', 100)).toBeLessThan(2.1)
    expect(steps('a+$', 200) / steps('a+$', 100)).toBeGreaterThan(3.5)
    expect(growing({ source: '\\s+$', flags: '' })).toEqual(expect.arrayContaining([' ', '\t', '\n']))
    expect(growing({ source: '[\\p{L}\\p{N}._%+-]+@[\\p{L}]+', flags: 'gu' })).toEqual(
      expect.arrayContaining(['a', '㌖']),
    )
    expect(growing({ source: '^\\s+', flags: '' })).toEqual([])
  })

  it('count all matches of a global pattern, each of which may look ahead to the end', () => {
    expect(growing({ source: 'a(?=[^b]*\\u0000)', flags: 'g' })).toContain('a')
  })

  it.each([
    ['(a|b)*c', '', 'ababc'],
    ['(?<!x)\\bfoo(?=bar)', 'i', 'foobar'],
    ['(\\w)\\1{2,}?$', 'u', 'aaa'],
  ])('are few where %s matches', (source, flags, text) => {
    expect(new RegExp(source, flags).test(text)).toBe(true)
    expect(stepCounter(source, flags)(text)).toBeLessThan(40)
  })
})

describe('the patterns of people’s texts', () => {
  it('grow no faster than the text, for each of forty adversarial units', { timeout: 120_000 }, () => {
    expect(patterns.length).toBeGreaterThan(150)
    const found = patterns.flatMap((pattern) =>
      growing(pattern).map((unit) => `${pattern.place} /${pattern.source}/ ${JSON.stringify(unit)}`),
    )
    expect(found).toEqual([])
  })
})
