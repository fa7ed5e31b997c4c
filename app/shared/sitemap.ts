/** A URL in a sitemap. */
export type SitemapEntry = {
  /** Path and query. */
  path: string
  /** When the page last changed, if known. */
  changedAt?: Date | undefined
}

/** The maximum number of URLs in a sitemap (sitemaps.org, protocol 0.9). */
export const MAX_SITEMAP_ENTRIES = 50_000

const ELEMENTS = {
  index: { list: 'sitemapindex', entry: 'sitemap' },
  pages: { list: 'urlset', entry: 'url' },
} as const

/**
 * A sitemap, or the index of several. A batch is requested only after the previous one was read, so that only one batch
 * at a time is in memory.
 * @param origin the origin of every URL
 * @param batches entries beyond MAX_SITEMAP_ENTRIES are left out
 */
export function sitemapAnswer(
  kind: keyof typeof ELEMENTS,
  origin: string,
  batches: AsyncIterable<readonly SitemapEntry[]>,
): Response {
  const parts = writeSitemap(kind, origin, batches)
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { value, done } = await parts.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await parts.return(undefined)
      },
    },
    // Produce nothing ahead of the client's reads.
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  })
}

async function* writeSitemap(
  kind: keyof typeof ELEMENTS,
  origin: string,
  batches: AsyncIterable<readonly SitemapEntry[]>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined, undefined> {
  const { list, entry } = ELEMENTS[kind]
  const encoder = new TextEncoder()
  let left = MAX_SITEMAP_ENTRIES
  yield encoder.encode(
    `<?xml version="1.0" encoding="UTF-8"?>\n<${list} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`,
  )
  for await (const batch of batches) {
    const entries = batch.slice(0, left).map(({ path, changedAt }) => {
      const changed = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : ''
      return `<${entry}><loc>${escapeXml(new URL(path, origin).href)}</loc>${changed}</${entry}>\n`
    })
    yield encoder.encode(entries.join(''))
    left -= entries.length
    if (left === 0) break
  }
  yield encoder.encode(`</${list}>\n`)
}

const XML_ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => XML_ENTITIES[sign] ?? sign)
}
