import { type RefObject, useLayoutEffect, useRef } from 'react'
import { type Location, ScrollRestoration, useLocation, useNavigationType } from 'react-router'

/**
 * The scroll position: the top on every path change, restored on back and forward, and unchanged when only the query
 * changes (Specification, section 2; Decision 15). The router itself would also scroll to the top for a new query.
 */
export function ScrollPosition() {
  const keptPx = useRef(0)
  return (
    <>
      {/* Effects run in this order, all before the browser paints. */}
      <Note keptPx={keptPx} />
      <ScrollRestoration />
      <Return keptPx={keptPx} />
    </>
  )
}

function Note({ keptPx }: { keptPx: RefObject<number> }) {
  const location = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is the trigger, not an input
  useLayoutEffect(() => {
    keptPx.current = window.scrollY
  }, [location])
  return null
}

function Return({ keptPx }: { keptPx: RefObject<number> }) {
  const location = useLocation()
  const navigationType = useNavigationType()
  const before = useRef(location)
  useLayoutEffect(() => {
    const from = before.current
    before.current = location
    if (navigationType !== 'POP' && isQueryAlone(from, location)) window.scrollTo(0, keptPx.current)
  }, [location, navigationType, keptPx])
  return null
}

function isQueryAlone(from: Location, to: Location): boolean {
  return from.pathname === to.pathname && from.search !== to.search && !to.hash
}
