import type { Operation } from './schema.ts'

/** The roles of operators. A role alone decides what an operator may do (Decision 44), and only by this file's table. */
export const ROLES = ['support', 'finance', 'admin'] as const
export type Role = (typeof ROLES)[number]

const EVERY_ROLE = ROLES
const MODERATORS = ['support', 'admin'] as const
const TREASURERS = ['finance', 'admin'] as const

/** The roles that have each permission. */
export const PERMISSIONS = {
  'see-payments': EVERY_ROLE,
  // Sums over all vendors. Support sees single payments.
  'see-volume': TREASURERS,
  // Thousands of people's names and addresses in one file.
  'export-lists': TREASURERS,
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

/**
 * Each button: the permission that it needs, and whether the operator has to have proved who they are within ten minutes.
 * A fresh proof is asked for when money moves or starts to, when a bank or a person gets a final answer, and when rights or
 * an account are given or taken. A withdrawn proposal, a question, a hold and moderation take nothing that can't be given back.
 */
export const OPERATIONS = {
  ask: { permission: 'ask-provider', asksAgain: false },
  'retry-refund': { permission: 'move-money', asksAgain: true },
  refund: { permission: 'move-money', asksAgain: true },
  'cancel-booking': { permission: 'move-money', asksAgain: true },
  'confirm-cancellation': { permission: 'move-money', asksAgain: true },
  'drop-cancellation': { permission: 'move-money', asksAgain: false },
  'confirm-refund': { permission: 'move-money', asksAgain: true },
  'drop-refund': { permission: 'move-money', asksAgain: false },
  'refund-again': { permission: 'move-money', asksAgain: true },
  'paid-otherwise': { permission: 'move-money', asksAgain: true },
  'order-payout': { permission: 'move-money', asksAgain: true },
  'confirm-order': { permission: 'move-money', asksAgain: true },
  'drop-order': { permission: 'move-money', asksAgain: false },
  'hold-payouts': { permission: 'hold-payouts', asksAgain: false },
  'release-payouts': { permission: 'hold-payouts', asksAgain: true },
  compare: { permission: 'reconcile', asksAgain: false },
  prove: { permission: 'reconcile', asksAgain: false },
  'set-category-rate': { permission: 'set-rates', asksAgain: true },
  'set-vendor-rate': { permission: 'set-rates', asksAgain: true },
  'submit-evidence': { permission: 'answer-disputes', asksAgain: true },
  'accept-dispute': { permission: 'answer-disputes', asksAgain: true },
  'confirm-answer': { permission: 'answer-disputes', asksAgain: true },
  'drop-answer': { permission: 'answer-disputes', asksAgain: false },
  'approve-review': { permission: 'moderate', asksAgain: false },
  'reject-review': { permission: 'moderate', asksAgain: false },
  'hide-listing': { permission: 'moderate', asksAgain: false },
  'show-listing': { permission: 'moderate', asksAgain: false },
  'close-report': { permission: 'read-reports', asksAgain: false },
  'disable-account': { permission: 'disable-accounts', asksAgain: true },
  'enable-account': { permission: 'disable-accounts', asksAgain: true },
  'name-operator': { permission: 'name-operators', asksAgain: true },
  'change-role': { permission: 'name-operators', asksAgain: true },
  'remove-operator': { permission: 'name-operators', asksAgain: true },
  'confirm-naming': { permission: 'name-operators', asksAgain: true },
  'drop-naming': { permission: 'name-operators', asksAgain: false },
} as const satisfies Record<Operation['intent'], { permission: Permission; asksAgain: boolean }>

/**
 * The permission that each screen needs, by the second part of its address; the overview is the address itself, and shows
 * each role its own figures. A screen that isn't here opens for nobody.
 */
const SCREEN_PERMISSIONS = new Map<string, Permission>([
  ['', 'see-payments'],
  ['payments', 'see-payments'],
  ['bookings', 'see-payments'],
  ['search', 'see-payments'],
  ['export', 'export-lists'],
  ['disputes', 'see-disputes'],
  ['payouts', 'see-payouts'],
  ['vendors', 'see-vendors'],
  ['ledger', 'reconcile'],
  ['comparison', 'reconcile'],
  ['reviews', 'moderate'],
  ['listings', 'moderate'],
  ['reports', 'read-reports'],
  ['accounts', 'see-accounts'],
  ['see-as', 'see-as'],
  ['people', 'name-operators'],
  ['log', 'see-log'],
])

export function may(role: Role, permission: Permission): boolean {
  return rolesWith(permission).includes(role)
}

/** Whether a change of role lets a person move money, or name those who do, for the first time. */
export function isRaise(former: Role | null, role: Role | null): boolean {
  if (role === null || !may(role, 'move-money')) return false
  return former === null || !may(former, 'move-money') || (role === 'admin' && former !== 'admin')
}

export function rolesWith(permission: Permission): readonly Role[] {
  return PERMISSIONS[permission]
}

/**
 * The permission that an operators' screen needs; null for one that isn't in the table.
 * @param pattern of the route, which React Router writes without the first slash, or its address without parameters
 */
export function permissionOfScreen(pattern: string): Permission | null {
  const [, screen = ''] = pattern.split('/').filter(Boolean)
  return SCREEN_PERMISSIONS.get(screen) ?? null
}

/** Whether a role may open the screen with this pattern. */
export function mayOpen(role: Role, pattern: string): boolean {
  const permission = permissionOfScreen(pattern)
  return permission !== null && may(role, permission)
}

/** The permission that a posted intent needs; null for none that we know. */
export function permissionOfIntent(intent: unknown): Permission | null {
  return typeof intent === 'string' && Object.hasOwn(OPERATIONS, intent)
    ? OPERATIONS[intent as Operation['intent']].permission
    : null
}

/** The refusal of an operator whose role isn't enough, as the 403 page shows it. */
export type RoleRefusal = { role: Role; needs: readonly Role[] }
