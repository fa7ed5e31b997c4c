import { formatShortMoney } from '../../shared/money.ts'

export const OCCASIONS_TITLE = 'Occasions'
export const OCCASIONS_HEADING = 'What are you planning?'
export const OCCASIONS_INTRO =
  'Every gathering needs a few of the same people, in a different order. Say when, how many and roughly how much, then start with what books out first.'
export const PLAN_LABEL = 'Your plans'
export const ANY_MONTH = 'Not sure yet'
export const PLAN_SUBMIT = 'Use this for every search'

/** Beside a trade: 'about $6,600'. @param cents its share of the budget */
export const aboutText = (cents: number) => `about ${formatShortMoney(cents)}`
