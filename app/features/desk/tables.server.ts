type DeskSnoozesTable = {
  user_id: string
  kind: string
  /** As `snoozeKey` makes it. */
  row_id: string
  until: Date
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    desk_snoozes: DeskSnoozesTable
  }
}

export {}
