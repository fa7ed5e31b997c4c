import type { AgreementDocument } from './rules.ts'

type AcceptancesTable = {
  id: string
  /** null for a guest, whose payment names them. */
  user_id: string | null
  document: AgreementDocument
  version: string
  sha256: string
  /** The payment that a customer began with these terms; null for vendors. */
  payment_id: string | null
  accepted_at: Date
}

type AgreementNoticesTable = {
  user_id: string
  version: string
  told_at: Date
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    acceptances: AcceptancesTable
    agreement_notices: AgreementNoticesTable
  }
}
