import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router'

/** Client-side navigation requests a page's data at its path with one of these endings. */
const DATA_ENDING = /(\/_root|\/_)?\.data$/

export type RoutePatterns = {
  /** The pattern of a path's route, such as '/business/:id'; 'none' without a route. */
  patternOf(path: string): string
  /**
   * The path in the route's spelling: fixed segments in lower case and without percent-encoding. Parameters stay
   * unchanged, because ids, tokens and file names are case-sensitive.
   * @param path the path as sent
   * @returns null when the spelling is already correct
   */
  correctPath(path: string): string | null
}

/** @param build null in development, where the routes change */
export function createRoutePatterns(build: ServerBuild | null): RoutePatterns {
  const tree = build ? routesUnder(build, undefined) : []
  const find = (path: string) => {
    const matches = matchRoutes(tree, path.replace(DATA_ENDING, '') || '/')
    return matches?.map(({ route }) => route.path).filter((part) => part !== undefined)
  }
  return {
    patternOf(path) {
      const parts = find(path)?.filter(Boolean)
      return parts ? `/${parts.join('/')}` : 'none'
    },
    correctPath(path) {
      if (!/[A-Z%]/.test(path)) return null
      const wanted = find(path)?.join('/').split('/').filter(Boolean)
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
