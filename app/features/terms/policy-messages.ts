import {
  COOLING_OFF_DAYS_BEFORE,
  COOLING_OFF_HOURS,
  type ListingTerms,
  POLICIES,
  type PolicyName,
  type Tier,
} from './rules.ts'

// The words of policies and plans. Figures come from the rules, so that no text says otherwise.

export const POLICY_LABELS = {
  flexible: 'Flexible',
  moderate: 'Moderate',
  long: 'Long',
} as const satisfies Record<PolicyName, string>

/** '1 day', '30 days'. */
export const daysText = (days: number) => (days === 1 ? '1 day' : `${days} days`)

/** '20%', '12.5%'. @param basisPoints hundredths of a percent */
export const shareText = (basisPoints: number) => `${basisPoints / 100}%`

/** 'You get everything back until 30 days before the event, 50% until 7 days before, and nothing after that.' */
export function policyText(policy: PolicyName, subject: 'Customers get' | 'You get'): string {
  const tiers = POLICIES[policy].tiers.map((tier, index) => tierText(tier, index === 0))
  return `${subject} ${tiers.join(', ')}, and nothing after that.`
}

function tierText({ daysBefore, shareBasisPoints }: Tier, isFirst: boolean): string {
  const share = shareBasisPoints === 10_000 ? 'everything back' : shareText(shareBasisPoints)
  return `${share} until ${daysText(daysBefore)} before${isFirst ? ' the event' : ''}`
}

/** The deadline of an unpaid part of a price, to the customer. @param by its time in words */
export const payOrEndText = (by: string) =>
  `Pay by ${by}, or we’ll cancel the booking. Its cancellation terms then say what you get back.`

/** The rules that hold under every policy. */
export const EVERY_POLICY_TEXT = `Whatever you choose, customers get everything back for ${COOLING_OFF_HOURS} hours after they pay if the event is ${COOLING_OFF_DAYS_BEFORE} days or more away, and always if it’s you who cancels.`

/** ['Free cancellation until 30 days before', '20% deposit']: the terms of a listing on its page. */
export function termsTexts({ policy, plan }: ListingTerms): [cancelling: string, deposit?: string] {
  const free = POLICIES[policy].tiers[0]
  const cancelling = `Free cancellation until ${daysText(free.daysBefore)} before`
  return plan.kind === 'deposit'
    ? [cancelling, `${shareText(plan.depositBasisPoints)} deposit`]
    : [cancelling]
}

/** 'Free cancellation until 30 days before · 20% deposit'. */
export function termsLine(terms: ListingTerms): string {
  return termsTexts(terms).join(' · ')
}
