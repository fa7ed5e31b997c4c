import type { RouterContextProvider } from 'react-router'
import type { Operator } from '../../features/operators/log-commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { findSession } from '../require-session.server.ts'

type RequestArgs = { request: Request; context: Readonly<RouterContextProvider> }

/** Returns the requesting operator, or null: a verified account whose email is in the settings (Decision 18). */
export async function findOperator({ request, context }: RequestArgs): Promise<Operator | null> {
  const { config } = context.get(servicesContext)
  const user = (await findSession({ request, context }))?.user
  if (!user?.emailVerified || !config.operatorEmails.has(user.email.toLowerCase())) return null
  return { userId: user.uid, email: user.email }
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
