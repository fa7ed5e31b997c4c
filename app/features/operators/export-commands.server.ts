import type { Database } from '../../adapters/database/port.ts'
import { CSV_START, csvRows } from '../../shared/csv.ts'
import { isMonth } from '../payouts/statement-rules.ts'
import { listAccounts } from './account-queries.server.ts'
import { listBookings } from './booking-queries.server.ts'
import { listDisputesByAge } from './dispute-queries.server.ts'
import { listJournal } from './ledger-queries.server.ts'
import {
  ACCOUNT_COLUMNS,
  BOOKING_COLUMNS,
  CUT_OFF,
  cellsOf,
  DISPUTE_COLUMNS,
  headOf,
  JOURNAL_COLUMNS,
  LISTING_COLUMNS,
  PAYMENT_COLUMNS,
} from './list-csv-rules.ts'
import { listListings } from './listing-queries.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { listPayments } from './payment-queries.server.ts'
import { EXPORT_LIMIT, type ExportedList } from './rules.ts'
import {
  accountFilterSchema,
  bookingFilterSchema,
  disputeFilterSchema,
  listingFilterSchema,
  paymentFilterSchema,
} from './schema.ts'

/** Rows that stand in memory at once. */
const STRETCH = 1_000

/** The download of a list, with the filter of its screen. */
export type ExportRequest = {
  list: ExportedList
  /** The screen's `show`; of the ledger a month. */
  show: string
  words: string
  /** The screen's checkbox: disabled accounts, hidden listings. */
  only: boolean
}

type Deps = { db: Database; now: () => Date; adminEmails: ReadonlySet<string> }
type Range = { before: string | null; limit: number }
type Stretch = { cells: string[][]; last: string | null }

/**
 * Downloads one of the operators' lists as CSV, and logs that before the first row is sent.
 * @param input.limit rows at most; a file that is cut off says so in its last row
 * @returns the file in stretches, each read from the database only when the one before has been sent
 */
export async function exportList(
  deps: Deps,
  input: ExportRequest & { operator: Operator; limit?: number },
): Promise<AsyncGenerator<string>> {
  await logAction(deps.db, {
    operator: input.operator,
    action: 'export-list',
    subject: { kind: 'list', id: input.list, label: labelOf(input) },
    at: deps.now(),
  })
  return writeFile(sourceOf(deps, input), input.limit ?? EXPORT_LIMIT)
}

function labelOf({ list, show, words, only }: ExportRequest): string {
  const filter = [show === 'all' ? '' : show, only ? 'only' : '', words && `‘${words}’`].filter(Boolean)
  return [list, ...filter].join(', ')
}

type Source = { head: string[]; read: (range: Range) => Promise<Stretch> }

async function* writeFile({ head, read }: Source, limit: number): AsyncGenerator<string> {
  yield CSV_START + csvRows([head])
  let before: string | null = null
  for (let left = limit; left > 0; left -= STRETCH) {
    const size = Math.min(STRETCH, left)
    // One more, to know whether the file is cut off.
    const { cells, last }: Stretch = await read({ before, limit: size + 1 })
    yield csvRows(cells.slice(0, size))
    if (cells.length <= size) return
    before = last
  }
  yield csvRows([[CUT_OFF]])
}

function sourceOf({ db, now: clock, adminEmails }: Deps, { list, show, words, only }: ExportRequest): Source {
  const now = clock()
  switch (list) {
    case 'payments': {
      const filter = paymentFilterSchema.parse(show)
      return source(PAYMENT_COLUMNS, (range) =>
        listPayments(db, { filter: filter === 'unpaid' ? 'all' : filter, words, now, ...range }),
      )
    }
    case 'bookings':
      return source(BOOKING_COLUMNS, (range) =>
        listBookings(db, { filter: bookingFilterSchema.parse(show), words, now, ...range }),
      )
    case 'disputes':
      return source(DISPUTE_COLUMNS, (range) =>
        listDisputesByAge(db, { show: disputeFilterSchema.parse(show), ...range }),
      )
    case 'ledger':
      return source(JOURNAL_COLUMNS, (range) =>
        listJournal(db, { month: isMonth(show) ? show : null, ...range }),
      )
    case 'accounts':
      return source(ACCOUNT_COLUMNS, (range) =>
        listAccounts(db, {
          filter: accountFilterSchema.parse(show),
          words,
          disabled: only,
          now,
          adminEmails,
          ...range,
        }),
      )
    case 'listings':
      return source(LISTING_COLUMNS, (range) =>
        listListings(db, { filter: listingFilterSchema.parse(show), words, hidden: only, now, ...range }),
      )
  }
}

function source<Row extends { cursor: string }>(
  columns: Parameters<typeof headOf<Row>>[0],
  list: (range: Range) => Promise<Row[]>,
): Source {
  return {
    head: headOf(columns),
    async read(range) {
      const rows = await list(range)
      // The last of the stretch: the row after it is only looked at.
      const last = rows.at(range.limit - 2)?.cursor ?? null
      return { cells: rows.map((row) => cellsOf(columns, row)), last }
    },
  }
}
