/** Begins a file, so that Excel reads it as UTF-8. */
export const CSV_START = '\uFEFF'

/** A cell. A number is no formula, also below 0. */
export type CsvCell = string | number

/** Rows as a whole CSV file (RFC 4180). */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return CSV_START + csvRows(rows)
}

/** Rows of a CSV file. */
export function csvRows(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/**
 * Escapes one cell. People type some of them, so an apostrophe goes before a text that a spreadsheet would run as a
 * formula (OWASP: CSV injection), also in the full-width forms that Excel reads alike.
 */
function cell(text: CsvCell): string {
  if (typeof text === 'number') return String(text)
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
