import { FILTERS } from './filter-rules.ts'
import type { Chip } from './filter-schema.ts'
import { guestsText, hoursText } from './messages.ts'
import { TYPICAL_HOURS } from './price-rules.ts'
import { namesKind } from './query-kind-schema.ts'
import { hoursOf } from './rules.ts'
import { type Search, sortOf, sortsByMatch } from './schema.ts'
import { canTravel } from './travel-rules.ts'

/**
 * The search terms of a search in the order in which people say them. `parseQuery` parses each one back to the same
 * filter, so that they can be edited as a query.
 * @param withCategory false on the page of a category, where the category is no search term
 */
export function searchTermsOf(search: Search, withCategory = true): Chip<Search>[] {
  const shown = withCategory ? search : { ...search, category: null }
  return FILTERS.flatMap((filter): Chip<Search>[] => filter.chips?.(shown) ?? [])
}

/**
 * The search as a query that can be read and edited. Of two occasions or trades the query takes the first as a filter, so
 * words that name one come last: 'wedding birthday venue' is 'Venues, Birthday, wedding'.
 */
export function queryOf(search: Search, withCategory = true): string {
  const terms = searchTermsOf(search, withCategory).filter(({ isUntyped }) => !isUntyped)
  const isLast = ({ without }: Chip<Search>) => without.q === '' && namesKind(search.q)
  return [...terms.filter((term) => !isLast(term)), ...terms.filter(isLast)]
    .map(({ text }) => text)
    .join(', ')
}

/** One line about the order of a list. '' for the orders that need none. */
export function orderNote(search: Search): string {
  const sort = sortOf(search)
  if (sortsByMatch(search)) return 'Recommended: the closest matches first. No one can pay for a place.'
  if (sort === 'recommended' && canTravel(search))
    return 'Recommended: those based there first, then well reviewed, with a price and facts, and the newest. No one can pay for a place.'
  if (sort === 'recommended')
    return 'Recommended: well reviewed first, then those with a price and facts, then the newest. No one can pay for a place.'
  if (sort === 'price') return priceNote(search)
  return ''
}

function priceNote(search: Search): string {
  const hours = hoursOf(search)
  const { guests } = search
  if (guests !== null && hours === null && search.per === null)
    return `The lowest total for ${guestsText(guests)} first. A price per hour counts for ${hoursText(TYPICAL_HOURS)}.`
  const asked = [guests === null ? '' : guestsText(guests), hours === null ? '' : hoursText(hours)].filter(
    Boolean,
  )
  return asked.length > 0 ? `The lowest total for ${asked.join(' and ')} first.` : ''
}
