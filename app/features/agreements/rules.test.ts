import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  acceptBy,
  acceptedFileOf,
  DOCUMENTS,
  FORMER_PRIVACY_POLICIES,
  FORMER_VENDOR_AGREEMENTS,
  isPolicyComing,
  isSample,
  PRIVACY_POLICY,
  PUBLISHED_DOCUMENTS,
  readDocument,
} from './rules.ts'

const OPERATOR = { name: 'Long Table Pty Ltd', abn: '51824753556' }

describe('a document', () => {
  it.each([
    ['with a text that says so', 'Sample text, version of 28 November 2026.', OPERATOR, true],
    ['without the operator’s name', 'Version of 1 March 2027.', { ...OPERATOR, name: null }, true],
    ['without the operator’s ABN', 'Version of 1 March 2027.', { ...OPERATOR, abn: null }, true],
    ['with a text, name and ABN of the operator’s own', 'Version of 1 March 2027.', OPERATOR, false],
    ['that mentions samples', 'We send samples. Ask for Sample text by phone.', OPERATOR, false],
  ])('%s is a sample: %s', (_, text, operator, expected) => {
    expect(isSample(`# Title\n\n${text}`, operator)).toBe(expected)
  })

  it('splits into its title, headings, paragraphs and lists', () => {
    expect(readDocument('# Title\n\nOne\nline.\n\n## 1. Part\n\n- a\n- b\n')).toEqual({
      title: 'Title',
      blocks: [
        { kind: 'paragraph', text: 'One line.' },
        { kind: 'heading', text: '1. Part' },
        { kind: 'list', items: ['a', 'b'] },
      ],
    })
  })

  it('contains only Markdown that pages and PDFs understand', () => {
    for (const file of readdirSync('legal')) {
      const { title, blocks } = readDocument(readFileSync(`legal/${file}`, 'utf8'))
      expect(
        PUBLISHED_DOCUMENTS.some((name) => file.startsWith(name)),
        file,
      ).toBe(true)
      const texts = blocks.flatMap((block) => (block.kind === 'list' ? block.items : [block.text]))
      expect([title, ...texts].filter((text) => text === '' || /[*_`#[\]<>|]|^- /.test(text))).toEqual([])
      // The text of each block is its key.
      expect(new Set(texts).size, file).toBe(texts.length)
    }
  })

  it('names its version in its own text', () => {
    const dated = (version: string) =>
      new Intl.DateTimeFormat('en-AU', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(version))
    const textOf = (file: string) => readFileSync(`legal/${file}.md`, 'utf8')
    expect(textOf('vendor-agreement')).toContain(dated(DOCUMENTS.vendor_agreement.version))
    expect(textOf('privacy-policy')).toContain(dated(PRIVACY_POLICY.version))
  })
})

describe('the versions', () => {
  it('run from the newest to the oldest, each once', () => {
    for (const [newest, former] of [
      [DOCUMENTS.vendor_agreement, FORMER_VENDOR_AGREEMENTS],
      [PRIVACY_POLICY, FORMER_PRIVACY_POLICIES],
    ] as const) {
      const versions = [newest, ...former].map(({ version }) => version)
      expect(versions).toEqual(versions.toSorted().toReversed())
      expect(new Set(versions).size).toBe(versions.length)
    }
  })
})

describe('acceptBy', () => {
  it('returns the time 14 days after the vendor was told, and null before', () => {
    expect(acceptBy(null)).toBeNull()
    expect(acceptBy(new Date('2026-11-28T05:00:00Z'))).toEqual(new Date('2026-12-12T05:00:00Z'))
  })
})

describe('the notice of a new privacy policy', () => {
  it.each([
    ['2026-12-09', true],
    ['2026-12-10', false],
    ['2027-01-01', false],
  ])('on %s is shown: %s', (today, expected) => {
    expect(isPolicyComing(today)).toBe(expected)
  })
})

describe('acceptedFileOf', () => {
  it.each([
    ['vendor_agreement', DOCUMENTS.vendor_agreement.version, 'vendor-agreement'],
    ['vendor_agreement', '2026-11-22', 'vendor-agreement-2026-11-22'],
    ['vendor_agreement', '2020-01-01', null],
    ['customer_terms', DOCUMENTS.customer_terms.version, 'terms-of-service'],
    ['customer_terms', '2026-11-01', null],
  ] as const)('turns %s, version %s, into %s', (document, version, file) => {
    expect(acceptedFileOf(document, version)).toBe(file)
  })
})
