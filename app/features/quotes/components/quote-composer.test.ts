import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { describe, expect, it } from 'vitest'
import type { ComposerAnswer, ComposerStart } from '../schema.ts'
import { QuoteComposer } from './quote-composer.tsx'

const start: ComposerStart = {
  version: 1,
  isReplacing: false,
  lines: [{ label: '', quantity: '1', unitPrice: '', optional: false }],
  note: '',
  date: '2027-03-13',
  time: '16:00',
  end: '21:00',
  bookingType: 'perPerson',
  guests: '110',
  policy: 'moderate',
  plan: 'full',
  depositPercent: '20',
  balanceDays: '30',
  validTo: '2026-11-30',
  holdHours: '0',
  today: '2026-11-23',
  timeZone: 'Australia/Melbourne',
  usualMinutes: 300,
  units: ['perPerson'],
  prices: {
    perPerson: { label: 'The Walled Garden, per person', unitPrice: '115.00' },
    perHour: { label: 'The Walled Garden, per hour', unitPrice: '' },
  },
}

/** The composer as its page begins, without scripts. */
function rendered(overrides: Partial<ComposerStart>, answer?: ComposerAnswer): string {
  const props = {
    start: { ...start, ...overrides },
    answer,
    backTo: '/dashboard/inbox/1',
    customerName: 'Kim',
  }
  const Stub = createRoutesStub([{ path: '/', Component: () => createElement(QuoteComposer, props) }])
  return renderToStaticMarkup(createElement(Stub))
}

/** The value of the input of a name; undefined without one. */
function inputValue(html: string, name: string): string | undefined {
  const input = [...html.matchAll(/<input [^>]*>/g)].find(([tag]) => tag.includes(` name="${name}"`))
  return input && /value="([^"]*)"/.exec(input[0])?.[1]
}

describe('a line that follows', () => {
  const line = { label: 'The Walled Garden', quantity: '11', unitPrice: '115', optional: false }

  it('takes its quantity from the event’s guests or hours', () => {
    const html = rendered({ lines: [{ ...line, follows: 'perPerson' }] })
    expect(inputValue(html, 'lines[0].quantity')).toBe('110')
    expect(inputValue(html, 'lines[0].follows')).toBe('perPerson')
    expect(html).toContain('$12,650.00')
    expect(inputValue(rendered({ lines: [{ ...line, follows: 'perHour' }] }), 'lines[0].quantity')).toBe('5')
  })

  it('keeps its quantity once another was typed, and where nothing is counted', () => {
    const html = rendered({ lines: [line] })
    expect(inputValue(html, 'lines[0].quantity')).toBe('11')
    expect(inputValue(html, 'lines[0].follows')).toBeUndefined()
    const uncounted = rendered({ lines: [{ ...line, follows: 'perPerson' }], guests: '' })
    expect(inputValue(uncounted, 'lines[0].quantity')).toBe('11')
  })
})

describe('the unit of a quote', () => {
  it.each([
    ['a listing with one unit', ['perPerson'], 'perPerson', false],
    ['a listing with two', ['perPerson', 'perHour'], 'perPerson', true],
    ['an earlier quote’s unit that isn’t offered any more', ['perHour'], 'perPerson', true],
  ] as const)('is asked by what its listing offers: %s', (_, units, bookingType, isAsked) => {
    const html = rendered({ units: [...units], bookingType })
    expect(/<select [^>]*name="bookingType"/.test(html)).toBe(isAsked)
    if (isAsked) expect(html).toContain('<option value="perPerson" selected="">')
    else expect(inputValue(html, 'bookingType')).toBe(bookingType)
  })
})
