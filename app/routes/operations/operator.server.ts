import type { RouterContextProvider } from 'react-router'
import { originOf } from '../../adapters/accounts/security-log.ts'
import type { Operator } from '../../features/operators/log-commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { findSession } from '../require-session.server.ts'

type RequestArgs = { request: Request; context: Readonly<RouterContextProvider> }

/**
 * Returns the requesting operator, or null: a verified account whose email is in the settings (Decision 18). Outside the
 * demo its session needs two factors.
 */
export async function findOperator(args: RequestArgs): Promise<Operator | null> {
  const found = await findNamedOperator(args)
  return found?.isLetIn ? found.operator : null
}

/** Whether the requesting person is an operator who still has to prove a second factor. */
export async function needsSecondFactor(args: RequestArgs): Promise<boolean> {
  return (await findNamedOperator(args))?.isLetIn === false
}

async function findNamedOperator({
  request,
  context,
}: RequestArgs): Promise<{ operator: Operator; isLetIn: boolean } | null> {
  const { accounts, config, realNow } = context.get(servicesContext)
  const session = await findSession({ request, context })
  const user = session?.user
  if (!user?.emailVerified || !config.operatorEmails.has(user.email.toLowerCase())) return null
  // A hosted service asks for second factors itself.
  const isAsked = accounts.secondFactor && config.operatorFactorFrom && realNow() >= config.operatorFactorFrom
  return {
    operator: { userId: user.uid, email: user.email, origin: originOf(request) },
    isLetIn: !isAsked || session?.isStrong === true,
  }
}

/**
 * Returns the requesting operator, for code that needs their identity. The layout of /operations has already refused
 * everybody else.
 * @throws a 404 response for everybody else
 */
export async function requireOperator(args: RequestArgs): Promise<Operator> {
  const operator = await findOperator(args)
  if (!operator) throw new Response('Not found', { status: 404 })
  return operator
}
