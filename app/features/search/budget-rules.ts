import type { Cents } from '../../shared/money.ts'
import { CATEGORY_PATHS, type Category } from '../businesses/rules.ts'
import { MAX_GUESTS, MAX_TOTAL_CENTS } from '../pricing/limits.ts'
import { readSearch, searchHref } from './schema.ts'

/** A first split of a budget, in whole percentages that add up to 100. The trades that a share pays for have a search. */
export const BUDGET_SHARES: readonly {
  label: string
  percent: number
  note: string
  categories: readonly Category[]
}[] = [
  { label: 'Food and drink', percent: 38, note: 'follows the guest list', categories: ['Catering'] },
  { label: 'The room', percent: 22, note: 'with chairs, linen and staff', categories: ['Venues'] },
  {
    label: 'Pictures and film',
    percent: 12,
    note: 'what you keep afterwards',
    categories: ['Photographers', 'Videographers'],
  },
  { label: 'Music and sound', percent: 8, note: 'speeches as well', categories: ['Sounds & DJ'] },
  {
    label: 'Flowers, hair and extras',
    percent: 10,
    note: 'the parts people touch',
    categories: ['Hairdresser', 'Extras'],
  },
  { label: 'In reserve', percent: 10, note: 'for surprises', categories: [] },
]

const DOLLAR = 100

/** A share of a budget in whole dollars, with the searches that find what it pays for. */
export type BudgetShare = {
  cents: Cents
  /** Per guest, in whole dollars; null without a number of guests. */
  perGuestCents: Cents | null
  searches: { category: Category; to: string }[]
}

/**
 * Splits a budget by `BUDGET_SHARES`, in whole dollars. The last share, the reserve, takes what rounding leaves, cents
 * included, so that the shares add up to the total.
 */
export function splitBudget(totalCents: Cents, guests: number | null): BudgetShare[] {
  let leftCents = totalCents
  return BUDGET_SHARES.map(({ percent, categories }, nth) => {
    const isLast = nth === BUDGET_SHARES.length - 1
    const cents = isLast ? leftCents : Math.floor((totalCents * percent) / 100 / DOLLAR) * DOLLAR
    leftCents -= cents
    return {
      cents,
      perGuestCents: guests === null ? null : Math.round(cents / guests / DOLLAR) * DOLLAR,
      searches: categories.map((category) => ({
        category,
        to: searchHref(CATEGORY_PATHS[category], { budgetCents: cents || null, guests }),
      })),
    }
  })
}

/** The typed values of the budget calculator, with their errors or the resulting shares. */
export type BudgetCalculation = {
  typed: { budget: string; guests: string }
  errors: { budget?: string; guests?: string }
  shares: BudgetShare[] | null
}

export const BUDGET_REFUSED = `Enter an amount in dollars, from 100 to ${(MAX_TOTAL_CENTS / DOLLAR).toLocaleString('en-AU')}.`
export const GUESTS_REFUSED = `Enter a whole number of guests, from 1 to ${MAX_GUESTS.toLocaleString('en-AU')}, or leave it empty.`
const MIN_TOTAL_CENTS = 100 * DOLLAR
const MAX_TYPED = 40

/** Reads the calculator's form from an address. Nothing typed is nothing asked. */
export function readBudget(parameters: URLSearchParams): BudgetCalculation {
  const typedOf = (name: string) => (parameters.get(name) ?? '').trim().slice(0, MAX_TYPED)
  const typed = { budget: typedOf('budget'), guests: typedOf('guests') }
  if (typed.budget === '' && typed.guests === '') return { typed, errors: {}, shares: null }
  // '$25,000' as people write it.
  const plain = new URLSearchParams({ budget: typed.budget.replace(/[$,\s]/g, ''), guests: typed.guests })
  const { budgetCents, guests } = readSearch(plain)
  const errors = {
    ...(budgetCents === null || budgetCents < MIN_TOTAL_CENTS ? { budget: BUDGET_REFUSED } : {}),
    ...(guests === null && typed.guests !== '' ? { guests: GUESTS_REFUSED } : {}),
  }
  const isSplit = budgetCents !== null && Object.keys(errors).length === 0
  return { typed, errors, shares: isSplit ? splitBudget(budgetCents, guests) : null }
}
