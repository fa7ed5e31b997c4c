type WriteChecksTable = {
  /** There is one row. */
  id: boolean
  written_at: Date
}

declare module './port.ts' {
  interface Tables {
    write_checks: WriteChecksTable
  }
}

export {}
