/** How far a new vendor is. */
export type FirstStepFacts = {
  hasListing: boolean
  /** Whether the vendor has said for one of their listings when they work. */
  hasHours: boolean
  /** Whether payouts are set up; null while vendors aren't paid by us. */
  isPaid: boolean | null
  isRegistered: boolean
  isBooked: boolean
}

/** The first steps in the order of consequence: unlisted means unseen, without hours customers book the wrong day, and so on. */
export const FIRST_STEP_KEYS = ['list', 'hours', 'payouts', 'abn', 'share', 'booking'] as const
export type FirstStepKey = (typeof FIRST_STEP_KEYS)[number]

/** Lists the first steps in order, without payouts where vendors aren't paid by us. A page is shared until it is booked. */
export function firstStepsOf(facts: FirstStepFacts): { key: FirstStepKey; isDone: boolean }[] {
  const done = {
    list: facts.hasListing,
    hours: facts.hasHours,
    payouts: facts.isPaid,
    abn: facts.isRegistered,
    share: facts.isBooked,
    booking: facts.isBooked,
  } as const satisfies Record<FirstStepKey, boolean | null>
  return FIRST_STEP_KEYS.flatMap((key) => (done[key] === null ? [] : [{ key, isDone: done[key] }]))
}

/** The steps to offer right after a listing is public: the first two that are open. Sharing stands beside them. */
export function nextStepsOf(facts: FirstStepFacts): Exclude<FirstStepKey, 'share'>[] {
  return firstStepsOf(facts)
    .flatMap(({ key, isDone }) => (isDone || key === 'share' || key === 'booking' ? [] : [key]))
    .slice(0, 2)
}
