import type { RegisterEntry } from '../../adapters/business-register/port.ts'
import { type LocalDate, wallTimeAt } from '../../shared/dates.ts'
import { normalForm } from '../../shared/normal-form.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time-units.ts'
import type { BusinessStructure } from './rules.ts'

/** The register's dates are days in Canberra. */
const REGISTER_ZONE = 'Australia/Sydney'

/** The day of an instant in the register's zone. */
export const registerDay = (instant: Date): LocalDate => wallTimeAt(instant, REGISTER_ZONE).date

/** The register's facts about an ABN. With 'unknown' all others are empty. */
export type RegisterFacts = Omit<RegisterEntry, 'status'> & { status: RegisterEntry['status'] | 'unknown' }

/** The facts of an answer. @param entry null for an ABN that the register doesn't know */
export function factsOfEntry(entry: RegisterEntry | null): RegisterFacts {
  if (entry) return entry
  return {
    ...{ status: 'unknown', statusSince: null, gstSince: null },
    ...{ entityName: '', entityType: '', businessNames: [], state: '' },
  }
}

/** The register's objection to a registration. While it lasts, the mark is off and transfers to the vendor wait. */
export type RegisterProblem = 'unknown' | 'cancelled' | 'gst'

/**
 * Returns the register's problem with a registration. None while it hasn't answered.
 * @param facts null without an answer
 * @param today in the register's zone
 */
export function problemOf(
  registration: { gstRegistered: boolean },
  facts: Pick<RegisterFacts, 'status' | 'gstSince'> | null,
  today: LocalDate,
): RegisterProblem | null {
  if (!facts) return null
  if (facts.status !== 'active') return facts.status
  return registration.gstRegistered && !hasGstOn(facts, today) ? 'gst' : null
}

const hasGstOn = ({ gstSince }: Pick<RegisterFacts, 'gstSince'>, day: LocalDate) =>
  gstSince !== null && gstSince <= day

/** How a registration stands with the register. */
export type RegisterStanding = {
  /** 'unchecked' where no register is asked, 'waiting' until it has answered. */
  state: 'unchecked' | 'waiting' | RegisterFacts['status']
  problem: RegisterProblem | null
  /** Both names of an active ABN differ from the registration's. */
  hasOtherName: boolean
  /** The register has GST, and the vendor hasn't ticked it. */
  hasMoreGst: boolean
}

/** @param input.isAsked whether this deployment asks a register */
export function standingOf(
  registration: { businessName: string; gstRegistered: boolean },
  input: { facts: RegisterFacts | null; isAsked: boolean; today: LocalDate },
): RegisterStanding {
  const { facts, isAsked, today } = input
  const problem = problemOf(registration, facts, today)
  if (!facts)
    return { state: isAsked ? 'waiting' : 'unchecked', problem, hasOtherName: false, hasMoreGst: false }
  const isActive = facts.status === 'active'
  return {
    state: facts.status,
    problem,
    hasOtherName: isActive && !hasName(facts, registration.businessName),
    hasMoreGst: isActive && !registration.gstRegistered && hasGstOn(facts, today),
  }
}

function hasName({ entityName, businessNames }: RegisterFacts, name: string): boolean {
  const names = [entityName, ...businessNames].filter((each) => each !== '')
  return names.length === 0 || names.some((each) => isSameName(each, name))
}

/** Whether two names are the same but for case, accents, punctuation, word order of a person, and words of the company form. */
export function isSameName(one: string, other: string): boolean {
  const [first, second] = [wordsOf(one), wordsOf(other)]
  if (first.join(' ') === second.join(' ')) return true
  // The register writes people as 'SMITH, JOHN'.
  const isPerson = one.includes(',') || other.includes(',')
  return isPerson && first.toSorted().join(' ') === second.toSorted().join(' ')
}

const MARKS = /\p{M}/gu
const APOSTROPHES = /['’`.]/g
const NO_WORDS = /[^\p{L}\p{N}]+/gu
/** Words of the company form, and of how a trust is named. */
const FORM_WORDS = new Set([
  'pty',
  'proprietary',
  'ltd',
  'limited',
  'pl',
  'the',
  'trustee',
  'for',
  'as',
  'and',
  'atf',
])

function wordsOf(name: string): string[] {
  const words = normalForm(name, 'NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replaceAll('p/l', 'pl')
    .replace(APOSTROPHES, '')
    .replace(NO_WORDS, ' ')
    .trim()
    .split(' ')
  const own = words.filter((word) => !FORM_WORDS.has(word))
  // 'The Limited' has nothing else.
  return own.length > 0 ? own : words
}

/** The form's structure for the register's kind of entity; null for what it hasn't, such as a government entity. */
export function structureOf(entityType: string): BusinessStructure | null {
  const text = entityType.toLowerCase()
  if (text.includes('sole trader')) return 'Sole Trader'
  if (text.includes('trust')) return 'Trust'
  if (text.includes('partnership')) return 'Partnership'
  return text.endsWith('company') ? 'Company' : null
}

/** The name to suggest for an ABN: its first business name, or its entity's, a person's with the given names first. */
export function nameOf({
  businessNames,
  entityName,
}: Pick<RegisterEntry, 'businessNames' | 'entityName'>): string {
  const [businessName] = businessNames
  if (businessName) return businessName
  const [surname = '', given] = entityName.split(/, /)
  return given ? `${given} ${surname}` : entityName
}

/** An answer with the time during which the register has given it. */
export type RegisterAnswer = RegisterFacts & { firstAt: Date; lastAt: Date }

/** The register's answer about GST on a day. */
export type GstAnswer = 'registered' | 'not_registered' | 'no_answer'

/**
 * Returns the register's word on an ABN's GST on the day of a supply, by all that it has answered. A later answer may prove
 * more about the day than the ones before it: GST since an earlier day, or an ABN that was cancelled by then. Otherwise the
 * answer of that day holds, which is the last one by then.
 * @param answers of one ABN, oldest first
 * @returns 'no_answer' where the register wasn't asked by then, and no later answer proves anything
 */
export function gstAt(answers: readonly RegisterAnswer[], day: LocalDate): GstAnswer {
  // The newest that says something about the day.
  for (const answer of answers.toReversed()) {
    const isByThen = registerDay(answer.firstAt) <= day
    if (answer.status === 'active' && hasGstOn(answer, day) && (answer.statusSince ?? '') <= day)
      return 'registered'
    if (answer.status === 'cancelled' && answer.statusSince !== null && answer.statusSince <= day)
      return 'not_registered'
    if (isByThen) return 'not_registered'
  }
  return 'no_answer'
}

/** The register is asked again about each registration once a day. */
export const ASKED_AGAIN_AFTER_MS = DAY_MS
const LONGEST_PAUSE_MS = 6 * HOUR_MS
const MOST_DOUBLINGS = 9

/** How long to wait after this many asks in a row without an answer, from 1: a minute, doubling, six hours at most. */
export function pauseAfterFailures(failures: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.min(failures - 1, MOST_DOUBLINGS), LONGEST_PAUSE_MS)
}

/** An answer is kept this long after its ABN has no registration any more, as tax documents are. */
export const ANSWERS_KEPT_YEARS = 5
