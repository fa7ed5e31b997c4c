import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SERVICE_IDS } from '../businesses/service-match-rules.ts'
import { previewCsv, readReportFile, reportXml } from './file-rules.ts'
import { reportSchema } from './report-schema.ts'
import {
  activityOf,
  changesSince,
  dueOn,
  grossOf,
  halfYearAt,
  halfYearLabel,
  type Identity,
  type IncomeReport,
  instantsOf,
  isHalfYear,
  isReportable,
  lastDayOf,
  missingOf,
  nextToLodge,
  reasonToLeaveOut,
  reminderOn,
  type Seller,
  sellersOf,
  standingSellers,
  type Trade,
  vendorTrades,
} from './rules.ts'
import { splitName, toReportEmail, toReportPhone, toReportText } from './text-rules.ts'

describe('a half-year', () => {
  it('begins and ends at midnight in Melbourne, in winter and in summer time', () => {
    expect(instantsOf('2026-07-01')).toEqual({
      from: new Date('2026-06-30T14:00:00Z'),
      before: new Date('2026-12-31T13:00:00Z'),
    })
    expect(halfYearAt(new Date('2026-06-30T13:59:59Z'))).toBe('2026-01-01')
    expect(halfYearAt(new Date('2026-06-30T14:00:00Z'))).toBe('2026-07-01')
    expect(halfYearAt(new Date('2026-12-31T12:59:59Z'))).toBe('2026-07-01')
    expect(halfYearAt(new Date('2026-12-31T13:00:00Z'))).toBe('2027-01-01')
  })

  it('falls due on 31 January or 31 July', () => {
    expect([dueOn('2026-07-01'), dueOn('2027-01-01')]).toEqual(['2027-01-31', '2027-07-31'])
    expect([lastDayOf('2026-07-01'), lastDayOf('2027-01-01')]).toEqual(['2026-12-31', '2027-06-30'])
    expect(halfYearLabel('2026-07-01')).toBe('July to December 2026')
    expect(halfYearLabel('2027-01-01')).toBe('January to June 2027')
    expect(nextToLodge('2027-01-31', [])).toBe('2026-07-01')
    expect(nextToLodge('2027-02-01', [])).toBe('2027-01-01')
    expect(nextToLodge('2027-02-01', ['2026-07-01'])).toBe('2026-07-01')
    expect(['2026-07-01', '2027-01-01'].every(isHalfYear)).toBe(true)
    expect(['2026-04-01', '2026-07-02', '1999-07-01', ' 2026-07-01'].some(isHalfYear)).toBe(false)
  })

  it.each([
    ['2026-12-01', null],
    ['2026-12-02', 60],
    ['2026-12-31', 60],
    ['2027-01-01', 30],
    ['2027-01-23', 30],
    ['2027-01-24', 7],
    ['2027-01-31', 7],
    ['2027-02-01', -1],
    ['2027-02-07', -1],
    ['2027-02-08', -8],
    ['2027-07-12', -162],
  ])('brings reminders 60, 30 and 7 days before it is due, and weekly after: %s', (today, daysBefore) => {
    expect(reminderOn('2026-07-01', today)).toBe(daysBefore)
  })
})

describe('the texts of a report', () => {
  it.each([
    ['Zoë Åkesson & Søn', 'Zoe Akesson & Son'],
    ['O’Brien–Smith', "O'Brien-Smith"],
    ['Đặng Thị Ngọc', 'Dang Thi Ngoc'],
    ['Łukasz Groß', 'Lukasz Gross'],
    ['Bloom ✿ <Co> “fine”', 'Bloom Co "fine"'],
    ['  Two\u00A0 spaces\u0007 ', 'Two spaces'],
    ['ＡＢＣ １２', 'ABC 12'],
    ['王', null],
    ['Нина', null],
    ['عائشة', null],
    ['Müller 王', null],
    ['✿✿', null],
    ['', null],
  ])('have only the letters that the Tax Office takes: %s', (text, written) => {
    expect(toReportText(text)).toBe(written)
  })

  it('have an email and a phone number without a plus', () => {
    expect(toReportEmail('nia@example.com')).toBe('nia@example.com')
    expect(toReportEmail('nia+tax@example.com')).toBeNull()
    expect(toReportPhone('+61 400 000 000')).toBe('0400 000 000')
    expect(toReportPhone('+49 170 1')).toBe('0049 170 1')
    expect(toReportPhone('(03) 5550 1234')).toBe('(03) 5550 1234')
  })

  it('have a person’s last word as the family name', () => {
    expect(splitName('Mary Ann Lee')).toEqual({ givenName: 'Mary Ann', familyName: 'Lee' })
    expect(splitName('Nia')).toEqual({ givenName: '', familyName: 'Nia' })
    expect(splitName('✿ Nia - Åberg (♡) .')).toEqual({ givenName: 'Nia', familyName: 'Aberg' })
    expect(splitName('王')).toEqual({ givenName: '', familyName: '' })
  })

  it('have at most 254 letters: a longer name would be cut off', () => {
    expect(toReportText('a'.repeat(254))).toHaveLength(254)
    expect(toReportText('a'.repeat(255))).toBeNull()
  })
})

describe('the activity of a listing', () => {
  it('depends on its category and on whether all that it offers is hire', () => {
    expect(activityOf({ category: 'Venues', services: ['winery'] })).toBe('Fixed location asset')
    expect(activityOf({ category: 'Extras', services: ['hire', 'marquee'] })).toBe('Movable asset')
    expect(activityOf({ category: 'Extras', services: ['hire', 'styling'] })).toBe('Service')
    expect(activityOf({ category: 'Extras', services: [] })).toBe('Service')
    const hired = SERVICE_IDS.filter(
      (id) => activityOf({ category: 'Extras', services: [id] }) === 'Movable asset',
    )
    expect(hired).toEqual(['sound-hire', 'marquee', 'hire', 'toilets', 'lighting'])
  })
})

const NIA: Identity = {
  userId: 'nia',
  kind: 'individual',
  fullName: 'Nia Åberg',
  businessName: 'Harbour <Light> & "Sons"',
  abn: '51824753556',
  birthDate: '1990-02-03',
  address: '1 Sample Street, Melbourne VIC 3000',
  email: 'nia@example.com',
  phone: '+61 400 000 000',
  account: { id: 'acct_1', bankLast4: '3456' },
  leftOut: null,
  askedAt: null,
  isDeleted: false,
}
const aTrade = (given: Partial<Trade> = {}): Trade => ({
  ...{ userId: 'nia', businessId: 'b', businessName: 'Harbour Light', activity: 'Service', property: null },
  ...{
    quarter: '2026-07-01',
    paidCents: 110_000,
    refundedCents: 0,
    gstCents: 10_000,
    commissionCents: 11_000,
  },
  ...{ formerAbn: null, isWaiting: false },
  ...given,
})
const vendorOf = (trades: readonly Trade[], identity = NIA) => {
  const [vendor] = vendorTrades(trades, new Map([[identity.userId, identity]]))
  if (!vendor) throw new Error('no vendor')
  return vendor
}
/** The record of a vendor who has sold with one ABN alone. */
function sellerOf(vendor: ReturnType<typeof vendorOf>, reference: string): Seller {
  const [seller, ...others] = sellersOf(vendor, () => reference)
  if (!seller || others.length > 0) throw new Error('not one record')
  return seller
}
const reportOf = (sellers: readonly Seller[], lodged: readonly IncomeReport[] = []): IncomeReport => ({
  half: '2026-07-01',
  version: lodged.length + 1,
  reporter: { name: 'Jubilee', abn: '51824753556' },
  sellers: changesSince(standingSellers(lodged), sellers, []),
  leftOut: [],
})

describe('a vendor', () => {
  it('enters the report with $999,999.99 in a half-year, and leaves it with $1,000,000.00', () => {
    expect(reasonToLeaveOut(99_999_999, null)).toBeNull()
    expect(reasonToLeaveOut(100_000_000, null)).toBe('substantial')
    expect(reasonToLeaveOut(5, 'government')).toBe('government')
    const quarters = (second: number) =>
      vendorOf([aTrade({ paidCents: 50_000_000 }), aTrade({ quarter: '2026-10-01', paidCents: second })])
    expect(quarters(49_999_999).leftOut).toBeNull()
    expect(quarters(50_000_000).leftOut).toBe('substantial')
    // Refunds lower what was supplied.
    expect(vendorOf([aTrade({ paidCents: 100_000_001, refundedCents: 2 })]).leftOut).toBeNull()
  })

  it('enters no report if all money went back, unless in a later quarter', () => {
    const none = vendorTrades(
      [aTrade({ refundedCents: 110_000, gstCents: 0, commissionCents: 0 })],
      new Map([['nia', NIA]]),
    )
    expect(none).toEqual([])
    const later = vendorOf([
      aTrade(),
      aTrade({
        quarter: '2026-10-01',
        paidCents: 0,
        refundedCents: 110_000,
        gstCents: -10_000,
        commissionCents: -11_000,
      }),
    ])
    expect(grossOf(later.sums)).toBe(0)
    expect(sellerOf(later, 'r').activities[0]?.quarters.map(grossOf)).toEqual([110_000, -110_000])
  })

  it('needs a date of birth and a name in English letters as a person, an ABN as a company, and a street for a venue', () => {
    expect(missingOf(NIA)).toEqual([])
    expect(missingOf({ ...NIA, birthDate: null, fullName: '王', address: null })).toEqual([
      'fullName',
      'birthDate',
      'address',
    ])
    expect(missingOf({ ...NIA, abn: null })).toEqual([])
    // Stored by an earlier version, which checked less.
    expect(sellerOf(vendorOf([aTrade()], { ...NIA, abn: '12345678901' }), 'r').abn).toBeNull()
    expect(missingOf({ ...NIA, kind: 'organisation', abn: null, birthDate: null })).toEqual(['abn'])
    const venue = aTrade({ activity: 'Fixed location asset' })
    expect(vendorOf([venue]).missingProperties).toEqual([{ businessId: 'b', businessName: 'Harbour Light' }])
    expect(vendorOf([{ ...venue, property: '墨尔本' }]).missingProperties).toHaveLength(1)
    expect(vendorOf([{ ...venue, property: '2 Pier Road' }]).missingProperties).toEqual([])
  })
})

/** Names of any script, empty, very long, and with invisible marks. */
const aName = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ minLength: 240, maxLength: 400 }),
  fc.constantFrom(
    'Nia .',
    '- Lee',
    '\u202EeeL\u200F aiN',
    '王 Lee',
    '✿',
    '\u0000',
    '   ',
    'ﷺ'.repeat(40),
    '51 824 753 556',
  ),
)
const anIdentity = fc.record({
  kind: fc.constantFrom('individual' as const, 'organisation' as const),
  fullName: fc.option(aName),
  businessName: fc.option(aName),
  abn: fc.option(fc.oneof(aName, fc.constantFrom('51824753556', '51 824 753 556'))),
  birthDate: fc.option(fc.oneof(aName, fc.constantFrom('1990-02-03', '0001-01-01', '10000-01-01'))),
  address: fc.option(aName),
  email: fc.option(fc.oneof(aName, fc.emailAddress())),
  phone: fc.option(aName),
})

describe('a record of any stored details', () => {
  it('passes the check of a report if nothing is missing, whatever people typed', () => {
    let complete = 0
    fc.assert(
      fc.property(anIdentity, aName, (given, property) => {
        const trade = aTrade({ activity: 'Fixed location asset', property })
        const filled = (name: keyof typeof given, value: string) =>
          missingOf({ ...NIA, ...given }).includes(name as never) ? value : given[name]
        for (const identity of [
          { ...NIA, ...given },
          // The same with all that is missing, so that most records are complete.
          {
            ...{ ...NIA, ...given },
            ...{ fullName: filled('fullName', 'Nia Lee'), businessName: filled('businessName', 'Light') },
            ...{ abn: filled('abn', '51824753556'), birthDate: filled('birthDate', '1990-02-03') },
            ...{ address: filled('address', '1 Sample Street'), email: filled('email', 'nia@example.com') },
            phone: filled('phone', '0400 000 000'),
          },
        ]) {
          const [vendor] = vendorTrades([trade], new Map([['nia', identity]]))
          if (!vendor || !isReportable(vendor)) continue
          complete++
          const report = reportOf(sellersOf(vendor, () => 'r'))
          expect(reportSchema.safeParse(report).error?.issues ?? []).toEqual([])
          expect(reportXml(report, false)).toMatch(/^<\?xml/)
        }
      }),
      { numRuns: 2_000 },
    )
    expect(complete).toBeGreaterThan(200)
  })
})

describe('a vendor who has changed their ABN', () => {
  const former: Identity = { ...NIA, kind: 'organisation', abn: '33102417032', businessName: 'Light Pty Ltd' }
  const trades = [aTrade(), aTrade({ formerAbn: '33102417032', paidCents: 220_000 })]
  const vendor = (of = former) =>
    vendorTrades(trades, new Map([['nia', NIA]]), new Map([['nia 33102417032', of]]))[0] ?? vendorOf(trades)

  it('gets a record for each ABN that they sold with', () => {
    let number = 0
    const sellers = sellersOf(vendor(), () => `r${++number}`)
    expect(
      sellers.map(({ reference, kind, abn, businessName }) => [reference, kind, abn, businessName]),
    ).toEqual([
      ['r1', 'individual', '51824753556', 'Harbour Light & "Sons"'],
      ['r2', 'organisation', '33102417032', 'Light Pty Ltd'],
    ])
    expect(reportSchema.parse(reportOf(sellers)).sellers).toHaveLength(2)
    expect(vendor({ ...former, businessName: '王' }).missing).toEqual(['businessName'])
  })

  it('replaces what was lodged under the same ABN, else their other record', () => {
    const [present, before] = sellersOf(vendor(), () => 'r')
    if (!present || !before) throw new Error('two records')
    const lodged = { ...before, reference: 'lodged' }
    const both = changesSince(new Map([['lodged', lodged]]), [present, before], [])
    expect(both).toMatchObject([{ abn: '51824753556', change: 'new' }])
    // A slip in the ABN that was mended since.
    expect(changesSince(new Map([['lodged', lodged]]), [present], [])).toMatchObject([
      { abn: '51824753556', change: 'amend', replaces: 'lodged' },
    ])
    const standing = standingSellers([reportOf([lodged]), reportOf([present], [reportOf([lodged])])])
    expect([...standing.values()]).toEqual([present])
  })
})

const FILE = `<?xml version="1.0" encoding="UTF-8"?>
<IncomeReport>
  <MessageType>New</MessageType>
  <Version>1</Version>
  <ReportingPeriod>
    <StartDate>2026-07-01</StartDate>
    <EndDate>2026-12-31</EndDate>
  </ReportingPeriod>
  <ReporterPlatform>
    <Name>Jubilee</Name>
    <ABN>51824753556</ABN>
  </ReporterPlatform>
  <Seller>
    <DocumentType>New</DocumentType>
    <Reference>2026-07-01-v1-1</Reference>
    <Individual>
      <GivenName>Nia</GivenName>
      <FamilyName>Aberg</FamilyName>
      <BirthDate>1990-02-03</BirthDate>
      <TradingName>Harbour Light &amp; &quot;Sons&quot;</TradingName>
    </Individual>
    <ABN>51824753556</ABN>
    <Address>1 Sample Street, Melbourne VIC 3000</Address>
    <Email>nia@example.com</Email>
    <Phone>0400 000 000</Phone>
    <FinancialAccount>
      <OnlineAccountIdentifier>acct_1</OnlineAccountIdentifier>
      <BankAccountLastDigits>3456</BankAccountLastDigits>
    </FinancialAccount>
    <Activity>
      <Code>Fixed location asset</Code>
      <PropertyAddress>2 Pier Rd &amp; Co</PropertyAddress>
      <Quarter>
        <StartDate>2026-10-01</StartDate>
        <EndDate>2026-12-31</EndDate>
        <GrossIncome>1100.00</GrossIncome>
        <PaidByBuyers>1100.00</PaidByBuyers>
        <Refunds>0.00</Refunds>
        <GST>100.00</GST>
        <FeesAndCommission>110.00</FeesAndCommission>
      </Quarter>
    </Activity>
    <Activity>
      <Code>Service</Code>
      <Quarter>
        <StartDate>2026-07-01</StartDate>
        <EndDate>2026-09-30</EndDate>
        <GrossIncome>1100.00</GrossIncome>
        <PaidByBuyers>1100.00</PaidByBuyers>
        <Refunds>0.00</Refunds>
        <GST>100.00</GST>
        <FeesAndCommission>110.00</FeesAndCommission>
      </Quarter>
    </Activity>
  </Seller>
</IncomeReport>
`

describe('the file of a report', () => {
  const seller = sellerOf(
    vendorOf([
      aTrade(),
      aTrade({ activity: 'Fixed location asset', property: '2 Pier Rd & Co', quarter: '2026-10-01' }),
    ]),
    '2026-07-01-v1-1',
  )

  it('contains the fields of the guide, escaped, with amounts in dollars', () => {
    const report = reportOf([seller])
    expect(reportSchema.parse(report)).toEqual(report)
    expect(reportXml(report, false)).toBe(FILE)
    expect(reportXml(report, false)).toBe(reportXml(report, false))
    expect(reportXml(report, true)).toContain('<!-- Sample: not for lodging. -->')
  })

  it('says nil without trade', () => {
    const xml = reportXml(reportOf([]), false)
    expect(xml).toContain('<MessageType>Nil</MessageType>')
    expect(xml).not.toContain('<Seller>')
  })

  it('escapes markup and leaves out what XML can’t have', () => {
    const odd = { ...seller, address: 'A & B < C > "D" \'E\' \u0000\u0008\uFFFE\u{1F490}' }
    expect(reportXml(reportOf([odd]), false)).toContain(
      '<Address>A &amp; B &lt; C &gt; &quot;D&quot; &apos;E&apos; \u{1F490}</Address>',
    )
  })

  it('isn’t stored with fields that the Tax Office would refuse', () => {
    const wrong = (change: Partial<Seller>) =>
      reportSchema.safeParse(reportOf([{ ...seller, ...change }])).success
    expect(wrong({})).toBe(true)
    expect(wrong({ address: '王' })).toBe(false)
    expect(wrong({ abn: '51824753557' })).toBe(false)
    expect(wrong({ birthDate: '1990-02-30' })).toBe(false)
    expect(wrong({ birthDate: null })).toBe(false)
    expect(wrong({ familyName: null })).toBe(false)
    expect(wrong({ email: 'a+b@example.com' })).toBe(false)
    expect(wrong({ activities: [] })).toBe(false)
    const [first] = seller.activities
    expect(
      wrong({ activities: first ? [{ ...first, activity: 'Fixed location asset', property: null }] : [] }),
    ).toBe(false)
    const quarters = first?.quarters.map((each) => ({ ...each, gstCents: 11_002 })) ?? []
    expect(wrong({ activities: first ? [{ ...first, quarters }] : [] })).toBe(false)
    expect(wrong({ kind: 'organisation', businessName: null })).toBe(false)
  })

  it('contains only changed records in a correction, each with the record that it replaces', () => {
    const other = sellerOf(vendorOf([aTrade({ userId: 'bo' })], { ...NIA, userId: 'bo' }), '2026-07-01-v1-2')
    const first = reportOf([seller, other])
    expect(
      reportOf(
        [
          { ...seller, reference: 'again' },
          { ...other, reference: 'again' },
        ],
        [first],
      ).sellers,
    ).toEqual([])
    const moved = { ...seller, reference: '2026-07-01-v2-1', phone: '0400 111 111' }
    const third = sellerOf(vendorOf([aTrade({ userId: 'cy' })], { ...NIA, userId: 'cy' }), '2026-07-01-v2-2')
    const second = reportOf([moved, third], [first])
    expect(second.sellers.map(({ userId, change, replaces }) => [userId, change, replaces])).toEqual([
      ['nia', 'amend', '2026-07-01-v1-1'],
      ['cy', 'new', null],
      ['bo', 'cancel', '2026-07-01-v1-2'],
    ])
    expect(reportSchema.parse(second)).toEqual(second)
    expect(reportXml(second, false)).toContain('<MessageType>Amend</MessageType>')
    expect([...standingSellers([first, second]).values()]).toEqual([moved, third])
  })

  it('cancels nobody in a correction because their details are incomplete now', () => {
    const lodged = new Map([['nia', seller]])
    expect(changesSince(lodged, [], [{ userId: 'nia', reason: 'incomplete' }])).toEqual([])
    for (const reason of ['goods', 'substantial'] as const)
      expect(changesSince(lodged, [], [{ userId: 'nia', reason }])).toMatchObject([{ change: 'cancel' }])
    expect(changesSince(lodged, [], [])).toMatchObject([{ change: 'cancel' }])
  })

  it('takes its name from half-year and version', () => {
    expect(readReportFile('income-report-2026-07-01-v2.xml')).toEqual({
      half: '2026-07-01',
      version: 2,
      format: 'xml',
    })
    expect(readReportFile('preview-2027-01-01.csv')).toEqual({
      half: '2027-01-01',
      version: null,
      format: 'csv',
    })
    for (const name of [
      'preview-2026-04-01.csv',
      'income-report-2026-07-01-v0.xml',
      'preview-2026-07-01.pdf',
      '../x',
    ])
      expect(readReportFile(name)).toBeNull()
  })
})

describe('the preview', () => {
  it('lists every vendor with income, reported or not, in numbers that a spreadsheet adds up', () => {
    const big = vendorOf([aTrade({ userId: 'big', paidCents: 100_000_000 })], {
      ...NIA,
      userId: 'big',
      businessName: '=Big',
    })
    const csv = previewCsv([vendorOf([aTrade({ refundedCents: 1 })]), big])
    expect(csv.split('\r\n').slice(1, 3)).toEqual([
      '"Harbour <Light> & ""Sons""",Reported,51824753556,Service,Harbour Light,2026-07-01,1099.99,1100,0.01,100,110',
      '\'=Big,"Left out: $1,000,000 or more",51824753556,Service,Harbour Light,2026-07-01,1000000,1000000,0,100,110',
    ])
  })
})
