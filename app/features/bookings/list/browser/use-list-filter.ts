import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { type ListFilter, listQuery, readListFilter, stepsIn } from '../vendor-list-rules.ts'

/** A list is asked for again when typing pauses this long. */
const PAUSE_MS = 250

/** The filter of the vendor's list as it is chosen. The address follows it, and it follows a link or the back button. */
export type ListFilterState = {
  value: ListFilter
  /** The listing in the address; null for none. */
  business: string | null
  /** The query of the filtered list. */
  query: string
  /** The address with more of the list. */
  moreTo: string
  change(value: ListFilter): void
}

export function useListFilter(): ListFilterState {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [value, setValue] = useState(() => readListFilter(search))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const address = search.toString()
  const { key } = useLocation()
  // The address that the value came from, or that it is on its way to.
  const known = useRef(address)
  const navigations = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link to the present address is a new visit, too
  useEffect(() => {
    if (address === known.current || navigations.current > 0) return
    known.current = address
    clearTimeout(timer.current)
    setValue(readListFilter(new URLSearchParams(address)))
  }, [address, key])
  const business = search.get('business')
  return {
    value,
    business,
    query: listQuery(business, value),
    moreTo: listQuery(business, value, stepsIn(search.get('more')) + 1),
    change(next) {
      setValue(next)
      clearTimeout(timer.current)
      const isTyping = next.name !== value.name && next.name !== ''
      timer.current = setTimeout(
        async () => {
          const query = listQuery(business, next)
          known.current = query.slice(1)
          navigations.current++
          await navigate({ search: query }, { replace: true, preventScrollReset: true })
          navigations.current--
        },
        isTyping ? PAUSE_MS : 0,
      )
    },
  }
}
