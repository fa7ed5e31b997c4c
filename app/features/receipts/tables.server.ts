import type { ColumnType } from 'kysely'

type ReceiptSeriesTable = { seller_user_id: string; last_number: number }

type ReceiptNumbersTable = {
  booking_id: string
  seller_user_id: string
  number: number
  issued_at: ColumnType<Date, Date, never>
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    receipt_series: ReceiptSeriesTable
    receipt_numbers: ReceiptNumbersTable
  }
}
