import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { listArticles } from './messages.ts'
import { partOf, searchArticles } from './rules.ts'

const ALL = listArticles(true)
const first = (query: string) => searchArticles(ALL, query)[0]?.slug

describe('a search of the help', () => {
  it.each([
    ['refund', 'refunds'],
    ['How do I cancel my booking?', 'withdraw-or-cancel'],
    ['cancelling', 'withdraw-or-cancel'],
    ['card refused', 'payment-problems'],
    ['passkeys', 'keep-your-account-safe'],
    ['two-step login', 'keep-your-account-safe'],
    ['google calendar', 'opening-hours-and-calendars'],
    ['change guests', 'change-a-booking'],
    ['compare', 'shortlist-and-compare'],
    ['saved replies', 'inbox'],
    ['ABN', 'register-your-business'],
    ['when do I get paid', 'payouts'],
    ['deposit', 'deposits-and-balances'],
    ['review', 'reviews'],
    ['chargeback', 'disputed-payments'],
    ['ical', 'opening-hours-and-calendars'],
  ])('finds the article about %j first', (query, slug) => {
    expect(first(query)).toBe(slug)
  })

  it('finds nothing for words that no article has, or that say nothing', () => {
    for (const query of ['xylophone', 'how do I', '…', '\0', '😀', ' '])
      expect(searchArticles(ALL, query)).toEqual([])
  })

  it('leaves words out that no article has', () => {
    expect(first('refund xylophone')).toBe('refunds')
  })
})

describe('the articles', () => {
  it('have addresses of their own, and lead to articles that there are', () => {
    const slugs = ALL.map(({ slug }) => slug)
    expect(new Set(slugs).size).toBe(slugs.length)
    for (const { slug, related } of ALL) {
      expect(slug).toMatch(/^[a-z-]{1,60}$/)
      expect(related.length, slug).toBeGreaterThan(0)
      expect(related, slug).not.toContain(slug)
      for (const other of related) expect(slugs).toContain(other)
    }
  })

  it('exist for every link to one', async () => {
    const slugs = ALL.map(({ slug }) => slug)
    const linked = (await Array.fromAsync(glob('app/**/*.tsx'))).flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/<HelpLink article="([^"]*)"(?: part="([^"]*)")?/g)].map(
        ([, slug, part]) => ({ slug, part }),
      ),
    )
    expect(linked.length).toBeGreaterThan(4)
    expect(linked.filter(({ part }) => part)).not.toEqual([])
    for (const { slug, part } of linked) {
      expect(slugs).toContain(slug)
      const parts = ALL.find((article) => article.slug === slug)?.sections.map(({ heading = '' }) =>
        partOf(heading),
      )
      if (part) expect(parts, slug).toContain(part)
    }
  })

  it('have one heading for each part of an address', () => {
    for (const { slug, sections } of ALL) {
      const parts = sections.flatMap(({ heading }) => (heading ? [partOf(heading)] : []))
      expect(new Set(parts).size, slug).toBe(parts.length)
      for (const part of parts) expect(part).toMatch(/^[a-z0-9-]+$/)
    }
  })

  it('leave payouts out where vendors aren’t paid by us', () => {
    const slugs = listArticles(false).map(({ slug }) => slug)
    expect(slugs).not.toContain('payouts')
    expect(slugs.length).toBe(ALL.length - ALL.filter(({ needsPayouts }) => needsPayouts).length)
  })

  it('tell vendors that only Delete hides a listing, which closes its page until they show it again', () => {
    const article = ALL.find(({ slug }) => slug === 'list-your-business')
    const text = article?.sections
      .find(({ heading }) => heading === 'Delete a listing')
      ?.paragraphs?.join(' ')
    expect(text).toContain('A listing with open bookings can’t be deleted.')
    expect(text).toContain('its page is closed, and the bookings stay valid')
    expect(JSON.stringify(article)).not.toMatch(/Hide a listing|links to it keep working/)
  })

  it('have the times to answer of the settings', () => {
    const hours = (count: number) => count * 3_600_000
    const times = { remindAfterMs: hours(2), declineAfterMs: hours(6), declineBeforeEventMs: hours(1) }
    const articles = listArticles(true, times)
    for (const slug of ['book-and-pay', 'answer-bookings'])
      expect(JSON.stringify(articles.find((article) => article.slug === slug))).toContain(
        '6 hours to answer, or until 1 hour before the event if that is sooner',
      )
    expect(JSON.stringify(articles)).toContain('We remind you after 2 hours.')
  })

  it('name the figures of the rules', () => {
    const text = JSON.stringify(ALL)
    for (const figure of [
      '48 hours',
      '72 hours',
      '10% to 30%',
      '14 to 60 days',
      'everything back until 30 days before the event',
    ])
      expect(text).toContain(figure)
  })
})
