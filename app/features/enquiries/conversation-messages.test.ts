import { describe, expect, it } from 'vitest'
import { fileSizeText, lastMessageText, messageDayText, waitingOf } from './conversation-messages.ts'

const NOW = '2027-03-14T02:00:00.000Z'
const ZONE = 'Australia/Melbourne'

describe('waitingOf', () => {
  it.each([
    ['2027-03-14T01:30:00.000Z', 'in_time', 'Waiting less than an hour'],
    ['2027-03-14T01:00:00.000Z', 'in_time', 'Waiting 1 hour'],
    ['2027-03-13T02:00:00.001Z', 'in_time', 'Waiting 23 hours'],
    ['2027-03-13T02:00:00.000Z', 'late', 'Waiting 24 hours'],
    ['2027-03-11T02:00:00.001Z', 'late', 'Waiting 2 days'],
    ['2027-03-11T02:00:00.000Z', 'very_late', 'Waiting 3 days'],
    // A clock that is behind.
    ['2027-03-14T03:00:00.000Z', 'in_time', 'Waiting less than an hour'],
  ])('since %s is %s: %s', (since, lateness, text) => {
    expect(waitingOf(since, NOW)).toEqual({ lateness, text })
  })
})

describe('the time of a message', () => {
  it.each([
    ['2027-03-13T13:00:00.000Z', 'Today', '12:00 am'],
    ['2027-03-13T12:59:00.000Z', 'Yesterday', 'Yesterday'],
    ['2027-03-12T12:59:00.000Z', 'Friday 12 March 2027', '12 Mar'],
    ['2026-12-31T12:59:00.000Z', 'Thursday 31 December 2026', '31 Dec 2026'],
  ])('at %s is read on the venue’s clock: %s', (at, day, last) => {
    expect(messageDayText(at, NOW, ZONE)).toBe(day)
    expect(lastMessageText(at, NOW, ZONE)).toBe(last)
  })
})

describe('fileSizeText', () => {
  it.each([
    [1, '1 kB'],
    [240_400, '240 kB'],
    [3_140_000, '3.1 MB'],
  ])('writes %d bytes as %s', (bytes, text) => {
    expect(fileSizeText(bytes)).toBe(text)
  })
})
