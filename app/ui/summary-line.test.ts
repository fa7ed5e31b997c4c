import { describe, expect, it } from 'vitest'
import { summaryLine } from './summary-line.ts'

describe('a line of a form’s error summary', () => {
  it.each([
    ['Description', 'Use at most 1000 characters.', 'Description: use at most 1000 characters.'],
    ['Postal address', 'A name can’t contain a link.', 'Postal address: a name can’t contain a link.'],
    ['Website', 'ABN first.', 'Website: ABN first.'],
    ['How was it?', 'Use at most 2000 characters.', 'How was it? Use at most 2000 characters.'],
  ])('names its field where the message doesn’t: %s', (label, message, line) => {
    expect(summaryLine(label, message)).toBe(line)
  })

  it.each([
    ['Email', 'Enter an email address like name@example.com.'],
    ['Start time', 'Choose a time.'],
    ['Services offered', 'Enter at least one service.'],
    ['ABN', 'Invalid ABN. Please enter a valid ABN.'],
    ['Monday', 'Monday: the times overlap.'],
  ])('stays as it is where the message names the field: %s', (label, message) => {
    expect(summaryLine(label, message)).toBe(message)
  })

  it('names its field where the message fits another one as well', () => {
    const message = 'Invalid phone number format. Please check and try again.'
    expect(summaryLine('Owner phone', message, ['Owner name'])).toBe(message)
    expect(summaryLine('Owner phone', message, ['Owner name', 'Business phone'])).toBe(
      'Owner phone: invalid phone number format. Please check and try again.',
    )
    expect(summaryLine('Name', 'Enter a name.', ['Owner name'])).toBe('Enter a name.')
    const hours = 'Enter a number of hours.'
    expect(summaryLine('Shortest notice (hours)', hours)).toBe(
      'Shortest notice (hours): enter a number of hours.',
    )
  })

  it('stays as it is without a label', () => {
    expect(summaryLine(undefined, 'Use at most 80 characters.')).toBe('Use at most 80 characters.')
    expect(summaryLine(' ', 'Use at most 80 characters.')).toBe('Use at most 80 characters.')
  })
})
