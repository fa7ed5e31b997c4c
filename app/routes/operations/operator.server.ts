import { data, type RouterContextProvider } from 'react-router'
import { originOf } from '../../adapters/accounts/security-log.ts'
import type { Operator } from '../../features/operators/log-commands.server.ts'
import { findRole } from '../../features/operators/people-queries.server.ts'
import {
  may,
  type Permission,
  permissionOfScreen,
  type Role,
  type RoleRefusal,
  rolesWith,
} from '../../features/operators/role-rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { findSession } from '../require-session.server.ts'

type RequestArgs = { request: Request; context: Readonly<RouterContextProvider> }

/** An operator with the role that decides what they may do. */
export type SignedInOperator = Operator & { role: Role }

/**
 * Returns the requesting operator, or null: a verified account with a role, which the settings or an admin gave it
 * (Decision 44). Outside the demo its session needs two factors.
 */
export async function findOperator(args: RequestArgs): Promise<SignedInOperator | null> {
  const found = await findNamedOperator(args)
  return found?.isLetIn ? found.operator : null
}

/** Returns the requesting operator if their role has this permission, else null. */
export async function findOperatorWith(
  permission: Permission,
  args: RequestArgs,
): Promise<SignedInOperator | null> {
  const operator = await findOperator(args)
  return operator && may(operator.role, permission) ? operator : null
}

/** Whether the requesting person is an operator who still has to prove a second factor. */
export async function needsSecondFactor(args: RequestArgs): Promise<boolean> {
  return (await findNamedOperator(args))?.isLetIn === false
}

async function findNamedOperator({
  request,
  context,
}: RequestArgs): Promise<{ operator: SignedInOperator; isLetIn: boolean } | null> {
  const { accounts, config, db, realNow } = context.get(servicesContext)
  const session = await findSession({ request, context })
  const user = session?.user
  const role = user ? await findRole(db, user, config.operatorEmails) : null
  if (!user || !role) return null
  // A hosted service asks for second factors itself.
  const isAsked = accounts.secondFactor && config.operatorFactorFrom && realNow() >= config.operatorFactorFrom
  return {
    operator: { userId: user.uid, email: user.email, role, origin: originOf(request) },
    isLetIn: !isAsked || session?.isStrong === true,
  }
}

/**
 * Returns the requesting operator, for code that needs their identity. The layout of /operations has already refused
 * everybody else.
 * @throws a 404 response for everybody else
 */
export async function requireOperator(args: RequestArgs): Promise<SignedInOperator> {
  const operator = await findOperator(args)
  if (!operator) throw new Response('Not found', { status: 404 })
  return operator
}

/** The response for an operator whose role isn't enough. It says which roles are. */
export function refuseRole(role: Role, permission: Permission) {
  return data<RoleRefusal>({ role, needs: rolesWith(permission) }, { status: 403 })
}

/**
 * The refusal of an operator's screen; null if their role may open it.
 * @param pattern of the screen's route
 */
export function refusalOfScreen(role: Role, pattern: string): (() => unknown) | null {
  const permission = permissionOfScreen(pattern)
  if (permission === null) return () => new Response('Not found', { status: 404 })
  return may(role, permission) ? null : () => refuseRole(role, permission)
}
