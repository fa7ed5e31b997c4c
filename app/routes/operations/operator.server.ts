import type { RouterContextProvider } from 'react-router'
import type { Operator } from '../../features/operators/log-commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { findSession } from '../require-session.server.ts'

type Asked = { request: Request; context: Readonly<RouterContextProvider> }

/** The operator who asks, or null: a verified account whose e-mail is in the settings (Decision 18). */
export async function findOperator({ request, context }: Asked): Promise<Operator | null> {
  const { config } = context.get(servicesContext)
  const user = (await findSession({ request, context }))?.user
  if (!user?.emailVerified || !config.operatorEmails.has(user.email.toLowerCase())) return null
  return { userId: user.uid, email: user.email }
}

/**
 * The operator who asks, for what has to know who it is. The layout of /operations lets nobody else in.
 * @throws a 404 answer for everybody else
 */
export async function requireOperator(asked: Asked): Promise<Operator> {
  const operator = await findOperator(asked)
  if (!operator) throw new Response('Not found', { status: 404 })
  return operator
}
