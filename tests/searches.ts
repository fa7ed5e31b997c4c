import { NO_SEARCH, type Search } from '../app/features/search/schema.ts'

/** A search by when, where, how many and how much. Its date is a Sunday. */
export const PARTY_SEARCH = {
  date: '2027-03-14',
  from: '16:00',
  until: '23:00',
  guests: 90,
  place: 'Geelong, VIC',
  near: true,
  budgetCents: 800_000,
} as const satisfies Partial<Search>

/** The same search with a word, a category and a weekday that doesn't match its date. */
export const FULL_SEARCH: Search = {
  ...NO_SEARCH,
  ...PARTY_SEARCH,
  q: 'garden',
  category: 'Venues',
  weekday: 'Saturday',
}
