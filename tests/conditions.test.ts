import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Conditions that features share, with their one place. Spelt out, one of them would soon differ from the others. */
const CONDITIONS = [
  {
    name: 'a visible business',
    home: 'app/features/businesses/visible-queries.server.ts',
    spelt:
      /\b(deleted_at)\b[^\n]{0,20}\bnull\b[^;]{0,60}\bhidden_at\b[^\n]{0,20}\bnull\b|\bhidden_at\b[^\n]{0,20}\bis\b[^\n]{0,6}\bnull\b[^;]{0,60}\bdeleted_at\b[^\n]{0,20}\bnull\b/,
  },
  {
    name: 'a booking that was called off',
    home: 'app/features/bookings/open-queries.server.ts',
    spelt:
      /status\b[^\n]{0,12}\bin\b[^\n]{0,6}['"]declined['"], ['"]withdrawn['"]|status\b[^\n]{0,16}\bin\b[^\n]{0,6}['"]pending['"], ['"]approved['"]/,
  },
  {
    name: 'a status that calls off',
    home: 'app/features/bookings/status-rules.ts',
    spelt:
      /=== 'declined' \|\| [^\n]*=== 'withdrawn'|!== 'withdrawn' && [^\n]*!== 'declined'|=== 'pending' \|\| [^\n]*=== 'approved'/,
  },
  {
    name: 'a refund that counts',
    home: 'app/features/payments/queries.server.ts',
    spelt: /state\b[^;\n]{0,8}<>[^;\n]{0,4}'cancelled'[^;]{0,80}is distinct from 'refunded_again'/,
  },
] as const

/** The proof derives everything again, so that it finds what a shared condition gets wrong. */
const PROOF = /comparison-queries\.server\.ts$/

it.each(CONDITIONS)('$name is said in one place', ({ home, spelt }) => {
  const files = globSync('app/**/*.{ts,tsx}').filter(
    (file) => !/\.test\.tsx?$/.test(file) && !PROOF.test(file),
  )
  expect(files.filter((file) => spelt.test(readFileSync(file, 'utf8')))).toEqual([home])
})

it('missing parts of a sale are null, not undefined', () => {
  const files = globSync('app/**/*.{ts,tsx}')
  const spelt = /\bsale\??\.\w+ [!=]== undefined/
  expect(files.filter((file) => spelt.test(readFileSync(file, 'utf8')))).toEqual([])
})

it('the units of time are defined in one place', () => {
  const files = globSync('{app,server,content,tests,bench}/**/*.{ts,tsx}')
  const spelt = /const (SECOND|MINUTE|HOUR|DAY|WEEK)_MS\b|(?<![\w.])86_400_000\b/
  const found = files.filter((file) => spelt.test(readFileSync(file, 'utf8')))
  expect(found.sort()).toEqual(['app/shared/time-units.ts', 'tests/conditions.test.ts'])
})
