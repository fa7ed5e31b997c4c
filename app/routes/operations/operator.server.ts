import type { Operator } from '../../features/operators/commands.server.ts'
import type { Services } from '../../services.server.ts'

/**
 * Who acts, if it is an operator: a verified account whose e-mail is in the settings (Decision 18). Every loader and
 * action under /operations calls this first.
 * @throws a 404 answer for everybody else, so that nothing tells that there is such a place
 */
export async function requireOperator(
  request: Request,
  { accounts, config }: Pick<Services, 'accounts' | 'config'>,
): Promise<Operator> {
  const session = await accounts.findSession(request)
  const user = session?.user
  if (!user?.emailVerified || !config.operatorEmails.has(user.email.toLowerCase()))
    throw new Response('Not found', { status: 404 })
  return { userId: user.uid, email: user.email }
}
