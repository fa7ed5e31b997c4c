import type { ColumnType, Generated } from 'kysely'
import type { LocalDate } from '../../shared/dates.ts'
import type { RegisterFacts, RegisterProblem } from './register-rules.ts'
import type { BusinessStructure } from './rules.ts'

type BusinessRegistrationsTable = {
  id: string
  user_id: string
  business_name: string
  abn: string
  acn: Generated<string>
  business_structure: BusinessStructure
  industry_type: string
  gst_registered: Generated<boolean>
  principal_address: string
  postal_address: Generated<string>
  business_phone: string
  business_email: string
  website: Generated<string>
  owner_name: string
  owner_dob: string
  owner_phone: string
  owner_email: string
  logo_url: string | null
  business_description: Generated<string>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  /** The Australian Business Register's objection; null without one, and before its first answer. */
  register_problem: Generated<RegisterProblem | null>
}

type RegisterAnswersTable = {
  id: Generated<string>
  abn: string
  status: RegisterFacts['status']
  /** Read as text by to_char. */
  status_since: LocalDate | null
  entity_name: string
  entity_type: string
  /** Written as JSON. */
  business_names: ColumnType<string[], string, string>
  gst_since: LocalDate | null
  state: string
  first_at: Date
  last_at: Date
}

/** A trigger adds the row of a registration, and moves `ask_at` to '-infinity' when its ABN or its GST has changed. */
type RegisterChecksTable = {
  registration_id: string
  ask_at: Date
  failures: Generated<number>
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    business_registrations: BusinessRegistrationsTable
    register_answers: RegisterAnswersTable
    register_checks: RegisterChecksTable
  }
}
