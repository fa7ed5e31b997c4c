import type { Generated } from 'kysely'
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
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    business_registrations: BusinessRegistrationsTable
  }
}
