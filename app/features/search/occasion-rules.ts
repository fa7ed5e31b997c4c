import type { Cents } from '../../shared/money.ts'
import { addMonths, monthsBetween } from '../../shared/periods.ts'
import { CATEGORY_PATHS, type Category, OCCASION_CATEGORIES, type Occasion } from '../businesses/rules.ts'
import { SERVICE_IDS, SERVICE_ROWS } from '../businesses/service-match-rules.ts'
import type { ServiceId } from '../businesses/service-rules.ts'
import { BUDGET_SHARES, splitBudget } from './budget-rules.ts'
import { type Search, searchHref } from './schema.ts'

/** The plans that an occasion's page asks for once and all its searches carry. */
export type Planned = Pick<Search, 'date' | 'months' | 'guests' | 'budgetCents'>

/** How many months ahead the page offers: most people plan a year and a half at most. */
const MONTHS_OFFERED = 18

/** The months to choose from, this one first: 'YYYY-MM'. */
export function monthsToPlan(today: string): string[] {
  const first = today.slice(0, 7)
  return monthsBetween(first, addMonths(first, MONTHS_OFFERED - 1))
}

/** A trade of an occasion, with its search. */
export type OccasionRow = {
  category: Category
  to: string
  /** Its share by the first split of the budget; null without a budget or a share. */
  budgetCents: Cents | null
  services: { id: ServiceId; to: string }[]
}

/**
 * The trades of an occasion in the order in which to book them, and its services below their trades. Every search carries what is
 * planned.
 * @param input.categories those with a business: no link leads to an empty list
 * @param input.offered the services that someone offers
 */
export function occasionRows(
  occasion: Occasion,
  {
    planned,
    categories,
    offered,
  }: { planned: Planned; categories: ReadonlySet<Category>; offered: ReadonlySet<ServiceId> },
): OccasionRow[] {
  const { date, months, guests } = planned
  const services = SERVICE_IDS.filter(
    (id) => offered.has(id) && SERVICE_ROWS[id].occasions.includes(occasion),
  )
  const shown: readonly Category[] = OCCASION_CATEGORIES[occasion]
  // A service may belong to a trade that the occasion doesn't need as a whole, such as Extras for a wedding.
  const others = new Set(
    services.map((id) => SERVICE_ROWS[id].category).filter((each) => !shown.includes(each)),
  )
  return [...shown, ...others]
    .filter((category) => categories.has(category))
    .map((category) => {
      const budgetCents = shareOf(category, planned.budgetCents)
      const carried = { date, months, guests, budgetCents }
      const path = CATEGORY_PATHS[category]
      return {
        category,
        to: searchHref(path, { ...carried, ...(shown.includes(category) ? { occasion } : {}) }),
        budgetCents,
        services: services
          .filter((id) => SERVICE_ROWS[id].category === category)
          .map((id) => ({ id, to: searchHref(path, { ...carried, service: id }) })),
      }
    })
}

/** A category's share of a budget, which it may share with another one. */
function shareOf(category: Category, totalCents: Cents | null): Cents | null {
  const at = BUDGET_SHARES.findIndex(({ categories }) => categories.includes(category))
  if (totalCents === null || at < 0) return null
  return splitBudget(totalCents, null)[at]?.cents || null
}
