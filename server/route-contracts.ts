import type { ServerBuild } from 'react-router'
import {
  cacheable,
  emailKnown,
  notStored,
  operatorOnly,
  signedIn,
  signedInToRead,
  unlisted,
} from '../app/routes/contract.server.ts'

/** What a route and the layouts around it say of it (app/routes/contract.server.ts). */
export type RouteContract = {
  /** Whom it lets in. The reads of a 'signed in to read' route lead to /login; its actions refuse in words. */
  guard: 'everybody' | 'signed in' | 'signed in to read' | 'known e-mail' | 'operator'
  /** Search engines leave it out. */
  isUnlisted: boolean
  /** No browser may keep it, not even for the back button. */
  isNotStored: boolean
  /** Caches may keep its good answers. */
  isCacheable: boolean
}

const GUARDS = [
  [operatorOnly, 'operator'],
  [signedIn, 'signed in'],
  [signedInToRead, 'signed in to read'],
  [emailKnown, 'known e-mail'],
] as const

/** The contract of the route with this id. */
export function contractOf(build: ServerBuild, id: string): RouteContract {
  const said = new Set<unknown>()
  for (let route = build.routes[id]; route; route = route.parentId ? build.routes[route.parentId] : undefined)
    for (const middleware of route.module.middleware ?? []) said.add(middleware)
  return {
    guard: GUARDS.find(([middleware]) => said.has(middleware))?.[1] ?? 'everybody',
    isUnlisted: said.has(unlisted),
    isNotStored: said.has(notStored),
    isCacheable: said.has(cacheable),
  }
}

/** The whole path of a route, as '/dashboard/list-business/:id/edit'; null for one that only surrounds others. */
export function pathOf(build: ServerBuild, id: string): string | null {
  const route = build.routes[id]
  if (!route || (route.path === undefined && !route.index)) return null
  let path = ''
  for (let part = build.routes[id]; part; part = part.parentId ? build.routes[part.parentId] : undefined)
    if (part.path) path = `/${part.path}${path}`
  return path || '/'
}

/** Every route with a path of its own, once: its screen where a layout has the same path. */
export function listRoutes(build: ServerBuild): { id: string; path: string; contract: RouteContract }[] {
  const isLayout = new Set(Object.values(build.routes).map((route) => route?.parentId))
  return Object.keys(build.routes).flatMap((id) => {
    const path = isLayout.has(id) ? null : pathOf(build, id)
    return path === null ? [] : [{ id, path, contract: contractOf(build, id) }]
  })
}

/**
 * How the paths begin that are nothing for a search engine, as robots.txt names them. A beginning takes in all that is
 * below it; it ends in a slash where the place itself is no route.
 */
export function unlistedPaths(build: ServerBuild): string[] {
  const routes = listRoutes(build).map(({ path, contract }) => ({
    // What a splat takes begins with the place itself.
    parts: path.replace(/\/\*$/, '').split('/').filter(Boolean),
    isUnlisted: contract.isUnlisted,
  }))
  const found: string[] = []
  const collect = (beginning: string[]): void => {
    const depth = beginning.length
    const within = routes.filter(({ parts }) => beginning.every((part, at) => parts[at] === part))
    if (depth > 0 && within.every(({ isUnlisted }) => isUnlisted)) {
      const isRoute = within.some(({ parts }) => parts.length === depth)
      found.push(`/${beginning.join('/')}${isRoute ? '' : '/'}`)
      return
    }
    const next = new Set(within.map(({ parts }) => parts[depth]))
    for (const part of next) if (part !== undefined && !part.startsWith(':')) collect([...beginning, part])
  }
  collect([])
  return found.sort()
}
