import type {
  AccountStep,
  DisputeStep,
  PayoutStep,
  RefundStep,
  SavedCardStep,
  WebhookChoice,
} from './rules.ts'

export const CLOCK_STEP_INVALID =
  'Enter whole numbers: at most 1,460 days, 23 hours and 59 minutes, and more than nothing.'
export const CLOCK_TOO_FAR =
  'The clock can be at most four years ahead. Start again with an empty data folder.'
export const PAYMENT_MISSING = 'Name the payment by the provider’s reference.'

export const ACCOUNT_MISSING = 'Name the account by the provider’s reference.'

export const SANDBOX_REFUSALS = {
  too_far: CLOCK_TOO_FAR,
  not_charged: 'This payment hasn’t been charged, or has been refunded in full.',
  disputed: 'This payment already has an open dispute.',
  no_dispute: 'This payment has no open dispute.',
  inquiry: 'An inquiry can only be closed, and a dispute only won or lost.',
  no_refund: 'This payment has no refund that can move there.',
  no_card: 'This payment has saved no card.',
  no_account: 'There is no such account.',
  rejected: 'This account has been closed or refused for good.',
  no_payout: 'This account has no payout that can move there.',
} as const

type StepTexts = {
  dispute: Record<DisputeStep, string>
  refund: Record<RefundStep, string>
  'saved-card': Record<SavedCardStep, string>
  account: Record<AccountStep, string>
  payout: Record<PayoutStep, string>
}

export const STEP_LABELS = {
  dispute: {
    open: 'Open a dispute',
    inquire: 'Open an inquiry',
    win: 'Win the dispute',
    lose: 'Lose the dispute',
    close: 'Close the inquiry',
  },
  refund: { succeed: 'Let the refund succeed', fail: 'Let the refund come back' },
  'saved-card': {
    approved: 'Let it be paid',
    authentication_required: 'Ask for approval',
    insufficient_funds: 'Refuse for lack of funds',
    generic_decline: 'Refuse it',
    expired_card: 'Refuse it as expired',
    lost_card: 'Refuse it as lost',
    stolen_card: 'Refuse it as stolen',
  },
  account: {
    complete: 'Complete the account',
    review: 'Look at the account again',
    restrict: 'Ask for a document',
    close: 'Close the account',
    reject: 'Refuse the account',
  },
  payout: { pay: 'Let the payout arrive', fail: 'Let the payout come back' },
} as const satisfies StepTexts

const NEXT_CHARGE_SET = 'Set for the next charge of the saved card'

export const STEP_DONE = {
  dispute: {
    open: 'Dispute opened',
    inquire: 'Inquiry opened',
    win: 'Dispute won',
    lose: 'Dispute lost',
    close: 'Inquiry closed',
  },
  refund: { succeed: 'Refund succeeded', fail: 'Refund came back' },
  'saved-card': {
    approved: NEXT_CHARGE_SET,
    authentication_required: NEXT_CHARGE_SET,
    insufficient_funds: NEXT_CHARGE_SET,
    generic_decline: NEXT_CHARGE_SET,
    expired_card: NEXT_CHARGE_SET,
    lost_card: NEXT_CHARGE_SET,
    stolen_card: NEXT_CHARGE_SET,
  },
  account: {
    complete: 'Account completed',
    review: 'Account in review',
    restrict: 'Document asked for',
    close: 'Account closed',
    reject: 'Account refused',
  },
  payout: { pay: 'Payout arrived', fail: 'Payout came back' },
} as const satisfies StepTexts

/** The message after a step. */
export function doneText(
  operation: {
    [Intent in keyof StepTexts]: { intent: Intent; step: keyof StepTexts[Intent] }
  }[keyof StepTexts],
): string {
  const texts: Record<string, string> = STEP_DONE[operation.intent]
  return texts[operation.step] ?? ''
}

export const WEBHOOK_LABELS = {
  at_once: 'at once',
  late: 'up to a minute late',
  twice: 'twice',
  out_of_order: 'out of order',
  never: 'never',
} as const satisfies Record<WebhookChoice, string>

export const CLOCK_MOVED = 'Clock moved. Each scheduled job runs once now.'
