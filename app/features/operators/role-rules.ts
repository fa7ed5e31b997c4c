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
  // To say that one works on a task, and to write a note on it.
  'work-tasks': EVERY_ROLE,
  moderate: MODERATORS,
  'read-reports': MODERATORS,
  'disable-accounts': MODERATORS,
  'move-money': TREASURERS,
  'answer-disputes': TREASURERS,
  'see-payouts': TREASURERS,
  'hold-payouts': TREASURERS,
  reconcile: TREASURERS,
  'set-rates': TREASURERS,
  // Names, dates of birth and addresses of vendors in one file.
  'report-income': TREASURERS,
  'see-as': MODERATORS,
  'name-operators': ['admin'],
} as const satisfies Record<string, readonly Role[]>
export type Permission = keyof typeof PERMISSIONS

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
  ['tax', 'report-income'],
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
 * The permission that an operators' screen needs; null for a screen that isn't in the table.
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

/** The refusal of an operator whose role isn't enough, as the 403 page shows it. */
export type RoleRefusal = { role: Role; needs: readonly Role[] }
