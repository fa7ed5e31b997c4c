/** The password policy's schema (Specification, section 5); a browser that knows another version does not guess. */
export const POLICY_SCHEMA_VERSION = 1
/** Specification, section 9: the default minimum length of a password. */
export const DEFAULT_MIN_PASSWORD_LENGTH = 6
/** However the policy is set, nothing longer is read: it is no password then. */
export const LONGEST_PASSWORD = 4_096

/** What a new password must have. Lengths are in characters as people count them. */
export type PasswordPolicy = {
  minLength: number
  maxLength: number | null
  lowercase: boolean
  uppercase: boolean
  numeric: boolean
  nonAlphanumeric: boolean
}

export type PasswordRequirement = keyof PasswordPolicy

const CHARACTERS = {
  lowercase: /\p{Ll}/u,
  uppercase: /\p{Lu}/u,
  numeric: /\p{Nd}/u,
  nonAlphanumeric: /[^\p{L}\p{M}\p{N}]/u,
} as const satisfies Partial<Record<PasswordRequirement, RegExp>>

/** The requirements that the policy makes, in the order in which a form lists them. */
export function requirementsOf(policy: PasswordPolicy): PasswordRequirement[] {
  const all: PasswordRequirement[] = [
    'minLength',
    'maxLength',
    'lowercase',
    'uppercase',
    'numeric',
    'nonAlphanumeric',
  ]
  return all.filter((requirement) => policy[requirement] !== null && policy[requirement] !== false)
}

/**
 * Which requirements a password does not meet (Specification, section 5). The form shows it, the server decides by it.
 * @returns empty when the password may be chosen
 */
export function unmetRequirements(policy: PasswordPolicy, password: string): PasswordRequirement[] {
  const length = [...password].length
  return requirementsOf(policy).filter((requirement) => {
    if (requirement === 'minLength') return length < policy.minLength
    if (requirement === 'maxLength') return length > (policy.maxLength ?? LONGEST_PASSWORD)
    return !CHARACTERS[requirement].test(password)
  })
}

/** Whether a password may be chosen. */
export function meetsPolicy(policy: PasswordPolicy, password: string): boolean {
  return password.length <= LONGEST_PASSWORD && unmetRequirements(policy, password).length === 0
}

/** The policy as the server publishes it, in the names of the hosted service's own answer. */
export type PasswordPolicyDocument = {
  schemaVersion: number
  customStrengthOptions: {
    minPasswordLength: number
    maxPasswordLength?: number
    containsLowercaseCharacter?: true
    containsUppercaseCharacter?: true
    containsNumericCharacter?: true
    containsNonAlphanumericCharacter?: true
  }
  enforcementState: 'ENFORCE'
  forceUpgradeOnSignin: false
}

/** Writes the policy's document. What is not required is left out. */
export function toPolicyDocument(policy: PasswordPolicy): PasswordPolicyDocument {
  return {
    schemaVersion: POLICY_SCHEMA_VERSION,
    customStrengthOptions: {
      minPasswordLength: policy.minLength,
      ...(policy.maxLength === null ? {} : { maxPasswordLength: policy.maxLength }),
      ...(policy.lowercase ? { containsLowercaseCharacter: true } : {}),
      ...(policy.uppercase ? { containsUppercaseCharacter: true } : {}),
      ...(policy.numeric ? { containsNumericCharacter: true } : {}),
      ...(policy.nonAlphanumeric ? { containsNonAlphanumericCharacter: true } : {}),
    },
    enforcementState: 'ENFORCE',
    forceUpgradeOnSignin: false,
  }
}

const BROWSERS: readonly [pattern: RegExp, name: string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|HeadlessChrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const MACHINES: readonly [pattern: RegExp, name: string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'Chromebook'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/Linux/, 'Linux'],
]

/** What people call the browser of a user agent: 'Chrome on Windows'. Unknown ones are 'Unknown device'. */
export function deviceName(userAgent: string | null): string {
  const find = (names: readonly [RegExp, string][]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1] ?? null
  const browser = find([...BROWSERS])
  const machine = find([...MACHINES])
  if (browser && machine) return `${browser} on ${machine}`
  return browser ?? machine ?? 'Unknown device'
}

/** Whether a device is held in the hand, for its picture. */
export function isHandheld(userAgent: string | null): boolean {
  return /iPhone|iPad|Android|Mobile/.test(userAgent ?? '')
}

/** Mails that somebody can turn off. Those about one's own bookings and one's own account's safety always come. */
export const MAIL_PREFERENCES = ['signIns', 'newBookings', 'reminders', 'reviews'] as const
export type MailPreference = (typeof MAIL_PREFERENCES)[number]
export type MailPreferences = Record<MailPreference, boolean>

/** The side in pixels that a profile photo is kept in. */
export const PHOTO_SIZE = 512
/** Specification, section 9, for every image that people hand over: 2 MB. */
export const MAX_PHOTO_BYTES = 2_097_152

/** What one account saves, of all kinds together: a change every five seconds for ten minutes. */
export const WRITE_LIMIT = { max: 120, windowMs: 10 * 60_000 }

/** A path of the account screens that leads on to another one afterwards. @param next already one of our own paths */
export function withNext(path: string, next: string): string {
  return next === '/' ? path : `${path}?next=${encodeURIComponent(next)}`
}

/** The BroadcastChannel on which tabs tell each other that somebody signed in or out. */
export const SESSION_CHANNEL = 'session'
