import type { Generated } from 'kysely'

type UploadsTable = {
  key: string
  user_id: string
  width: number
  height: number
  colour: string
  attached_to: string | null
  created_at: Generated<Date>
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    uploads: UploadsTable
  }
}
