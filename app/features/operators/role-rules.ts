import { href } from 'react-router'
import type { Operation } from './schema.ts'

/** What an operator may do depends on their role alone (Decision 44). This file is the only table of it. */
export const ROLES = ['support', 'finance', 'admin'] as const
export type Role = (typeof ROLES)[number]

const EVERY_ROLE = ROLES
const MODERATORS = ['support', 'admin'] as const
const TREASURERS = ['finance', 'admin'] as const

/** The roles that have each permission. */
export const PERMISSIONS = {
  'see-payments': EVERY_ROLE,
  'ask-provider': EVERY_ROLE,
  'see-disputes': EVERY_ROLE,
  'see-vendors': EVERY_ROLE,
  'see-accounts': EVERY_ROLE,
  'see-log': EVERY_ROLE,
  moderate: MODERATORS,
  'read-reports': MODERATORS,
  'disable-accounts': MODERATORS,
  'move-money': TREASURERS,
  'answer-disputes': TREASURERS,
  'see-payouts': TREASURERS,
  'hold-payouts': TREASURERS,
  reconcile: TREASURERS,
  'set-rates': TREASURERS,
  'see-as': MODERATORS,
  'name-operators': ['admin'],
} as const satisfies Record<string, readonly Role[]>
export type Permission = keyof typeof PERMISSIONS

/** The permission that each button needs. */
export const OPERATION_PERMISSIONS = {
  ask: 'ask-provider',
  'retry-refund': 'move-money',
  refund: 'move-money',
  'cancel-booking': 'move-money',
  'confirm-cancellation': 'move-money',
  'drop-cancellation': 'move-money',
  'confirm-refund': 'move-money',
  'drop-refund': 'move-money',
  'refund-again': 'move-money',
  'paid-otherwise': 'move-money',
  'order-payout': 'move-money',
  'confirm-order': 'move-money',
  'drop-order': 'move-money',
  'hold-payouts': 'hold-payouts',
  'release-payouts': 'hold-payouts',
  compare: 'reconcile',
  prove: 'reconcile',
  'set-category-rate': 'set-rates',
  'set-vendor-rate': 'set-rates',
  'submit-evidence': 'answer-disputes',
  'accept-dispute': 'answer-disputes',
  'confirm-answer': 'answer-disputes',
  'drop-answer': 'answer-disputes',
  'approve-review': 'moderate',
  'reject-review': 'moderate',
  'hide-listing': 'moderate',
  'show-listing': 'moderate',
  'close-report': 'read-reports',
  'disable-account': 'disable-accounts',
  'enable-account': 'disable-accounts',
  'name-operator': 'name-operators',
  'change-role': 'name-operators',
  'remove-operator': 'name-operators',
} as const satisfies Record<Operation['intent'], Permission>

/** The permission that each screen needs, by the pattern of its address. A screen that isn't here opens for nobody. */
const SCREEN_PERMISSIONS = new Map<string, Permission>([
  [href('/operations'), 'see-payments'],
  [href('/operations/payments/:id', { id: ':id' }), 'see-payments'],
  [href('/operations/disputes/:id?'), 'see-disputes'],
  [href('/operations/payouts'), 'see-payouts'],
  [href('/operations/vendors/:id', { id: ':id' }), 'see-vendors'],
  [href('/operations/ledger'), 'reconcile'],
  [href('/operations/comparison'), 'reconcile'],
  [href('/operations/reviews'), 'moderate'],
  [href('/operations/listings'), 'moderate'],
  [href('/operations/reports/:id?'), 'read-reports'],
  [href('/operations/accounts'), 'see-accounts'],
  [href('/operations/see-as/:step?'), 'see-as'],
  [href('/operations/people'), 'name-operators'],
  [href('/operations/log'), 'see-log'],
])

export function may(role: Role, permission: Permission): boolean {
  return rolesWith(permission).includes(role)
}

export function rolesWith(permission: Permission): readonly Role[] {
  return PERMISSIONS[permission]
}

/**
 * The permission that a screen needs; null for an address that is no operators' screen.
 * @param pattern of the route, which React Router writes without the first slash, or its address without parameters
 */
export function permissionOfScreen(pattern: string): Permission | null {
  return SCREEN_PERMISSIONS.get(`/${pattern.replace(/^\//, '').replace(/\/:\w+\?$/, '')}`) ?? null
}

/** Whether a role may open the screen with this pattern. */
export function mayOpen(role: Role, pattern: string): boolean {
  const permission = permissionOfScreen(pattern)
  return permission !== null && may(role, permission)
}

/** The permission that a posted intent needs; null for none that we know. */
export function permissionOfIntent(intent: unknown): Permission | null {
  return typeof intent === 'string' && Object.hasOwn(OPERATION_PERMISSIONS, intent)
    ? OPERATION_PERMISSIONS[intent as Operation['intent']]
    : null
}

/**
 * An account's role; null for everybody but operators.
 * @param adminEmails the addresses that the settings name, in lower case
 */
export function roleOf(
  user: { email: string; emailVerified: boolean; operatorRole: Role | null },
  adminEmails: ReadonlySet<string>,
): Role | null {
  if (!user.emailVerified) return null
  return adminEmails.has(user.email.toLowerCase()) ? 'admin' : user.operatorRole
}

/** The refusal of an operator whose role isn't enough, as the 403 page shows it. */
export type RoleRefusal = { role: Role; needs: readonly Role[] }
