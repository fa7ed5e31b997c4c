import type { ServerBuild } from 'react-router'
import {
  cacheable,
  emailKnown,
  notStored,
  operatorOnly,
  sandboxFormOnly,
  sandboxOnly,
  signedIn,
  signedInToRead,
  unlisted,
} from '../app/routes/contract.server.ts'

/** The contract that a route and its layouts declare (app/routes/contract.server.ts). */
export type RouteContract = {
  /** The access rule. Reads of a 'signed in to read' route redirect to /login; its actions refuse with a message. */
  guard:
    | 'everybody'
    | 'signed in'
    | 'signed in to read'
    | 'known email'
    | 'operator'
    | 'printed key'
    | 'this machine'
  /** Search engines must not index it. */
  isUnlisted: boolean
  /** Browsers must not store it, not even for the back button. */
  isNotStored: boolean
  /** Caches may store its successful responses. */
  isCacheable: boolean
}

const GUARDS = [
  [operatorOnly, 'operator'],
  [sandboxOnly, 'printed key'],
  [sandboxFormOnly, 'this machine'],
  [signedIn, 'signed in'],
  [signedInToRead, 'signed in to read'],
  [emailKnown, 'known email'],
] as const

/** The contract of the route with this id. */
export function contractOf(build: ServerBuild, id: string): RouteContract {
  const declared = new Set<unknown>()
  for (let route = build.routes[id]; route; route = route.parentId ? build.routes[route.parentId] : undefined)
    for (const middleware of route.module.middleware ?? []) declared.add(middleware)
  return {
    guard: GUARDS.find(([middleware]) => declared.has(middleware))?.[1] ?? 'everybody',
    isUnlisted: declared.has(unlisted),
    isNotStored: declared.has(notStored),
    isCacheable: declared.has(cacheable),
  }
}

/** A route's full path, such as '/dashboard/list-business/:id/edit'; null for a layout without a path. */
export function pathOf(build: ServerBuild, id: string): string | null {
  const route = build.routes[id]
  if (!route || (route.path === undefined && !route.index)) return null
  let path = ''
  for (let part = build.routes[id]; part; part = part.parentId ? build.routes[part.parentId] : undefined)
    if (part.path) path = `/${part.path}${path}`
  return path || '/'
}

/** Every route with its own path, once: if a layout has the same path as its screen, the screen. */
export function listRoutes(build: ServerBuild): { id: string; path: string; contract: RouteContract }[] {
  const isLayout = new Set(Object.values(build.routes).map((route) => route?.parentId))
  return Object.keys(build.routes).flatMap((id) => {
    const path = isLayout.has(id) ? null : pathOf(build, id)
    return path === null ? [] : [{ id, path, contract: contractOf(build, id) }]
  })
}

/**
 * The path prefixes that search engines must not index, for robots.txt. A prefix covers every path below it. It ends in
 * a slash if the prefix itself isn't a route.
 */
export function unlistedPaths(build: ServerBuild): string[] {
  const routes = listRoutes(build).map(({ path, contract }) => ({
    // A splat or an optional part also matches its parent path.
    parts: path
      .replace(/\/(\*|:\w+\?)$/, '')
      .split('/')
      .filter(Boolean),
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
