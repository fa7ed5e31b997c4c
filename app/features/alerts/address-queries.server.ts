import { href } from 'react-router'
import { parseUrl } from '../../shared/parse-url.ts'
import { CATEGORY_PATHS, categoryOfPath } from '../businesses/rules.ts'
import { firstPage, isSearching, readSearch, type Search, searchHref } from '../search/schema.ts'
import { type AlertOffer, alertEnd, lastDayText, MAX_ADDRESS_LENGTH } from './rules.ts'

const EVERYONE = href('/venues-vendors')

/**
 * Reads the search of a list's address, without its order and page.
 * @returns null for an address that is no list's, and for a list without a search
 */
export function readAlertAddress(address: string): Search | null {
  if (!address.startsWith('/') || address.length > MAX_ADDRESS_LENGTH) return null
  const url = parseUrl(address, 'https://list.invalid')
  if (url?.hostname !== 'list.invalid') return null
  const category = categoryOfPath(url.pathname)
  if (!category && url.pathname !== EVERYONE) return null
  const search: Search = { ...firstPage(readSearch(url.searchParams)), sort: null }
  const found = category && !search.service ? { ...search, category } : search
  return isSearching(found) ? found : null
}

/** The canonical address of an alert's search, on the page of its category if it has one. */
export function alertAddress({ category, ...search }: Search): string {
  return searchHref(category ? CATEGORY_PATHS[category] : EVERYONE, search)
}

/** The offer to follow a list's search; null once its days are past, and for one whose address is too long to keep. */
export function alertOffer(search: Search, kind: AlertOffer['kind'], now: Date): AlertOffer | null {
  const endsAt = alertEnd(search, now)
  const address = alertAddress({ ...firstPage(search), sort: null })
  if (!endsAt || address.length > MAX_ADDRESS_LENGTH) return null
  return { kind, search: address, until: lastDayText(endsAt) }
}
