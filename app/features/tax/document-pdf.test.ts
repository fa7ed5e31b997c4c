import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readActualTexts, readPdfText } from '../../../tests/pdf-text.ts'
import { drawTaxDocument } from './document-pdf.server.ts'
import type { TaxDocument } from './rules.ts'

const INVOICE: TaxDocument = {
  subject: 'sale',
  kind: 'invoice',
  isTaxed: true,
  isSample: false,
  number: 'S-000001',
  issuedOn: '2026-11-28',
  suppliedOn: '2026-11-28',
  issuer: { brand: 'Jubilee', name: 'Jubilee', abn: '51824753556' },
  supplier: { name: 'Harbour Light Pty Ltd', abn: '53004085616' },
  buyer: { name: 'Kim Lee', abn: null },
  event: { business: 'Harbour Light Pavilion', date: '2027-03-13', place: 'St Kilda VIC' },
  month: null,
  adjusts: null,
  lines: [
    {
      description: 'Harbour Light Pavilion, per person',
      quantity: 60,
      unitPriceCents: 14_500,
      cents: 870_000,
      gstCents: 79_091,
    },
  ],
  cents: 870_000,
  gstCents: 79_091,
}
const NOTE: TaxDocument = {
  ...INVOICE,
  kind: 'adjustment',
  number: 'S-000002',
  issuedOn: '2026-12-04',
  suppliedOn: '2026-12-03',
  adjusts: {
    title: 'Tax invoice',
    number: 'S-000001',
    issuedOn: '2026-11-28',
    beforeCents: 870_000,
    afterCents: 435_000,
  },
  lines: [
    {
      description: 'Decrease of the price',
      quantity: 1,
      unitPriceCents: -435_000,
      cents: -435_000,
      gstCents: -39_546,
    },
  ],
  cents: -435_000,
  gstCents: -39_546,
}
const HASH = 'ab'.repeat(32)

describe('the text of a document', () => {
  it('names what a tax invoice of $1,000.00 or more needs, and who issues it for whom', async () => {
    const text = await readPdfText(await drawTaxDocument(INVOICE, HASH))
    for (const words of [
      'Tax invoice',
      'No. S-000001',
      'Harbour Light Pty Ltd',
      'ABN 53 004 085 616',
      'Issued by Jubilee, ABN 51 824 753 556, as agent for Harbour Light Pty Ltd.',
      '28 November 2026',
      'Kim Lee',
      'Harbour Light Pavilion, per person',
      '60 × $145.00',
      '$8,700.00',
      'GST included: $790.91. This is a taxable supply in full',
      HASH,
    ])
      expect(text).toContain(words)
    expect(text).not.toContain('Sample')
    expect(text).not.toContain('No GST has been charged')
  })

  it('names its invoice, the price before and after, and the GST of the difference, on a note', async () => {
    const text = await readPdfText(await drawTaxDocument(NOTE, HASH))
    expect(text).toContain('Adjustment note')
    expect(text.replaceAll('\n', ' ')).toContain(
      'Adjusts tax invoice S-000001 of 28 November 2026: $8,700.00 becomes $4,350.00.',
    )
    expect(text).toContain('–$395.46')
    expect(text).toContain('3 December 2026')
  })

  it('says that no GST has been charged, and names no tax', async () => {
    const invoice = { ...INVOICE, isTaxed: false, gstCents: 0, lines: [{ ...INVOICE.lines[0], gstCents: 0 }] }
    const text = await readPdfText(await drawTaxDocument(invoice as TaxDocument, HASH))
    expect(text).toContain('No GST has been charged.')
    expect(text).not.toMatch(/tax invoice/i)
    expect(text).not.toContain('$0.00')
  })

  it('begins with ‘Sample’ while the operator has no name or ABN', async () => {
    const text = await readPdfText(await drawTaxDocument({ ...INVOICE, isSample: true }, HASH))
    expect(text).toMatch(/^Sample\. Not a valid document/)
  })

  it('draws every script', async () => {
    const lines = [{ ...INVOICE.lines[0], description: 'خيمة الزفاف' }] as TaxDocument['lines']
    const pdf = await drawTaxDocument({ ...INVOICE, buyer: { name: '李金', abn: null }, lines }, HASH)
    expect(readActualTexts(pdf)).toContain('خيمة الزفاف')
    expect(await readPdfText(pdf)).toContain('李金')
    expect(await readPdfText(pdf)).not.toContain('□')
  })
})

/** Poppler's tools, where this machine has them. */
const hasPoppler = spawnSync('pdfinfo', ['-v']).status === 0

describe.runIf(hasPoppler)('the file of a document', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'jubilee-tax-pdf-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const inspects = async (document: TaxDocument, ...options: string[]) => {
    const path = join(folder, `${document.number}.pdf`)
    writeFileSync(path, await drawTaxDocument(document, HASH))
    return spawnSync('pdfinfo', [...options, path], { encoding: 'utf8' }).stdout
  }

  it('carries tags and a title on one A4 page', async () => {
    const info = await inspects(INVOICE)
    expect(info).toMatch(/^Title: +Tax invoice S-000001$/m)
    expect(info).toMatch(/^Tagged: +yes$/m)
    expect(info).toMatch(/^Pages: +1$/m)
    expect(info).toMatch(/^Page size: .*A4/m)
  })

  it('gives a screen reader a heading, paragraphs and a table', async () => {
    const structure = await inspects(NOTE, '-struct-text')
    expect(structure).toMatch(/H1[\s\S]*Adjustment note/)
    expect(structure).toMatch(/Table[\s\S]*TR[\s\S]*TH[\s\S]*Description/)
    expect(structure).toMatch(/TD[\s\S]*Decrease of the price/)
  })

  it('keeps words apart for a screen reader where a line breaks', async () => {
    const pdf = Buffer.from(await drawTaxDocument(NOTE, HASH)).toString('latin1')
    expect(pdf).toContain('/ActualText (Harbour Light Pavilion, Saturday 13 March 2027, St Kilda VIC)')
  })

  it('takes one page for a month’s commission of ten bookings', async () => {
    const description = 'Commission: Okafor & Daughters Photography, Nadia Underwood, 13 October 2026'
    const line = { description, quantity: 1, unitPriceCents: 16_000, cents: 16_000, gstCents: 1_455 }
    const lines = Array.from({ length: 10 }, () => line)
    const info = await inspects({ ...INVOICE, event: null, month: '2026-10', lines, cents: 160_000 })
    expect(info).toMatch(/^Pages: +1$/m)
  })

  it('takes as many pages as its lines need', async () => {
    const lines = Array.from({ length: 80 }, (_, index) => ({
      ...{ description: `Line ${index + 1}`, quantity: 1, unitPriceCents: 100, cents: 100, gstCents: 9 },
    }))
    const info = await inspects({ ...INVOICE, lines, cents: 8_000, gstCents: 727 })
    expect(Number(/^Pages: +(\d+)$/m.exec(info)?.[1])).toBeGreaterThan(2)
  })
})
