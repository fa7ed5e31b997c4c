import { describe, expect, it } from 'vitest'
import { MAX_SITEMAP_ENTRIES, type SitemapEntry, sitemapAnswer } from './sitemap.ts'

const ORIGIN = 'https://jubilee.example'

async function* once(entries: readonly SitemapEntry[]) {
  yield entries
}

describe('sitemapAnswer', () => {
  it('returns absolute URLs with the time of their last change', async () => {
    const answer = sitemapAnswer(
      'pages',
      ORIGIN,
      once([{ path: '/', changedAt: new Date('2026-11-20T01:00:00Z') }, { path: '/events' }]),
    )
    expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect(await answer.text()).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://jubilee.example/</loc><lastmod>2026-11-20T01:00:00.000Z</lastmod></url>
<url><loc>https://jubilee.example/events</loc></url>
</urlset>
`,
    )
  })

  it('escapes XML’s special characters', async () => {
    const text = await sitemapAnswer('index', ORIGIN, once([{ path: "/a?b=1&c=<'>" }])).text()
    expect(text).toContain('<sitemap><loc>https://jubilee.example/a?b=1&amp;c=%3C%27%3E</loc></sitemap>')
    expect(text).toContain('</sitemapindex>')
  })

  it('requests a batch only after the previous one was read', async () => {
    let requested = 0
    async function* batches() {
      for (let n = 0; n < 100; n++) {
        requested++
        yield Array.from({ length: 1_000 }, (_, index) => ({ path: `/business/${n}-${index}` }))
      }
    }
    const reader = sitemapAnswer('pages', ORIGIN, batches()).body?.getReader()
    // A client that opens the sitemap without reading it costs nothing.
    expect(requested).toBe(0)
    await reader?.read()
    expect(requested).toBe(0)
    for (let taken = 1; taken <= 5; taken++) {
      await reader?.read()
      expect(requested).toBe(taken)
    }
    await reader?.cancel()
    expect(requested).toBe(5)
  })

  it('stops reading when the client disconnects', async () => {
    let ended = false
    async function* batches() {
      try {
        for (;;) yield [{ path: '/' }]
      } finally {
        ended = true
      }
    }
    const reader = sitemapAnswer('pages', ORIGIN, batches()).body?.getReader()
    await reader?.read()
    await reader?.read()
    await reader?.cancel()
    expect(ended).toBe(true)
  })

  it('ends at the maximum number of entries', async () => {
    async function* batches() {
      for (;;) yield Array.from({ length: 7_001 }, () => ({ path: '/x' }))
    }
    const text = await sitemapAnswer('pages', ORIGIN, batches()).text()
    expect(text.match(/<url>/g)).toHaveLength(MAX_SITEMAP_ENTRIES)
    expect(MAX_SITEMAP_ENTRIES).toBe(50_000)
    expect(text.trimEnd().endsWith('</urlset>')).toBe(true)
  })
})
