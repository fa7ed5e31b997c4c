import { normalForm } from '../../shared/normal-form.ts'
import { MINUTE_MS } from '../../shared/time-units.ts'

/**
 * The version of the password policy's schema (Specification, section 5). A browser that supports another version
 * doesn't guess.
 */
export const POLICY_SCHEMA_VERSION = 1
/** The default minimum length of a password, in characters (Specification, section 9). */
export const DEFAULT_MIN_PASSWORD_LENGTH = 6
/** How long a session lasts from its sign-in, by default. */
export const SESSION_DAYS = 30
/** How long an operator's session lasts from its sign-in, by default. */
export const OPERATOR_SESSION_HOURS = 12
/** How long an operator's session lasts unused, by default. It is stored to within five minutes. */
export const OPERATOR_IDLE_MINUTES = 60
/** A longer text is refused unread, whatever the policy: it is no password. */
export const LONGEST_PASSWORD = 4_096

/** The requirements of a new password. Lengths are in characters as people count them. */
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

/** Returns the policy's requirements in the order in which a form lists them. */
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
 * Returns the requirements that a password does not meet (Specification, section 5). The form shows them; the server
 * decides by them.
 * @returns empty when the password is allowed
 */
export function unmetRequirements(policy: PasswordPolicy, password: string): PasswordRequirement[] {
  const length = [...password].length
  return requirementsOf(policy).filter((requirement) => {
    if (requirement === 'minLength') return length < policy.minLength
    if (requirement === 'maxLength') return length > (policy.maxLength ?? LONGEST_PASSWORD)
    return !CHARACTERS[requirement].test(password)
  })
}

/** Whether a password is allowed. */
export function meetsPolicy(policy: PasswordPolicy, password: string): boolean {
  return password.length <= LONGEST_PASSWORD && unmetRequirements(policy, password).length === 0
}

/** Shorter names and addresses are parts of too many good passwords. */
const SHORTEST_OWN_WORD = 4

/**
 * Whether a password contains its owner's address, the part before the @, or the site's name, in any case. A guesser
 * tries these first.
 */
export function containsOwnWord(password: string, own: { email: string; brand: string }): boolean {
  const plain = simplify(password)
  const email = simplify(own.email)
  const local = email.slice(0, email.lastIndexOf('@'))
  const [untagged = ''] = local.split('+')
  return (
    [local, untagged, simplify(own.brand)].some(
      (word) => [...word].length >= SHORTEST_OWN_WORD && plain.includes(word),
    ) ||
    (email.includes('@') && plain.includes(email))
  )
}

/** Compatibility forms, case and spaces make no password harder to guess. */
const simplify = (text: string) => normalForm(text, 'NFKC').toLowerCase().replace(/\s+/gu, '')

/** The policy as the server publishes it, with the field names of the hosted service. */
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

/** Builds the policy's document, without what is not required. */
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

/** Returns a readable name for the browser of a user agent: 'Chrome on Windows', or 'Unknown device'. */
export function deviceName(userAgent: string | null): string {
  const find = (names: readonly [RegExp, string][]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1] ?? null
  const browser = find([...BROWSERS])
  const machine = find([...MACHINES])
  if (browser && machine) return `${browser} on ${machine}`
  return browser ?? machine ?? 'Unknown device'
}

/** Whether the device is a phone or tablet, for its picture. */
export function isHandheld(userAgent: string | null): boolean {
  return /iPhone|iPad|Android|Mobile/.test(userAgent ?? '')
}

/** Mails that can be turned off. Mails about one's own bookings and account security are always sent. */
export const MAIL_PREFERENCES = ['signIns', 'newBookings', 'reminders', 'reviews'] as const
export type MailPreference = (typeof MAIL_PREFERENCES)[number]
export type MailPreferences = Record<MailPreference, boolean>

/** The side of a stored profile photo, in pixels. */
export const PHOTO_SIZE = 512
/** The limit of every image upload: 2 MB (Specification, section 9). */
export const MAX_PHOTO_BYTES = 2_097_152

/** The limit of one account's changes of all kinds together: one every five seconds for ten minutes. */
export const WRITE_LIMIT = { max: 120, windowMs: 10 * MINUTE_MS }

/**
 * Returns a path of the account screens that leads to another one afterwards.
 * @param next already validated as one of our own paths
 */
export function withNext(path: string, next: string): string {
  return next === '/' ? path : `${path}?next=${encodeURIComponent(next)}`
}

/** The BroadcastChannel on which tabs tell each other about signing in and out. */
export const SESSION_CHANNEL = 'session'
