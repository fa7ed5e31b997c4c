import { useLayoutEffect, useSyncExternalStore } from 'react'
import { isRouteErrorResponse, type MiddlewareFunction, useLocation } from 'react-router'

const FIRST_RETRY_MS = 3_000
const LONGEST_RETRY_MS = 60_000
const TOO_MANY_REQUESTS = 429

type Results = Record<string, { type: 'data' | 'error'; result: unknown }>

// One window shows one page at a time.
let liveAddress: string | null = null
let failures = 0
/** The page whose data was last asked for by the router, and when, by `performance.now()`. */
let asked = { address: '', at: 0 }
const listeners = new Set<() => void>()

function setFailures(next: number): void {
  failures = next
  for (const listener of listeners) listener()
}

/**
 * Client middleware that keeps a live page's data when a reload fails: React Router keeps the data of every route
 * without a result. Redirects and refusals (4xx) pass. It also notes when the data was asked for.
 */
export const keepLiveData: MiddlewareFunction<Results> = async ({ request }, next) => {
  const { pathname, search } = new URL(request.url)
  if (request.method === 'GET') asked = { address: pathname + search, at: performance.now() }
  const results = await next()
  if (request.method !== 'GET' || request.signal.aborted || pathname + search !== liveAddress) return results
  const failed = Object.entries(results).filter(
    ([, { type, result }]) => type === 'error' && isFailure(result),
  )
  if (failed.length === 0) {
    if (failures > 0) setFailures(0)
    return results
  }
  for (const [routeId, { result }] of failed) {
    console.warn('The page could not be reloaded.', result)
    delete results[routeId]
  }
  setFailures(failures + 1)
  return results
}

function isFailure(error: unknown): boolean {
  if (error instanceof Response) return false
  return !isRouteErrorResponse(error) || error.status >= 500 || error.status === TOO_MANY_REQUESTS
}

/** When the shown page's data was asked for, by `performance.now()`: 0 for a page that came as a document. */
export function dataAskedAt(): number {
  return asked.address === location.pathname + location.search ? asked.at : 0
}

/** Marks this page as live, so that a failed reload keeps its data. */
export function useLiveData(): void {
  const { pathname, search } = useLocation()
  useLayoutEffect(() => {
    const address = pathname + search
    liveAddress = address
    return () => {
      if (liveAddress === address) liveAddress = null
      setFailures(0)
    }
  }, [pathname, search])
}

/** The number of failed reloads in a row; 0 when the page is up to date. */
export function useReloadFailures(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => failures,
    () => 0,
  )
}

/** The delay before the next attempt: doubles from 3 s up to a minute. */
export function reloadDelayMs(failuresInARow: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failuresInARow - 1), LONGEST_RETRY_MS)
}
