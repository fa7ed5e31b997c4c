import { z } from 'zod'
import {
  DEFAULT_MIN_PASSWORD_LENGTH,
  LONGEST_PASSWORD,
  OPERATOR_IDLE_MINUTES,
  OPERATOR_SESSION_HOURS,
  type PasswordPolicy,
  SESSION_DAYS,
} from '../features/accounts/rules.ts'
import { DAY_MS, HOUR_MS } from '../shared/time-units.ts'
import { loopbackHosts, onOrOff, text } from './checks.server.ts'

const passwordLength = z.coerce.number().int().min(1).max(LONGEST_PASSWORD)

/** The settings of accounts, sessions, operators and passwords. */
export const accountEnvironment = z.object({
  ACCOUNTS: z.enum(['better-auth', 'firebase']).default('better-auth'),
  FIREBASE_API_KEY: text.optional(),
  FIREBASE_AUTH_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/i, 'must be a host name, like jubilee.firebaseapp.com')
    .optional(),
  FIREBASE_PROJECT_ID: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must look like jubilee-12345')
    .optional(),
  FIREBASE_APP_ID: text.optional(),
  FIREBASE_MEASUREMENT_ID: z
    .string()
    .regex(/^G-[A-Z0-9]+$/, 'must look like G-ABC123')
    .optional(),
  FIREBASE_AUTH_EMULATOR_URL: z.url({ protocol: /^http$/ }).optional(),
  OPERATOR_EMAILS: text.default(''),
  OPERATOR_SETUP_UNTIL: z.iso
    .datetime({ offset: true, message: 'must be a time such as 2026-12-01T18:00:00+11:00' })
    .optional(),
  SESSION_DAYS: z.coerce.number().positive().max(365).default(SESSION_DAYS),
  OPERATOR_SESSION_HOURS: z.coerce.number().positive().max(8_760).default(OPERATOR_SESSION_HOURS),
  OPERATOR_IDLE_MINUTES: z.coerce.number().min(10).max(525_600).default(OPERATOR_IDLE_MINUTES),
  PASSWORD_MIN_LENGTH: passwordLength.default(DEFAULT_MIN_PASSWORD_LENGTH),
  PASSWORD_MAX_LENGTH: passwordLength.optional(),
  PASSWORD_LEAK_CHECK_URL: z
    .url({
      protocol: /^https?$/,
      error: 'must be the address of a range service, like https://api.pwnedpasswords.com/range/',
    })
    .refine(isSafeAddress, 'must be https://, since it carries a part of each new password’s hash')
    .optional(),
  PASSWORD_REQUIRE_LOWERCASE: onOrOff.default('0'),
  PASSWORD_REQUIRE_UPPERCASE: onOrOff.default('0'),
  PASSWORD_REQUIRE_NUMERIC: onOrOff.default('0'),
  PASSWORD_REQUIRE_NON_ALPHANUMERIC: onOrOff.default('0'),
})

/** The accounts, their sessions and passwords, and the operators. */
export type AccountConfig = {
  /** The service that signs people in. */
  accounts: { provider: 'better-auth' } | { provider: 'firebase'; emulatorUrl: string | null }
  /** The public configuration of the Firebase project, for sign-in, analytics or both; null without one. */
  firebase: FirebaseProject | null
  operatorEmails: ReadonlySet<string>
  /** How long a session lasts from its sign-in, however much it is used. */
  sessionLifeMs: number
  /** The same of an operator's session, and how long it lasts unused. */
  operatorSession: { lifeMs: number; idleMs: number }
  /** From when operators need a second factor; null in the demo. */
  operatorFactorFrom: Date | null
  /** The policy for new passwords (Specification, section 5). */
  passwordPolicy: PasswordPolicy
  /** The service that knows leaked passwords by a part of their hash; null while it isn't asked. */
  passwordLeakCheckUrl: string | null
}

/** The Firebase project's settings. All of them are public and sent to browsers that need them. */
export type FirebaseProject = {
  apiKey: string
  authDomain: string
  projectId: string
  appId: string
  /** Without it analytics are off (Decision 23). */
  measurementId: string | null
}

/** The admin of the demo. */
export const DEMO_OPERATOR_EMAIL = 'operator@jubilee.example'

/** Reads the settings of accounts, sessions, operators and passwords. */
export function accountConfig(
  set: z.output<typeof accountEnvironment>,
  { demo, firebase }: { demo: boolean; firebase: ReturnType<typeof readFirebase> },
): AccountConfig {
  const operatorEmails = set.OPERATOR_EMAILS.split(',')
    .map((email) => email.trim().toLowerCase())
    .filter(Boolean)
  if (demo) operatorEmails.push(DEMO_OPERATOR_EMAIL)
  return {
    accounts:
      set.ACCOUNTS === 'firebase'
        ? { provider: 'firebase', emulatorUrl: firebase.emulatorUrl }
        : { provider: 'better-auth' },
    firebase: firebase.project,
    operatorEmails: new Set(operatorEmails),
    sessionLifeMs: Math.round(set.SESSION_DAYS * DAY_MS),
    operatorSession: {
      lifeMs: Math.round(set.OPERATOR_SESSION_HOURS * HOUR_MS),
      idleMs: Math.round(set.OPERATOR_IDLE_MINUTES * 60_000),
    },
    operatorFactorFrom: demo ? null : new Date(set.OPERATOR_SETUP_UNTIL ?? 0),
    passwordPolicy: {
      minLength: set.PASSWORD_MIN_LENGTH,
      maxLength: set.PASSWORD_MAX_LENGTH ?? null,
      lowercase: set.PASSWORD_REQUIRE_LOWERCASE === '1',
      uppercase: set.PASSWORD_REQUIRE_UPPERCASE === '1',
      numeric: set.PASSWORD_REQUIRE_NUMERIC === '1',
      nonAlphanumeric: set.PASSWORD_REQUIRE_NON_ALPHANUMERIC === '1',
    },
    passwordLeakCheckUrl: set.PASSWORD_LEAK_CHECK_URL ?? null,
  }
}

/** Finds settings of passwords that contradict each other or have no effect. @param given the settings that are set */
export function accountProblems(
  set: z.output<typeof accountEnvironment>,
  given: Record<string, string | undefined>,
  firebase: ReturnType<typeof readFirebase>,
): string[] {
  const problems: string[] = []
  if (set.PASSWORD_MAX_LENGTH && set.PASSWORD_MAX_LENGTH < set.PASSWORD_MIN_LENGTH)
    problems.push('PASSWORD_MAX_LENGTH: must not be less than PASSWORD_MIN_LENGTH')
  problems.push(...firebase.problems)
  if (set.ACCOUNTS === 'firebase') {
    for (const name of Object.keys(given).filter((key) => key.startsWith('PASSWORD_')))
      problems.push(`${name}: with ACCOUNTS=firebase the password policy is set in the Firebase console`)
  }
  return problems
}

/** The shortest password that NIST and OWASP accept. */
const SAFE_MIN_PASSWORD_LENGTH = 8

/** Finds allowed settings that an operator should reconsider, outside the demo. */
export function findWarnings(
  config: Pick<AccountConfig, 'accounts' | 'passwordPolicy'> & { demo: boolean },
): string[] {
  const { demo, accounts, passwordPolicy } = config
  return !demo && accounts.provider === 'better-auth' && passwordPolicy.minLength < SAFE_MIN_PASSWORD_LENGTH
    ? [
        `PASSWORD_MIN_LENGTH is ${passwordPolicy.minLength}: set it to ${SAFE_MIN_PASSWORD_LENGTH} or more, since shorter passwords are guessed quickly from a stolen database`,
      ]
    : []
}

/** Whether what is sent to an address can't be read on the way. */
function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || loopbackHosts.has(hostname.toLowerCase())
}

type FirebaseSettings = {
  ACCOUNTS: 'better-auth' | 'firebase'
  FIREBASE_API_KEY?: string | undefined
  FIREBASE_AUTH_DOMAIN?: string | undefined
  FIREBASE_PROJECT_ID?: string | undefined
  FIREBASE_APP_ID?: string | undefined
  FIREBASE_MEASUREMENT_ID?: string | undefined
  FIREBASE_AUTH_EMULATOR_URL?: string | undefined
  HOST?: string | undefined
  TRUSTED_PROXY: '0' | '1'
}

/** Reads the project's settings. Only some of them would fail at the first sign-in, so refuse that at the start. */
export function readFirebase(
  set: FirebaseSettings,
  publicUrl: URL,
): { project: FirebaseProject | null; emulatorUrl: string | null; problems: string[] } {
  const { FIREBASE_API_KEY, FIREBASE_AUTH_DOMAIN, FIREBASE_PROJECT_ID, FIREBASE_APP_ID } = set
  const needed = { FIREBASE_API_KEY, FIREBASE_AUTH_DOMAIN, FIREBASE_PROJECT_ID, FIREBASE_APP_ID }
  const { emulatorUrl, problems } = readEmulator(set, publicUrl)
  const wanted =
    set.ACCOUNTS === 'firebase' || set.FIREBASE_MEASUREMENT_ID || Object.values(needed).some(Boolean)
  if (!wanted) return { project: null, emulatorUrl, problems }
  for (const [name, value] of Object.entries(needed)) {
    if (!value) problems.push(`${name}: needed with the other settings of the Firebase project`)
  }
  if (!FIREBASE_API_KEY || !FIREBASE_AUTH_DOMAIN || !FIREBASE_PROJECT_ID || !FIREBASE_APP_ID)
    return { project: null, emulatorUrl, problems }
  return {
    emulatorUrl,
    project: {
      apiKey: FIREBASE_API_KEY,
      authDomain: FIREBASE_AUTH_DOMAIN,
      projectId: FIREBASE_PROJECT_ID,
      appId: FIREBASE_APP_ID,
      measurementId: set.FIREBASE_MEASUREMENT_ID ?? null,
    },
    problems,
  }
}

/**
 * Reads the emulator's origin. Its tokens are unsigned, so anyone who reaches a server that accepts them can sign in as
 * anyone. A name that merely resolves to this machine today is refused, because DNS is not ours.
 */
function readEmulator(
  set: FirebaseSettings,
  publicUrl: URL,
): { emulatorUrl: string | null; problems: string[] } {
  const name = 'FIREBASE_AUTH_EMULATOR_URL'
  const given = set.FIREBASE_AUTH_EMULATOR_URL
  if (!given) return { emulatorUrl: null, problems: [] }
  const emulator = new URL(given)
  const problems: string[] = []
  if (set.ACCOUNTS !== 'firebase') problems.push(`${name}: does nothing without ACCOUNTS=firebase`)
  if (!loopbackHosts.has(emulator.hostname))
    problems.push(
      `${name}: only for tests, so it must be on localhost, 127.0.0.1 or [::1]; its tokens are unsigned`,
    )
  if (emulator.href !== `${emulator.origin}/`)
    problems.push(`${name}: must be an origin without user, path or query, like http://127.0.0.1:9099`)
  if (!loopbackHosts.has(publicUrl.hostname))
    problems.push(`${name}: only while PUBLIC_URL is on localhost, 127.0.0.1 or [::1]; anyone could log in`)
  if (set.HOST && !loopbackHosts.has(set.HOST) && set.HOST !== '::1')
    problems.push(`${name}: only while HOST is localhost, 127.0.0.1 or ::1; the network could log in`)
  if (set.TRUSTED_PROXY === '1')
    problems.push(`${name}: never behind a proxy (TRUSTED_PROXY=1), which would let the network log in`)
  return { emulatorUrl: emulator.origin, problems }
}
