import type { AgreementStanding } from '../agreements/rules.ts'
import type { PayoutAccount } from './queries.server.ts'
import type { StoredRequirement } from './rules.ts'

/** How far a vendor is with being paid: the first thing that is missing. */
export type SetupState =
  /** The provider needs the registration's name and kind of business. */
  | 'not_registered'
  | 'not_agreed'
  /** The agreement has changed, and the earlier one still holds. */
  | 'agreement_changed'
  | 'not_started'
  /** The provider's form was opened and not finished. */
  | 'not_finished'
  /** The provider is checking, and nothing is wanted of the vendor. */
  | 'in_review'
  /** The provider pays, and wants something by a certain day. */
  | 'needs_more'
  /** The provider has stopped paying. */
  | 'paused'
  | 'ready'
  | 'rejected'

/** The screens from which a vendor sets up payouts, and to which the chain leads back. */
export const BEGINNINGS = ['payouts', 'dashboard', 'listings'] as const
export type Beginning = (typeof BEGINNINGS)[number]

/** Reads where the chain began from an address, which may hold anything; the payouts screen if it says nothing. */
export function beginningIn(params: URLSearchParams): Beginning {
  return BEGINNINGS.find((each) => each === params.get('from')) ?? 'payouts'
}

/** Adds where the chain began to an address of the chain. */
export function withBeginning(path: string, from: Beginning): string {
  return from === 'payouts' ? path : `${path}${path.includes('?') ? '&' : '?'}from=${from}`
}

/** How many of the three steps Business, Agreement and Bank are done; null once there is no chain to follow. */
export function stepsDone(state: SetupState): number | null {
  switch (state) {
    case 'not_registered':
      return 0
    case 'not_agreed':
      return 1
    case 'not_started':
    case 'not_finished':
      return 2
    case 'in_review':
      return 3
    default:
      return null
  }
}

/** Whether a vendor has nothing left to set up. What the provider wants later, or refuses, is no step of the chain. */
export function isSetUp(state: SetupState): boolean {
  return (stepsDone(state) ?? 3) === 3
}

/** Returns the requirements that the vendor can meet, and the earliest time by which one is due. */
export function wantedOf(requirements: readonly StoredRequirement[]): {
  codes: string[]
  dueAt: Date | null
} {
  const wanted = requirements.filter(({ awaiting }) => awaiting === 'vendor')
  const times = wanted.flatMap(({ dueAt }) => (dueAt ? [dueAt] : [])).sort()
  return { codes: wanted.map(({ code }) => code), dueAt: times[0] ? new Date(times[0]) : null }
}

/** How far a vendor is with being paid. @param facts.account null before there is one */
export function setupState(facts: {
  isRegistered: boolean
  agreement: AgreementStanding['state']
  account: Pick<PayoutAccount, 'state' | 'requirements'> | null
}): SetupState {
  const { account } = facts
  if (account?.state === 'rejected') return 'rejected'
  if (!facts.isRegistered) return 'not_registered'
  if (facts.agreement === 'missing') return 'not_agreed'
  const isWanted = account !== null && wantedOf(account.requirements).codes.length > 0
  switch (account?.state) {
    case undefined:
    case 'none':
    case 'closed':
      return 'not_started'
    case 'started':
      return 'not_finished'
    case 'in_review':
      return isWanted ? 'not_finished' : 'in_review'
    case 'restricted':
      return 'paused'
    case 'active':
      if (isWanted) return 'needs_more'
      return facts.agreement === 'changed' ? 'agreement_changed' : 'ready'
  }
}
