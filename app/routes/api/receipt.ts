import { isLinkToken } from '../../features/bookings/schema.ts'
import { findReceipt } from '../../features/receipts/queries.server.ts'
import { drawReceipt } from '../../features/receipts/receipt-pdf.server.ts'
import { receiptNumberText } from '../../features/receipts/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { findOperatorWith } from '../operations/operator.server.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/receipt'

/**
 * A booking's receipt as a PDF, by its unguessable link (Decision 3). The signed-in vendor and customer use the
 * booking's id in its place, because the link itself permits more than reading. So do operators, who answer disputes.
 */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext)
  const receipt = isLinkToken(params.linkToken)
    ? await findReceipt(db, { linkToken: params.linkToken })
    : await findOwnReceipt()
  if (!receipt) return new Response('There is no such receipt.', { status: 404 })
  const pdf = await drawReceipt(receipt, { brand: config.brand, host: config.publicUrl.host })
  return new Response(pdf as Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="receipt-${receiptNumberText(receipt.number)}.pdf"`,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    },
  })

  async function findOwnReceipt() {
    if (await findOperatorWith('see-payments', { request, context }))
      return findReceipt(db, { bookingId: params.linkToken, isOperator: true })
    const session = await findSession({ request, context })
    if (!session) return null
    const { uid, email, emailVerified } = session.user
    return findReceipt(db, {
      bookingId: params.linkToken,
      userId: uid,
      verifiedEmail: emailVerified ? email : null,
    })
  }
}
