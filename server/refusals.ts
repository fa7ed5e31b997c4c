import type { ServerBuild } from 'react-router'
import { bodyRefusalContext, refusalContext } from '../app/request-context.server.ts'
import { contractOf } from './route-contracts.ts'

/** These guards set a refusal, and hide that the route exists. */
const HIDING_GUARDS = ['operator', 'this machine'] as const

/**
 * Puts refusals in front of loaders and actions: a refusal of the body in front of every action, and a refusal of the
 * person in front of all routes that a layout guards. Thrown there, they reach the page's own error boundary, inside
 * the site's frame.
 */
export function withRefusals(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route] as const
    const { loader, action } = route.module
    const isGuarded = HIDING_GUARDS.some((guard) => guard === contractOf(build, id).guard)
    const guardedLoader: typeof loader = (args) => {
      const refuse = args.context.get(refusalContext)
      if (refuse) throw refuse()
      return loader?.(args)
    }
    const guardedAction: typeof action = (args) => {
      const refuse = args.context.get(bodyRefusalContext) ?? (isGuarded && args.context.get(refusalContext))
      if (refuse) throw refuse()
      return action?.(args)
    }
    const module = {
      ...route.module,
      ...(loader && isGuarded ? { loader: guardedLoader } : {}),
      ...(action ? { action: guardedAction } : {}),
    }
    return [id, { ...route, module }] as const
  })
  return { ...build, routes: Object.fromEntries(routes) }
}
