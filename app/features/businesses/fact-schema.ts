import { z } from 'zod'
import { MAX_GUESTS } from '../pricing/limits.ts'
import { errorText, type SeveralFact } from './fact-kind-rules.ts'
import { moreThanMostText } from './fact-messages.ts'
import {
  FACT_NAMES,
  FACTS,
  type FactName,
  type Facts,
  factsOf,
  guestBound,
  hasFact,
  STATED_FACTS,
} from './fact-rules.ts'
import type { Category } from './rules.ts'

/** Longer than any number or choice. */
const MAX_TYPED_LENGTH = 30

/** A whole number as typed: '1,200' or ''. null for none, undefined if it's unclear or out of range. */
function parseCount(text: string, max: number): number | null | undefined {
  const bare = text.trim().replace(/(?<=\d),(?=\d{3}(?:,|$))/g, '')
  if (bare === '') return null
  const count = /^\d{1,6}$/.test(bare) ? Number(bare) : 0
  return count >= 1 && count <= max ? count : undefined
}

/** The maximum number of guests, the one fact with a column of its own. */
export const maxGuestsForm = z
  .string({ error: errorText(STATED_FACTS.maxGuests) })
  .default('')
  .transform((text, context): number | null => {
    const guests = parseCount(text, MAX_GUESTS)
    if (guests !== undefined) return guests
    context.addIssue({ code: 'custom', message: errorText(STATED_FACTS.maxGuests) })
    return z.NEVER
  })

type SeveralName = {
  [Name in FactName]: (typeof FACTS)[Name]['kind'] extends 'several' ? Name : never
}[FactName]
type SingleFactName = Exclude<FactName, SeveralName>

export const SEVERAL_FACTS = FACT_NAMES.filter((name): name is SeveralName => FACTS[name].kind === 'several')

type FactInputs = { [Name in SingleFactName]: ReturnType<typeof single> } & {
  [Name in SeveralName]: ReturnType<typeof several>
}

const single = (error: string) => z.string({ error }).max(MAX_TYPED_LENGTH).default('')
const several = (error: string, { options }: SeveralFact) =>
  z.array(z.string().max(MAX_TYPED_LENGTH), { error }).max(Object.keys(options).length, { error }).default([])

/** The inputs of the facts as posted. What they say counts only for the chosen category: see `readTypedFacts`. */
export const factInputs = Object.fromEntries(
  FACT_NAMES.map((name) => {
    const fact = FACTS[name]
    const error = errorText(fact)
    return [name, fact.kind === 'several' ? several(error, fact) : single(error)]
  }),
) as FactInputs

type TypedFacts = { [Name in SingleFactName]: string } & { [Name in SeveralName]: string[] }

/** The facts as the form posts them: '' and [] for unknown ones. */
export function typedFacts(facts: Facts): TypedFacts {
  const typed = FACT_NAMES.map((name) => {
    const value = facts[name]
    if (typeof value === 'boolean') return [name, value ? 'yes' : 'no']
    return [name, FACTS[name].kind === 'several' ? (value ?? []) : String(value ?? '')]
  })
  return Object.fromEntries(typed) as TypedFacts
}

/**
 * Reads the facts of a category from the form. Fields of other categories are hidden, so they neither count nor fail.
 * @param onError receives the message of each field that is unclear or doesn't fit the maximum number of guests
 */
export function readTypedFacts(
  category: Category,
  typed: TypedFacts,
  maxGuests: number | null,
  onError: (name: FactName, message: string) => void = () => {},
): Facts {
  const stored: Record<string, unknown> = {}
  for (const name of FACT_NAMES) {
    if (!hasFact(category, name)) continue
    const value = readTyped(name, typed)
    if (value === undefined) onError(name, errorText(FACTS[name]))
    else if (value !== null) stored[name] = value
  }
  const facts = factsOf(category, stored)
  for (const name of ['seated', 'standing'] as const) {
    const bound = guestBound(maxGuests, facts) ?? 0
    if ((facts[name] ?? 0) > bound) onError(name, moreThanMostText(name, bound))
  }
  return facts
}

/** null for unknown, undefined for an error. */
function readTyped(name: FactName, typed: TypedFacts): unknown {
  const fact = FACTS[name]
  const value = typed[name]
  if (Array.isArray(value)) {
    const options = fact.kind === 'several' ? fact.options : {}
    return value.every((each) => Object.hasOwn(options, each)) ? value : undefined
  }
  if (fact.kind === 'count') return parseCount(value, fact.max)
  if (value === '') return null
  return value === 'yes' ? true : value === 'no' ? false : undefined
}
