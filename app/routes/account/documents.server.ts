import { href } from 'react-router'
import type { Database } from '../../adapters/database/port.ts'
import { acceptedOnText, DOCUMENT_LABELS, policyNoticeText } from '../../features/agreements/messages.ts'
import { listAcceptedVersions } from '../../features/agreements/queries.server.ts'
import { acceptedFileOf, isPolicyComing, PRIVACY_POLICY } from '../../features/agreements/rules.ts'
import { formatDate, wallTimeAt } from '../../shared/dates.ts'

/** The documents name the law of Victoria, which has the clock of Sydney. */
const LEGAL_ZONE = 'Australia/Sydney'

/** Finds which documents an account has accepted, and whether the privacy policy is about to change. */
export async function findDocuments(db: Database, { userId, now }: { userId: string; now: Date }) {
  const rows = await listAcceptedVersions(db, userId)
  const dayOf = (instant: Date) => wallTimeAt(instant, LEGAL_ZONE).date
  return {
    policyNotice: isPolicyComing(dayOf(now)) ? policyNoticeText(formatDate(PRIVACY_POLICY.version)) : null,
    accepted: rows.map(({ document, version, accepted_at }) => {
      const name = document === 'vendor_agreement' ? 'vendor-agreement' : 'terms-of-service'
      const file = acceptedFileOf(document, version)
      return {
        id: `${document}-${version}`,
        label: DOCUMENT_LABELS[name],
        // Null where the text of that version isn't published any more.
        to: file && href('/legal/:document', { document: file }),
        on: acceptedOnText(formatDate(version), formatDate(dayOf(new Date(accepted_at)))),
      }
    }),
  }
}
