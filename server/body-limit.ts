import type { ServerBuild } from 'react-router'
import { bodyRefusalContext } from '../app/request-context.server.ts'
import { MAX_BODY_BYTES } from '../app/shared/body-refusals.ts'

/** The routes that take a file. Their features say how large one may be. */
const UPLOAD_PATHS = new Set(['/api/upload', '/my-profile'])
export const WEBHOOK_PATH = '/webhooks/payments'
const MAX_UPLOAD_BYTES = 12 * 1024 * 1024

/** The largest body that a path takes, in bytes. */
export function maxBodyBytes(path: string): number {
  const route = path.toLowerCase().replace(/(\.data|\/+)$/, '')
  return UPLOAD_PATHS.has(route) || route === WEBHOOK_PATH ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES
}

/**
 * Puts the refusal of a body in front of every action. Thrown there, it reaches the page's own error boundary, inside the
 * frame of the site.
 */
export function withBodyRefusals(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    const action = route?.module.action
    if (!route || !action) return [id, route] as const
    const guarded: typeof action = (args) => {
      const refuse = args.context.get(bodyRefusalContext)
      if (refuse) throw refuse()
      return action(args)
    }
    return [id, { ...route, module: { ...route.module, action: guarded } }] as const
  })
  return { ...build, routes: Object.fromEntries(routes) }
}
