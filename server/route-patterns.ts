import { createStaticHandler, type RouteObject, type ServerBuild } from 'react-router'

/** Client-side navigation requests a page's data at its path with one of these endings. */
const DATA_ENDING = /(\/_root|\/_)?\.data$/
/** Matching compiles an expression for each route until one fits, so the most recent paths are remembered. */
const MAX_REMEMBERED = 1_000
const MAX_REMEMBERED_LENGTH = 200

export type RoutePatterns = {
  /** The pattern of a path's route, such as '/business/:id'; 'none' without a route. */
  patternOf(path: string): string
  /** The id of a path's route; null without a route. */
  routeIdOf(path: string): string | null
  /**
   * The path in the route's spelling: fixed segments in lower case and without percent-encoding. Parameters stay
   * unchanged, because ids, tokens and file names are case-sensitive.
   * @param path the path as sent
   * @returns null when the spelling is already correct
   */
  correctPath(path: string): string | null
}

type Found = { id: string; parts: string[] }

/** @param build null in development, where the routes change */
export function createRoutePatterns(build: ServerBuild | null): RoutePatterns {
  const tree = build ? routesUnder(build, undefined) : []
  const { match } = tree.length > 0 ? createStaticHandler(tree) : { match: () => null }
  const remembered = new Map<string, Found | null>()
  const find = (path: string): Found | null => {
    const known = remembered.get(path)
    if (known !== undefined) return known
    const matches = match(path.replace(DATA_ENDING, '') || '/')
    const found = matches && {
      id: matches.at(-1)?.route.id ?? '',
      parts: matches.map(({ route }) => route.path).filter((part) => part !== undefined),
    }
    if (path.length > MAX_REMEMBERED_LENGTH) return found
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(path, found)
    return found
  }
  return {
    patternOf(path) {
      const parts = find(path)?.parts.filter(Boolean)
      return parts ? `/${parts.join('/')}` : 'none'
    },
    routeIdOf: (path) => find(path)?.id ?? null,
    correctPath(path) {
      if (!/[A-Z%]/.test(path)) return null
      const wanted = find(path)?.parts.join('/').split('/').filter(Boolean)
      if (!wanted) return null
      const ending = DATA_ENDING.exec(path)?.[0] ?? ''
      const sent = path.slice(1, path.length - ending.length).split('/')
      const fixed = sent.map((segment, at) => {
        const pattern = wanted[at]
        const isFixed = pattern !== undefined && !/[:*]/.test(pattern)
        return isFixed && decodeURIComponent(segment).toLowerCase() === pattern ? pattern : segment
      })
      const correct = `/${fixed.join('/')}${ending}`
      return correct === path ? null : correct
    },
  }
}

function routesUnder(build: ServerBuild, parentId: string | undefined): RouteObject[] {
  const own = Object.values(build.routes).filter((route) => route?.parentId === parentId)
  return own.flatMap((route): RouteObject[] => {
    if (!route) return []
    const { id, path } = route
    return route.index ? [{ id, path, index: true }] : [{ id, path, children: routesUnder(build, id) }]
  })
}
