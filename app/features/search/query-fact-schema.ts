import type { Fact, SeveralFact } from '../businesses/fact-kind-rules.ts'
import type { Pattern, Take } from './query-take-schema.ts'

/** Takes the facts of some rows that a query names: 'outdoor', 'step-free', 'BYO', 'halal', 'speaks Greek'. */
export function createTakeFacts(rows: Readonly<Record<string, Fact>>) {
  const readers = Object.entries(rows).flatMap(([name, fact]) => readerOf(name, fact) ?? [])
  return (take: Take, found: Record<string, unknown>) => {
    for (const reader of readers) reader(take, found)
  }
}

type Reader = (take: Take, found: Record<string, unknown>) => void

function readerOf(name: string, fact: Fact): Reader | null {
  if (fact.kind === 'several') return severalReader(name, fact)
  const { search } = fact
  if (!search) return null
  return (take, found) => {
    take(search.phrase, ([, typed]) => {
      // A number between two steps counts as the higher one: a listing that reaches it has what was typed.
      const value = fact.kind === 'yesNo' || fact.markers?.steps.find((step) => step >= Number(typed))
      if (!value) return false
      found[name] = value
      return true
    })
  }
}

function severalReader(name: string, { options, search }: SeveralFact): Reader | null {
  if (!search) return null
  const patterns = Object.entries(options).map(
    ([option, { spelling }]) => [option, search.phrase(spelling ?? option)] as const,
  )
  return (take, found) => {
    const takeOne = () => {
      const chosen = found[name]
      const taken = { option: '' }
      if (!take(leftmostOf(patterns, taken), () => true)) return false
      found[name] = search.isSingle
        ? taken.option
        : Object.keys(options).filter(
            (option) => option === taken.option || (Array.isArray(chosen) && chosen.includes(option)),
          )
      return true
    }
    if (takeOne() && !search.isSingle) while (takeOne());
  }
}

/** The value that a text names first. @param taken receives it */
function leftmostOf(
  patterns: readonly (readonly [option: string, pattern: RegExp])[],
  taken: { option: string },
): Pattern {
  return {
    exec(text) {
      let first: RegExpExecArray | null = null
      for (const [option, pattern] of patterns) {
        const match = pattern.exec(text)
        if (!match || (first && first.index <= match.index)) continue
        first = match
        taken.option = option
      }
      return first
    },
  }
}
