import { isLinkToken } from '../../features/bookings/schema.ts'
import { type DocumentReader, findSaleDocument } from '../../features/tax/queries.server.ts'
import { readDocumentFile } from '../../features/tax/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { findOperatorWith } from '../operations/operator.server.ts'
import { findSession } from '../require-session.server.ts'
import { sendTaxDocument } from '../send-tax-document.server.ts'
import type { Route } from './+types/tax-document'

/**
 * A booking's invoice or note as a PDF or as JSON, by its unguessable link (Decision 3). The signed-in vendor and customer use the
 * booking's id in its place, and so do operators, as for its receipt.
 */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext)
  const file = readDocumentFile(params.file)
  const reader = file && (await findReader())
  const document = reader && (await findSaleDocument(db, reader, file.number))
  if (!document || file.subject !== 'sale') return new Response('There is no such document.', { status: 404 })
  return sendTaxDocument(document, file.format)

  async function findReader(): Promise<DocumentReader | null> {
    const bookingId = params.linkToken
    if (isLinkToken(bookingId)) return { linkToken: bookingId }
    if (await findOperatorWith('see-payments', { request, context })) return { bookingId, isOperator: true }
    const session = await findSession({ request, context })
    if (!session) return null
    const { uid, email, emailVerified } = session.user
    return { bookingId, userId: uid, verifiedEmail: emailVerified ? email : null }
  }
}
