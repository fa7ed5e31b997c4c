import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { agreeTerms, DEFAULT_PLAN, daysBeforeStart, type EventStart } from '../rules.ts'
import { type LineStop, timelineBefore, timelineOf } from '../timeline-rules.ts'
import { TermsTimeline } from './terms-timeline.tsx'

const EVENT: EventStart = { date: '2028-10-21', time: '16:00', timeZone: 'Australia/Melbourne' }
const NOW = new Date('2026-11-23T01:30:00Z')

const TERMS = agreeTerms({
  listing: { policy: 'moderate', plan: DEFAULT_PLAN },
  priceCents: 870_000,
  event: EVENT,
  releasedAt: daysBeforeStart(EVENT, -3),
  now: NOW,
  holdLimitMs: null,
})

/** The rows of the table as text, cell by cell, which is all that a screen reader has. */
function rowsOf(line: readonly LineStop[], isPaid = false): string[][] {
  const html = renderToStaticMarkup(createElement(TermsTimeline, { line, timeZone: EVENT.timeZone, isPaid }))
  return [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) =>
      cell
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ),
  )
}

describe('the timeline’s table', () => {
  it('names a column for the time, and one for what is due and what cancelling costs', () => {
    expect(rowsOf(timelineBefore(TERMS, EVENT, NOW))).toEqual([
      ['When', 'What is due, and what cancelling costs'],
      ['Today 23 Nov 2026', 'Pay $1,740.00 Cancelling is free until Thursday 21 September 2028, 4:00 pm'],
      ['21 Sep 2028 9:00 am', '$6,960.00 by the same card'],
      ['21 Sep 2028 4:00 pm', 'Cancelling costs $4,350.00: you get $4,350.00 back'],
      ['14 Oct 2028 4:00 pm', 'Cancelling costs $8,700.00: you get nothing back'],
      ['21 Oct 2028 4:00 pm', 'Your event'],
    ])
  })

  it('carries a caption, and each row has its time as its header', () => {
    const html = renderToStaticMarkup(
      createElement(TermsTimeline, {
        line: timelineBefore(TERMS, EVENT, NOW),
        timeZone: EVENT.timeZone,
        isPaid: false,
      }),
    )
    expect(html).toContain('<caption class="unseen">Payments and cancelling</caption>')
    expect(html.match(/<th scope="row"/g)).toHaveLength(5)
    expect(html).toContain('<time dateTime="2028-10-21T05:00:00.000Z">')
  })

  it('says today, what was paid and what is overdue in words', () => {
    const line = timelineOf({
      terms: { event: EVENT, paidAt: NOW, tiers: TERMS.policy.tiers },
      payments: [
        { cents: 174_000, at: NOW, state: 'paid' },
        { cents: 696_000, at: new Date('2028-09-20T23:00:00Z'), state: 'overdue' },
      ],
      now: daysBeforeStart(EVENT, 25),
    })
    expect(rowsOf(line, true).slice(1, 4)).toEqual([
      ['23 Nov 2026 12:30 pm', '$1,740.00 paid'],
      ['21 Sep 2028 9:00 am', '$6,960.00 overdue'],
      ['Today 26 Sep 2028', 'Cancelling costs $1,740.00: you get nothing back'],
    ])
  })
})
