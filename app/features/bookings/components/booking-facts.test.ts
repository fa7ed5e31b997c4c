import { expect, it } from 'vitest'
import { withDots } from './booking-facts.tsx'

it('withDots lets a line break only after a dot, or within a long name', () => {
  const breaks = (parts: (string | null)[]) => withDots(parts).split(' ')
  expect(breaks(['Mornington, VIC', '35 people', '$1,575.00'])).toEqual([
    'Mornington,\u00a0VIC\u00a0·',
    '35\u00a0people\u00a0·',
    '$1,575.00',
  ])
  expect(breaks(['6 hours', null, 'Okafor & Daughters Photography'])).toEqual([
    '6\u00a0hours\u00a0·',
    'Okafor',
    '&',
    'Daughters',
    'Photography',
  ])
})
