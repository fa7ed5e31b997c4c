import { href, Link } from 'react-router'
import { formatDate } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { AccountantView } from '../accountant-queries.server.ts'
import {
  COMMISSION_GST_LABEL,
  COMMISSION_LABEL,
  COMMISSION_NOTE,
  documentsOfText,
  moreText,
  SALES_GST_LABEL,
  SALES_LABEL,
  SAMPLE_NOTE,
  TAX_NOTE,
  TAX_TITLE,
  waitingText,
  XERO_BILLS,
  XERO_NOTE,
  XERO_SALES,
  yearTitle,
} from '../block-messages.ts'
import { documentTitle } from '../messages.ts'
import type { QuarterDocuments, VendorTax } from '../queries.server.ts'
import { financialYearOf, quarterLabel, type TaxSums, yearsOf } from '../rules.ts'
import { AccountantForm } from './accountant-form.tsx'
import './tax-block.css'

/** A vendor's sales, GST and commission by quarter and financial year, with their documents. Renders nothing before the first one. */
export function TaxBlock({
  tax: { quarters, waitingCount },
  shown,
  isSample,
  accountant,
  isWholeScreen = false,
}: {
  tax: VendorTax
  /** Whether nothing else is on the screen. */
  isWholeScreen?: boolean
  /** The documents of one quarter; null before the first. */
  shown: QuarterDocuments | null
  isSample: boolean
  accountant: AccountantView | null
}) {
  if (!shown && waitingCount === 0) return null
  const Heading = isWholeScreen ? 'h1' : 'h2'
  return (
    <section aria-labelledby="tax" id="tax-block">
      <Heading id="tax" className={isWholeScreen ? 'text-3xl md:text-4xl' : 'text-lg'}>
        {TAX_TITLE}
      </Heading>
      <p className="mt-2 max-w-prose text-quiet">{TAX_NOTE}</p>
      {isSample ? <p className="mt-2 max-w-prose">{SAMPLE_NOTE}</p> : null}
      {waitingCount > 0 ? <p className="mt-2 max-w-prose">{waitingText(waitingCount)}</p> : null}
      {shown ? (
        <>
          {yearsOf(quarters).map((year) => (
            <Year
              key={year.year}
              year={year}
              quarters={quarters.filter(({ from }) => financialYearOf(from) === year.year)}
            />
          ))}
          <p className="mt-2 text-sm text-quiet">{COMMISSION_NOTE}</p>
          <Documents shown={shown} />
          <AccountantForm accountant={accountant} />
        </>
      ) : null}
    </section>
  )
}

function Year({
  year,
  quarters,
}: {
  year: ReturnType<typeof yearsOf>[number]
  quarters: VendorTax['quarters']
}) {
  return (
    <table className="tax-sums mt-6 text-sm">
      <caption className="text-start font-medium">{yearTitle(year.year)}</caption>
      <thead>
        <tr>
          <th scope="col">Quarter</th>
          {[SALES_LABEL, SALES_GST_LABEL, COMMISSION_LABEL, COMMISSION_GST_LABEL].map((label) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {quarters.map((quarter) => (
          <tr key={quarter.from}>
            <th scope="row">
              <Link
                className="link inline-flex min-h-11 items-center"
                to={`${href('/dashboard/payouts')}?quarter=${quarter.from}#tax-block`}
                preventScrollReset
              >
                {quarterLabel(quarter.from)}
              </Link>
            </th>
            <Amounts sums={quarter} />
          </tr>
        ))}
        <tr data-year>
          <th scope="row">Whole year</th>
          <Amounts sums={year} />
        </tr>
      </tbody>
    </table>
  )
}

function Amounts({ sums }: { sums: TaxSums }) {
  const cells = [
    [SALES_LABEL, sums.salesCents],
    [SALES_GST_LABEL, sums.gstCents],
    [COMMISSION_LABEL, sums.commissionCents],
    [COMMISSION_GST_LABEL, sums.commissionGstCents],
  ] as const
  return cells.map(([label, cents]) => (
    <td key={label} className="figures" data-label={label}>
      {formatMoney(cents)}
    </td>
  ))
}

function Documents({
  shown: { from, documents, hasMore, hasSales, hasCommission },
}: {
  shown: QuarterDocuments
}) {
  return (
    <div className="mt-6">
      <h3 className="text-base">{documentsOfText(quarterLabel(from))}</h3>
      <p className="mt-1 flex flex-wrap gap-x-6">
        {hasSales ? <FileLink file={`xero-sales-${from}.csv`} label={XERO_SALES} /> : null}
        {hasCommission ? <FileLink file={`xero-bills-${from}.csv`} label={XERO_BILLS} /> : null}
      </p>
      <p className="max-w-prose text-sm text-quiet">{XERO_NOTE}</p>
      <ul className="mt-3 border-t border-line">
        {documents.map((document) => (
          <li key={document.number} className="tax-document border-b border-line py-1">
            <a
              className="link inline-flex min-h-11 items-center gap-2.5"
              href={href('/dashboard/payouts/:resource', { resource: `${document.number}.pdf` })}
              target="_blank"
              rel="noreferrer"
            >
              <Icon name="file-text" className="size-5 flex-none" />
              <span>
                {documentTitle(document)} {document.number}
                <span className="unseen">, PDF</span>
              </span>
            </a>
            <span className="figures">{formatMoney(document.cents)}</span>
            <span className="tax-about text-sm text-quiet">
              {document.about}, issued {formatDate(document.issuedOn)}
            </span>
          </li>
        ))}
      </ul>
      {hasMore ? <p className="mt-2 text-sm text-quiet">{moreText(documents.length)}</p> : null}
    </div>
  )
}

function FileLink({ file, label }: { file: string; label: string }) {
  return (
    <a
      className="link inline-flex min-h-11 items-center gap-2.5"
      href={href('/dashboard/payouts/:resource', { resource: file })}
      download
    >
      <Icon name="download" className="size-5" />
      {label}
    </a>
  )
}
