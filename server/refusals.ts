import { redirect, type ServerBuild } from 'react-router'
import { bodyRefusalContext, operatorViewContext, refusalContext } from '../app/request-context.server.ts'
import { NOT_IN_VIEW_PATH, redactorOf } from '../app/routes/view-pages.server.ts'
import { notInView } from '../app/shared/body-refusals.ts'
import { contractOf } from './route-contracts.ts'

/** These guards set a refusal, and hide that the route exists. */
const HIDING_GUARDS = ['operator', 'printed key', 'this machine'] as const

/**
 * Puts refusals in front of loaders and actions: a refusal of the body in front of every action, and a refusal of the
 * person in front of all routes that a layout guards. In an operator's view of another account, no action runs, and only
 * the loaders of its list, redacted. Thrown there, they reach the page's own error boundary, inside
 * the site's frame.
 */
export function withRefusals(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route] as const
    const { loader, action } = route.module
    const isGuarded = HIDING_GUARDS.some((guard) => guard === contractOf(build, id).guard)
    const guardedLoader: typeof loader = (args) => {
      if (args.context.get(operatorViewContext)) {
        const redact = redactorOf(id)
        // A page has an error boundary of its own, which would speak of a failure.
        if (!redact) throw route.module.default ? redirect(NOT_IN_VIEW_PATH) : notInView()
        return Promise.resolve(loader?.(args)).then(redact)
      }
      const refuse = isGuarded && args.context.get(refusalContext)
      if (refuse) throw refuse()
      return loader?.(args)
    }
    const guardedAction: typeof action = (args) => {
      if (args.context.get(operatorViewContext)) throw notInView()
      const refuse = args.context.get(bodyRefusalContext) ?? (isGuarded && args.context.get(refusalContext))
      if (refuse) throw refuse()
      return action?.(args)
    }
    const module = {
      ...route.module,
      ...(loader ? { loader: guardedLoader } : {}),
      ...(action ? { action: guardedAction } : {}),
    }
    return [id, { ...route, module }] as const
  })
  return { ...build, routes: Object.fromEntries(routes) }
}
