import { describe, expect, it } from 'vitest'
import {
  considerationOf,
  differenceOf,
  documentNumberText,
  financialYearOf,
  quarterLabel,
  readDocumentFile,
  readXeroFile,
  type TaxDocument,
  treatmentOf,
  withGst,
  yearsOf,
} from './rules.ts'
import { xeroCsv } from './xero-rules.ts'

describe('the GST of differences', () => {
  it('adds up to the GST of what is left, for every price and share', () => {
    for (let priceCents = 1; priceCents < 3_000; priceCents += 7) {
      const first = differenceOf(priceCents, true, { cents: 0, gstCents: 0 })
      const leftCents = Math.round(priceCents / 2)
      const note = differenceOf(leftCents, true, first)
      expect(first.gstCents + note.gstCents).toBe(Math.round(leftCents / 11))
      const last = differenceOf(0, true, { cents: leftCents, gstCents: first.gstCents + note.gstCents })
      expect(first.gstCents + note.gstCents + last.gstCents).toBe(0)
    }
  })

  it('makes $790.91 of $8,700.00, and $395.46 of the cancelled half', () => {
    const invoice = differenceOf(870_000, true, { cents: 0, gstCents: 0 })
    expect(invoice).toEqual({ cents: 870_000, gstCents: 79_091 })
    expect(differenceOf(435_000, true, invoice)).toEqual({ cents: -435_000, gstCents: -39_546 })
  })

  it('stays 0 for a sale without GST', () => {
    expect(differenceOf(870_000, false, { cents: 0, gstCents: 0 }).gstCents).toBe(0)
  })

  it('adds up over the lines of a document', () => {
    const line = (cents: number) => ({ description: '', quantity: 1, unitPriceCents: cents, cents })
    const lines = withGst([line(1_000), line(1_000), line(1_000), line(-500)], true)
    expect(lines.reduce((sum, { gstCents }) => sum + gstCents, 0)).toBe(Math.round(2_500 / 11))
  })
})

describe('treatmentOf', () => {
  const register = { answer: 'no_answer', hasAnswered: false, isAsked: true } as const
  it.each([
    [{ abn: null, claimsGst: true }, register, 'untaxed'],
    [{ abn: '1', claimsGst: true }, { ...register, answer: 'registered' }, 'taxed'],
    [{ abn: '1', claimsGst: false }, { ...register, answer: 'registered' }, 'taxed'],
    [{ abn: '1', claimsGst: true }, { ...register, answer: 'not_registered' }, 'untaxed'],
    [{ abn: '1', claimsGst: true }, register, 'waits'],
    [{ abn: '1', claimsGst: false }, register, 'waits'],
    [{ abn: '1', claimsGst: true }, { ...register, hasAnswered: true }, 'untaxed'],
    [{ abn: '1', claimsGst: true }, { ...register, isAsked: false }, 'waits'],
    [{ abn: '1', claimsGst: false }, { ...register, isAsked: false }, 'untaxed'],
  ] as const)('of %o with %o is %s', (sale, answer, expected) => {
    expect(treatmentOf(sale, answer)).toBe(expected)
  })
})

describe('considerationOf', () => {
  const price = {
    ...{ isApproved: true, priceCents: 870_000, paidCents: 174_000, takenOffCents: 0, refundedCents: 0 },
    ...{ lostCents: 0, agreedKeptCents: null },
  }
  it.each([
    [{}, 870_000],
    [{ takenOffCents: 10_000 }, 860_000],
    [{ refundedCents: 870_000, lostCents: 870_000 }, 0],
    [{ isApproved: false }, 0],
    [{ isApproved: false, agreedKeptCents: 174_000 }, 174_000],
    [{ isApproved: false, agreedKeptCents: 100_000, refundedCents: 74_000 }, 100_000],
    [{ isApproved: false, agreedKeptCents: 100_000, refundedCents: 174_000 }, 0],
  ])('with %o is %d', (given, expected) => {
    expect(considerationOf({ ...price, ...given })).toBe(expected)
  })
})

describe('names of files', () => {
  it.each([
    ['S-000012.pdf', { subject: 'sale', number: 12, format: 'pdf' }],
    ['C-1000000.json', { subject: 'commission', number: 1_000_000, format: 'json' }],
    ['S-0000012.pdf', null],
    ['S-12.pdf', null],
    ['X-000012.pdf', null],
    ['S-000012.pdf/..', null],
  ])('%s is %o', (file, expected) => {
    expect(readDocumentFile(file)).toEqual(expected)
  })

  it.each([
    ['xero-sales-2026-07-01.csv', { subject: 'sale', from: '2026-07-01' }],
    ['xero-bills-2027-01-01.csv', { subject: 'commission', from: '2027-01-01' }],
    ['xero-sales-2026-08-01.csv', null],
    ['xero-sales-0000-07-01.csv', null],
  ])('%s is %o', (file, expected) => {
    expect(readXeroFile(file)).toEqual(expected)
  })

  it('have six digits, and more once they are needed', () => {
    expect([documentNumberText('sale', 1), documentNumberText('commission', 1_234_567)]).toEqual([
      'S-000001',
      'C-1234567',
    ])
  })
})

describe('financial years', () => {
  it('go from July to June', () => {
    expect(['2026-06-30', '2026-07-01', '2027-06-30'].map(financialYearOf)).toEqual([2026, 2027, 2027])
    expect(quarterLabel('2026-07-01')).toBe('July to September 2026')
  })

  it('add up their quarters', () => {
    const quarter = (from: string, cents: number) => ({
      ...{ from, salesCents: cents, gstCents: cents / 10, commissionCents: 1, commissionGstCents: 2 },
    })
    expect(
      yearsOf([quarter('2026-04-01', 10), quarter('2026-07-01', 100), quarter('2027-04-01', 200)]),
    ).toEqual([
      { year: 2027, salesCents: 300, gstCents: 30, commissionCents: 2, commissionGstCents: 4 },
      { year: 2026, salesCents: 10, gstCents: 1, commissionCents: 1, commissionGstCents: 2 },
    ])
  })
})

describe('xeroCsv', () => {
  const invoice: TaxDocument = {
    ...{ subject: 'sale', kind: 'invoice', isTaxed: true, isSample: false, number: 'S-000001' },
    ...{ issuedOn: '2026-11-28', suppliedOn: '2026-11-28', month: null, adjusts: null, lines: [] },
    issuer: { brand: 'Jubilee', name: 'Long Table Pty Ltd', abn: '51824753556' },
    supplier: { name: 'Harbour Light', abn: '53004085616' },
    buyer: { name: '=Kim, Lee', abn: null },
    event: { business: 'Harbour Light Pavilion', date: '2027-03-13', place: 'St Kilda VIC' },
    ...{ cents: 870_000, gstCents: 79_091 },
  }
  const adjusts = { title: 'Tax invoice', number: 'S-000001', issuedOn: '2026-11-28' }

  it('writes the columns of Xero’s template, with notes below 0', () => {
    const note = {
      ...invoice,
      ...{ kind: 'adjustment' as const, number: 'S-000002', buyer: null, cents: -435_050, isTaxed: false },
      adjusts: { ...adjusts, beforeCents: 870_000, afterCents: 434_950 },
    }
    const [header, one, two, end] = xeroCsv([invoice, note]).split('\r\n')
    expect(header).toBe(
      '\uFEFF*ContactName,EmailAddress,POAddressLine1,POAddressLine2,POAddressLine3,POAddressLine4,POCity,PORegion,POPostalCode,POCountry,*InvoiceNumber,Reference,*InvoiceDate,*DueDate,InventoryItemCode,*Description,*Quantity,*UnitAmount,Discount,*AccountCode,*TaxType,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2,Currency,BrandingTheme',
    )
    expect(one).toBe(
      `"'=Kim, Lee",,,,,,,,,,S-000001,,28/11/2026,28/11/2026,,"Harbour Light Pavilion, event on 13/03/2027",1,8700,,200,GST on Income,,,,,AUD,`,
    )
    expect(two).toBe(
      'Jubilee customer,,,,,,,,,,S-000002,S-000001,28/11/2026,28/11/2026,,"Adjustment note to S-000001: Harbour Light Pavilion, event on 13/03/2027",1,-4350.5,,200,BAS Excluded,,,,,AUD,',
    )
    expect(end).toBe('')
  })

  it('writes commission as bills of the operator', () => {
    const bill = {
      ...invoice,
      subject: 'commission' as const,
      number: 'C-000001',
      event: null,
      month: '2026-10',
    }
    expect(xeroCsv([bill])).toContain(
      'Long Table Pty Ltd,,,,,,,,,,C-000001,,28/11/2026,28/11/2026,,Commission for October 2026,1,8700,,429,GST on Expenses',
    )
  })
})
