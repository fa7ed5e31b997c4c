import { QUIET_PARAMETER } from '../features/enquiries/conversation-messages.ts'
import { isConnectionFailure } from '../ui/connection.ts'

/**
 * Runs the server's action. Marking messages as read may fail in silence: the person pressed nothing, and the next opening
 * marks them again.
 */
export async function sendUnlessQuiet<Answer>(
  url: URL,
  serverAction: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await serverAction()
  } catch (error) {
    if (url.searchParams.has(QUIET_PARAMETER) && isConnectionFailure(error)) return undefined
    throw error
  }
}
