import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { type ListFilter, listQuery, readListFilter, stepsIn } from '../vendor-list-rules.ts'

/** A list is asked for again when typing pauses this long. */
const PAUSE_MS = 250

/** The filter of the vendor's list as it is chosen; the list in the address follows it. */
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
        () => {
          const to = { search: listQuery(business, next) }
          void navigate(to, { replace: true, preventScrollReset: true })
        },
        isTyping ? PAUSE_MS : 0,
      )
    },
  }
}
