import { describe, expect, it } from 'vitest'
import { snoozeChoices, snoozedUntil, snoozeKey, snoozeUntil } from './snooze-rules.ts'

const timeZone = 'Australia/Melbourne'
// 12:00 in Melbourne, a Friday.
const now = new Date('2026-11-20T01:00:00Z')
const choicesBy = (by: string | null) => snoozeChoices({ by, timeZone }, now)

describe('putting a row off', () => {
  it('brings it back at nine in the morning, by the listing’s clock', () => {
    const back = (zone: string) => snoozeUntil({ timeZone: zone }, 'tomorrow', now).toISOString()
    expect(back(timeZone)).toBe('2026-11-20T22:00:00.000Z')
    expect(back('Australia/Perth')).toBe('2026-11-21T01:00:00.000Z')
  })

  it('offers no time within 24 hours of the deadline', () => {
    // Tomorrow at nine, and a day.
    expect(choicesBy('2026-11-21T21:59:59.999Z')).toEqual([])
    expect(choicesBy('2026-11-21T22:00:00.000Z')).toEqual(['tomorrow'])
    expect(choicesBy('2026-11-23T21:59:59.999Z')).toEqual(['tomorrow'])
    expect(choicesBy('2026-11-23T22:00:00.000Z')).toEqual(['tomorrow', 'three_days'])
    expect(choicesBy('2026-11-27T22:00:00.000Z')).toEqual(['tomorrow', 'three_days', 'week'])
  })

  it('offers nothing for a row that is due now or overdue', () => {
    expect(choicesBy(null)).toEqual([])
    expect(choicesBy('2026-11-20T00:59:00.000Z')).toEqual([])
  })
})

describe('a row that is put off', () => {
  const until = new Date('2026-11-23T22:00:00Z')
  const back = (by: string | null, at: string) =>
    snoozedUntil({ by }, until, new Date(at))?.toISOString() ?? null

  it('returns at its time, and not a moment before', () => {
    const by = '2026-12-01T00:00:00Z'
    expect(back(by, '2026-11-23T21:59:59.999Z')).toBe(until.toISOString())
    expect(back(by, '2026-11-23T22:00:00Z')).toBeNull()
  })

  it('returns 24 hours before a deadline that has come nearer', () => {
    const by = '2026-11-23T12:00:00Z'
    expect(back(by, '2026-11-22T11:59:59.999Z')).toBe('2026-11-22T12:00:00.000Z')
    expect(back(by, '2026-11-22T12:00:00Z')).toBeNull()
    expect(back(null, '2026-11-20T12:00:00Z')).toBeNull()
  })

  it('doesn’t hide the next step of the vendor’s payouts', () => {
    const key = (wait: 'paused' | 'needs_more') => snoozeKey({ kind: 'payouts', id: 'vendor', wait })
    expect(key('paused')).not.toBe(key('needs_more'))
    expect(snoozeKey({ kind: 'request', id: 'b-1', wait: null })).toBe('b-1')
  })
})
