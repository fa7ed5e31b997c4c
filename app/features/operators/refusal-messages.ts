import { TOO_LATE } from './dispute-messages.ts'
import { ADMIN_LEFT, NAMING_REFUSALS, OTHER_PROVIDER } from './messages.ts'

/** Why an operator's act is refused, in words. An act may say some of them in its own way. */
export const REFUSALS = {
  not_found: 'That no longer exists.',
  provider_unavailable: 'The provider didn’t answer. Try again in a minute.',
  other_provider: OTHER_PROVIDER,
  not_paid: 'This payment hasn’t been paid, so there’s nothing to refund.',
  not_failed: 'Someone has already settled this refund.',
  blocked_by_dispute:
    'The customer’s bank is deciding about this payment, so don’t pay this refund another way yet. Look again once the dispute is over.',
  other_account: 'The customer has changed the account since. Open it again.',
  already_over: 'This booking was declined or withdrawn before.',
  not_failing: 'This refund is no longer failing.',
  own_account: 'You can’t disable your own account.',
  held: 'This is already held.',
  released: 'Someone has released it already.',
  changed: 'This has changed since you opened the page. Reload it and look again.',
  other_rest:
    'Another amount is left of this payment than you saw: another refund may have been made a moment ago. Reload the page and look again.',
  moving: 'A transfer is on its way. Look again in a minute.',
  waiting: 'An order about this already waits for a second person.',
  settled: 'Someone has decided about this order already.',
  expired: 'This order has waited for more than 3 days. Place it again.',
  own_order: 'Another operator has to confirm your order.',
  named_lately: 'You got your role less than 3 days ago. Another operator has to confirm this.',
  named_by_asker:
    'The person who asks for this also gave you your role. Another operator has to confirm this.',
  asker_gone: 'The person who asked for this is no longer an admin. Withdraw it, and ask for it yourself.',
  admin_left: ADMIN_LEFT,
  payouts_off: 'Payouts are switched off.',
  own_rate: 'You can’t set the commission of your own listings. Ask another operator.',
  exists: 'Another rate was set at the same moment. Try again.',
  too_late: TOO_LATE,
  closed: 'Someone has closed this report already.',
  no_address: 'This account is closed or disabled, so there’s no address to write to.',
  no_account: NAMING_REFUSALS.no_account,
  unproved: NAMING_REFUSALS.unproved,
  is_operator: 'This account is an operator’s. Remove their role first.',
  not_operator: 'This person isn’t an operator any more.',
  from_settings: 'The settings name this admin, so only the settings can change that.',
  last_admin: 'This is the last admin. Name another one first.',
  not_over: 'The half-year isn’t over yet.',
  no_reporter: 'Set PLATFORM_NAME and PLATFORM_ABN first: a report needs a name and an ABN.',
  details_missing: 'Details of vendors are missing. Ask them, or leave them for a correction.',
  nothing_changed: 'Nothing has changed since the last report was lodged.',
  not_acceptable: 'The report fails its own check, so it was not made. Ask a developer: it’s a bug.',
  made_again: 'The report was made again since. Reload the page and look again.',
  downloaded:
    'The file of the report made before was downloaded, so it may have been lodged. Note that first, or say that it was not lodged.',
  nothing_missing: 'Nothing is missing from this vendor any more.',
  asked_lately: 'We’ve asked this vendor within the last week.',
  hidden_by_owner: 'Its owner has hidden it. Only they can show it.',
} as const

export type RefusalReason = keyof typeof REFUSALS
