import type { RouterContextProvider } from 'react-router'
import { isLinkToken } from '../../features/bookings/schema.ts'
import type { PaperReader } from '../../features/receipts/queries.server.ts'
import { findOperatorWith } from '../operations/operator.server.ts'
import { findSession } from '../require-session.server.ts'

/**
 * Finds the reader of a booking's receipt or tax documents, by its unguessable link (Decision 3). Its signed-in vendor and customer use
 * the booking's id in its place, because the link itself permits more than reading. So do operators, who answer disputes.
 * @param text the link's token, or the booking's id
 * @returns null for an id without a session
 */
export async function findPaperReader(
  text: string,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): Promise<PaperReader | null> {
  if (isLinkToken(text)) return { linkToken: text }
  if (await findOperatorWith('see-payments', { request, context }))
    return { bookingId: text, isOperator: true }
  const session = await findSession({ request, context })
  if (!session) return null
  const { uid, email, emailVerified } = session.user
  return { bookingId: text, userId: uid, verifiedEmail: emailVerified ? email : null }
}
