import { expect, it } from 'vitest'
import { lhr } from '../bench/lighthouse-package.ts'

it('reads Lighthouse results whose audits list their findings, name their checks, or have neither', () => {
  const audit = { title: 'An audit', score: 1 }
  const audits = {
    'total-byte-weight': { ...audit, details: { type: 'table', items: [{ url: '/' }] } },
    'document-latency-insight': { ...audit, details: { type: 'checklist', items: { usesCompression: {} } } },
    'script-treemap-data': { ...audit, details: { type: 'treemap-data', nodes: [] } },
    'is-crawlable': audit,
  }

  const read = lhr.safeParse({ categories: {}, audits })

  expect(read.error).toBeUndefined()
  expect(read.data?.audits['total-byte-weight']?.details?.items).toEqual([{ url: '/' }])
})
