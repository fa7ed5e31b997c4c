import type { AccountCode } from '../port.ts'
import { originOf, type SecurityLog } from '../security-log.ts'

/**
 * Records that an ID token didn't prove what an account's change, link or renewal needs. The service sees wrong
 * passwords, and we see only this.
 */
export async function noteRefusedToken(
  securityLog: SecurityLog,
  request: Request,
  { userId, reason }: { userId: string; reason: AccountCode },
): Promise<void> {
  // An unreachable service refuses nobody.
  if (reason === 'network-request-failed') return
  await securityLog.noteAfter({ kind: 'proof-refused', userId, detail: reason, origin: originOf(request) })
}
