import { href, Link } from 'react-router'
import { formatDate, formatInstant } from '../../../shared/dates.ts'
import { type Cents, formatMoney } from '../../../shared/money.ts'
import { Banner } from '../../../ui/banner.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Tag } from '../../../ui/tag.tsx'
import {
  CORRECTION_NOTE,
  countsText,
  dueText,
  FORMAT_NOTE,
  NO_ACCOUNT_TEXT,
  NO_TRADE,
  NOTHING_MADE,
  reportTitle,
  SAMPLE_TEXT,
  SAMPLE_TITLE,
  TAX_SCREEN_NOTE,
  TAX_SCREEN_TITLE,
} from '../../income-reports/operator-messages.ts'
import { type HalfYear, halfYearLabel, type LeftOut } from '../../income-reports/rules.ts'
import { OperationForm } from '../components/operation-form.tsx'
import { OPERATIONS_ZONE } from '../messages.ts'

/** A vendor of a half-year, without what only the file may say of them. */
export type ReportedVendor = {
  userId: string
  name: string
  grossCents: Cents
  gstCents: Cents
  commissionCents: Cents
  /** 'Reported', or why not. */
  standing: string
  tone: 'success' | 'glow' | 'neutral'
  isIncomplete: boolean
  hasAccount: boolean
  isDeleted: boolean
  flag: LeftOut | null
  /** When they were last asked, ISO 8601; null if never. */
  askedAt: string | null
}

type Props = {
  half: HalfYear
  halves: readonly HalfYear[]
  due: string
  isOver: boolean
  isSample: boolean
  vendors: readonly ReportedVendor[]
  sums: { grossCents: Cents; paidCents: Cents; refundedCents: Cents; gstCents: Cents; commissionCents: Cents }
  counts: { reported: number; leftOut: number; incomplete: number }
  reports: readonly {
    id: string
    version: number
    sellers: number
    file: string
    sha256: string
    madeAt: string
    madeBy: string
    /** When its file was first downloaded before it was noted as lodged. */
    downloadedAt: string | null
    lodgedAt: string | null
    lodgedBy: string | null
    receipt: string | null
  }[]
}

/** The report of vendors' income for one half-year: its sums, what is missing, its files and what was lodged. */
export function TaxScreen(props: Props) {
  const { half, due, isSample } = props
  return (
    <>
      <h1>{TAX_SCREEN_TITLE}</h1>
      <p className="mt-4 max-w-prose text-quiet">{TAX_SCREEN_NOTE}</p>
      <Halves {...props} />
      {isSample ? (
        <div className="mt-8">
          <Banner title={SAMPLE_TITLE}>{SAMPLE_TEXT}</Banner>
        </div>
      ) : null}
      <h2 className="mt-8 text-xl">{halfYearLabel(half)}</h2>
      <p className="mt-1 text-quiet">{dueText(formatDate(due))}</p>
      <div className="mt-6 grid items-start gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <Sums {...props} />
        <Reports {...props} />
      </div>
      <Vendors {...props} />
    </>
  )
}

function Halves({ half, halves }: Props) {
  return (
    <nav aria-label="Half-years" className="mt-6 flex flex-wrap gap-2">
      {halves.map((one) => (
        <Link
          key={one}
          to={`${href('/operations/tax')}?half=${one}`}
          aria-current={one === half ? 'page' : undefined}
          className="tag min-h-11 px-4 text-base aria-[current]:bg-brand aria-[current]:text-on-brand"
        >
          {halfYearLabel(one)}
        </Link>
      ))}
    </nav>
  )
}

function Sums({ half, sums, counts, isSample }: Props) {
  return (
    <section aria-labelledby="sums">
      <h3 id="sums" className="text-lg">
        Sums of all vendors
      </h3>
      <dl className="mt-3 border-t border-line">
        <Row label="Paid by customers" cents={sums.paidCents} />
        <Row label="Refunds" cents={-sums.refundedCents} />
        <Row label="Gross income" cents={sums.grossCents} />
        <Row label="GST in it" cents={sums.gstCents} />
        <Row label="Our commission" cents={sums.commissionCents} />
      </dl>
      <p className="figures mt-3 text-sm text-quiet">{countsText(counts)}</p>
      <p className="mt-3 flex flex-wrap gap-x-6">
        <FileLink file={`preview-${half}.csv`} label="Preview (CSV)" />
        <FileLink file={`preview-${half}.xml`} label={isSample ? 'Sample (XML)' : 'Preview (XML)'} />
      </p>
    </section>
  )
}

function Row({ label, cents }: { label: string; cents: Cents }) {
  return (
    <div className="flex items-baseline justify-between gap-x-6 border-b border-line py-2.5">
      <dt className="min-w-0 text-quiet">{label}</dt>
      <dd className="figures shrink-0 text-right">{formatMoney(cents)}</dd>
    </div>
  )
}

function Reports({ half, reports, isOver, isSample }: Props) {
  const newest = reports.at(-1)
  const isLodged = newest?.lodgedAt != null
  const draft = isLodged ? undefined : newest
  return (
    <section aria-labelledby="reports">
      <h3 id="reports" className="text-lg">
        Reports
      </h3>
      {reports.length === 0 ? <p className="mt-3">{NOTHING_MADE}</p> : null}
      <ul>
        {reports.map((report) => (
          <li key={report.id} className="border-b border-line py-4">
            <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <span className="font-medium">{reportTitle(report.version, report.sellers)}</span>
              <Tag tone={report.lodgedAt ? 'success' : 'neutral'}>
                {report.lodgedAt ? 'Lodged' : 'Not lodged'}
              </Tag>
            </p>
            <p className="figures mt-1 text-sm text-quiet wrap-anywhere">
              Made {timeOf(report.madeAt)} by {report.madeBy}.
              {report.lodgedAt
                ? ` Lodged ${timeOf(report.lodgedAt)} by ${report.lodgedBy}, receipt ${report.receipt}.`
                : ''}
            </p>
            <p className="mt-1 text-sm text-quiet wrap-anywhere">SHA-256: {report.sha256}</p>
            <FileLink file={report.file} label="Download (XML)" />
            {report.lodgedAt ? (
              <OperationForm
                act="correct-income-receipt"
                id={report.id}
                values={{ seen: report.receipt ?? '' }}
                fields={{ receipt: { defaultValue: report.receipt ?? '' } }}
              />
            ) : (
              <OperationForm act="lodge-income-report" id={report.id} />
            )}
          </li>
        ))}
      </ul>
      {isLodged ? <p className="mt-3 max-w-prose text-sm text-quiet">{CORRECTION_NOTE}</p> : null}
      {isOver && !isSample ? (
        <div className="mt-3">
          <OperationForm
            act="make-income-report"
            id={half}
            label={isLodged ? 'Make a correction' : 'Make the report'}
            values={{ seen: draft?.id ?? '' }}
            fields={draft?.downloadedAt ? {} : { before: null }}
          />
        </div>
      ) : null}
      <p className="mt-3 max-w-prose text-sm text-quiet">{FORMAT_NOTE}</p>
    </section>
  )
}

function FileLink({ file, label }: { file: string; label: string }) {
  return (
    <a
      className="link inline-flex min-h-11 items-center gap-2.5"
      href={href('/operations/tax/:file', { file })}
      download
    >
      <Icon name="download" className="size-5" />
      {label}
    </a>
  )
}

function Vendors({ vendors }: Props) {
  if (vendors.length === 0) return <EmptyState text={NO_TRADE} />
  return (
    <section aria-labelledby="vendors" className="mt-10">
      <h3 id="vendors" className="text-lg">
        Vendors
      </h3>
      <ul className="mt-3 border-t border-line">
        {vendors.map((vendor) => (
          <li key={vendor.userId} className="border-b border-line py-4">
            <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
              <p className="min-w-0 wrap-anywhere">
                {vendor.isDeleted ? (
                  <span>{vendor.name} (account deleted)</span>
                ) : (
                  <Link className="link" to={href('/operations/vendors/:id', { id: vendor.userId })}>
                    {vendor.name}
                  </Link>
                )}
              </p>
              <p className="figures">
                {formatMoney(vendor.grossCents)}
                <span className="text-sm text-quiet">
                  , GST {formatMoney(vendor.gstCents)}, commission {formatMoney(vendor.commissionCents)}
                </span>
              </p>
            </div>
            <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 [&>.tag]:whitespace-normal [&>.tag]:rounded-control">
              <Tag tone={vendor.tone}>{vendor.standing}</Tag>
              {vendor.askedAt ? (
                <span className="figures text-sm text-quiet">Asked {timeOf(vendor.askedAt)}</span>
              ) : null}
            </p>
            {vendor.hasAccount ? null : <p className="mt-1 text-sm text-quiet">{NO_ACCOUNT_TEXT}</p>}
            <div className="mt-2 flex flex-wrap items-start gap-x-6">
              {vendor.isIncomplete && !vendor.isDeleted ? (
                <OperationForm act="ask-vendor-details" id={vendor.userId} />
              ) : null}
              <OperationForm
                act="leave-out-vendor"
                id={vendor.userId}
                values={{ seen: vendor.flag ?? '' }}
                fields={{ leftOut: { defaultValue: vendor.flag ?? '' } }}
              />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

const timeOf = (iso: string) => formatInstant(new Date(iso), OPERATIONS_ZONE)
