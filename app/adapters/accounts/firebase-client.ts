import * as firebaseApp from '@firebase/app'
import {
  type Auth,
  browserLocalPersistence,
  checkActionCode,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  inMemoryPersistence,
  reauthenticateWithCredential,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signOut,
  type User,
  updatePassword,
  updateProfile,
  verifyBeforeUpdateEmail,
  verifyPasswordResetCode,
} from '@firebase/auth'
import { href } from 'react-router'
import { readOwnCookie, SIGNED_IN_COOKIE } from '../../shared/cookies.ts'
import { MINUTE_MS } from '../../shared/time-units.ts'
import type { AccountStep, BrowserAccounts, HostedSettings, StepAnswer } from './browser-port.ts'
import { type AccountCode, accountCodeOf } from './codes.ts'
import { tokenListenersOf } from './firebase-token-listeners.ts'
import { hasRunOut, readMark, writeMark } from './hosted-mark.ts'

const LOCK = 'hosted-session'
// The SDK's own back-off (Specification, section 9).
const FIRST_RETRY_MS = 30_000
const LONGEST_RETRY_MS = 16 * MINUTE_MS
const TOKEN_MARK_LENGTH = 24

/** Our server couldn't be reached, or failed to renew the session. */
class RenewalFailed extends Error {}

/**
 * Opens the service's SDK. Loaded on demand, so that visitors' pages never ship it.
 * @param onEnded called with the reason when the session ends; null when the person signed out
 */
export async function openFirebase(
  settings: HostedSettings,
  onEnded: (reason: AccountCode | null) => void,
): Promise<BrowserAccounts> {
  const { emulatorUrl, ...project } = settings
  const app = firebaseApp.initializeApp(project)
  // No resolver for pop-ups and redirects: email and password need none, and it would load third-party scripts.
  const auth = initializeAuth(app, { persistence: [indexedDBLocalPersistence, browserLocalPersistence] })
  if (emulatorUrl) connectAuthEmulator(auth, emulatorUrl, { disableWarnings: true })
  await auth.authStateReady()

  let renewing = false
  let retryMs = FIRST_RETRY_MS
  let retry: ReturnType<typeof setTimeout> | undefined

  /** Renews our session with the SDK's current token. Callers hold the lock. */
  async function renewLocked(): Promise<boolean> {
    const user = auth.currentUser
    if (!user || !hasHint()) return false
    // An event's own token may have expired while the browser slept.
    const idToken = await user.getIdToken()
    const mark = readMark()
    if (mark?.token === markOf(idToken) && !hasRunOut(mark)) return false
    const response = await fetch(href('/api/hosted-session'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ idToken }),
    })
    if (response.ok) {
      await remember(user)
      return true
    }
    if (response.status !== 401) throw new RenewalFailed(`The session's renewal answered ${response.status}`)
    const { reason } = (await response.json()) as { reason: string }
    writeMark(null)
    await signOut(auth)
    onEnded(accountCodeOf(reason))
    return false
  }

  /** Ends our session after the service has signed the person out. */
  async function endLocked(): Promise<void> {
    const isOurs = readMark() !== null
    writeMark(null)
    if (!isOurs || !hasHint()) return
    await fetch(href('/logout'), { method: 'POST', redirect: 'manual' })
    onEnded('user-token-expired')
  }

  async function followToken(): Promise<void> {
    clearTimeout(retry)
    try {
      await locked<unknown>(() => (auth.currentUser ? renewLocked() : endLocked()))
      retryMs = FIRST_RETRY_MS
    } catch (error) {
      console.warn('The session could not be renewed; trying again.', error)
      retry = setTimeout(() => void followToken(), retryMs)
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
    }
  }

  return {
    async carryOut(step, form, send) {
      return locked(async () => {
        const before = location.pathname
        try {
          await steps[step](auth, form)
        } catch (error) {
          return { ok: false, reason: reasonOf(error, step) } satisfies StepAnswer
        }
        await send(form)
        await settle(auth, step, location.pathname === before)
        return { ok: true } satisfies StepAnswer
      })
    },

    renew: () => locked(renewLocked),

    keepRenewing() {
      if (renewing) return
      renewing = true
      // A listener of this kind, and no other, makes the SDK renew tokens before they end.
      tokenListenersOf(app).addAuthTokenListener(() => void followToken())
    },

    signOut: () =>
      locked(async () => {
        writeMark(null)
        if (auth.currentUser) await signOut(auth)
      }),
  }
}

/** Does each form's part at the service and replaces its passwords by an ID token. */
const steps: Record<AccountStep, (auth: Auth, form: FormData) => Promise<void>> = {
  async 'sign-up'(auth, form) {
    const { user } = await createUserWithEmailAndPassword(auth, text(form, 'email'), text(form, 'password'))
    // The account exists, so a failure of these steps must not fail the sign-up.
    await updateProfile(user, { displayName: text(form, 'displayName') }).catch(noteFailure)
    await sendEmailVerification(user).catch(noteFailure)
    form.set('password', await user.getIdToken())
  },
  async 'sign-in'(auth, form) {
    const { user } = await signInWithEmailAndPassword(auth, text(form, 'email'), text(form, 'password'))
    form.set('password', await user.getIdToken())
  },
  async 'request-password-reset'(auth, form) {
    try {
      await sendPasswordResetEmail(auth, text(form, 'email'))
    } catch (error) {
      // Never reveal whether an address has an account (Decision 21), whatever the service's settings. Hide its limit
      // too, because anyone can use it up. Links from earlier mails still work.
      const code = accountCodeOf(codeIn(error))
      if (code !== 'user-not-found' && code !== 'too-many-requests') throw error
    }
  },
  async 'reset-password'(auth, form) {
    const code = text(form, 'token')
    const password = text(form, 'password')
    const email = await verifyPasswordResetCode(auth, code)
    await confirmPasswordReset(auth, code, password)
    // Proves to our server which account's sessions must end.
    const { user } = await signInWithEmailAndPassword(auth, email, password)
    form.set('password', await user.getIdToken())
  },
  async 'change-password'(auth, form) {
    const user = await reauthenticate(auth, text(form, 'currentPassword'))
    await updatePassword(user, text(form, 'newPassword'))
    const idToken = await user.getIdToken()
    form.set('currentPassword', idToken)
    form.set('newPassword', idToken)
  },
  'confirm-password': proveFreshSignIn,
  'delete-account': proveFreshSignIn,
  async 'change-email'(auth, form) {
    const user = await reauthenticate(auth, text(form, 'password'))
    // The service still has this address for the account, but here it was detached.
    if (text(form, 'email').toLowerCase() === user.email?.toLowerCase()) await sendEmailVerification(user)
    else await verifyBeforeUpdateEmail(user, text(form, 'email'))
    form.set('password', await user.getIdToken())
  },
  async 'confirm-email'(auth, form) {
    // Our server uses the code up, after it has checked that the password is that of the right account.
    const { data } = await checkActionCode(auth, text(form, 'token'))
    const email = data.previousEmail ?? data.email
    if (!email) throw refusal('invalid-action-code')
    form.set('password', await proveElsewhere(auth, email, text(form, 'password')))
  },
  async 'resend-verification'(auth) {
    if (!auth.currentUser) throw refusal('user-token-expired')
    await sendEmailVerification(auth.currentUser)
  },
}

async function proveFreshSignIn(auth: Auth, form: FormData): Promise<void> {
  const user = await reauthenticate(auth, text(form, 'password'))
  form.set('password', await user.getIdToken())
}

/** Proves a password in memory, without touching this browser's own sign-in. @returns the ID token */
async function proveElsewhere(auth: Auth, email: string, password: string): Promise<string> {
  const app = firebaseApp.initializeApp(auth.app.options, 'proof')
  try {
    const aside = initializeAuth(app, { persistence: inMemoryPersistence })
    if (auth.emulatorConfig) {
      const { protocol, host, port } = auth.emulatorConfig
      connectAuthEmulator(aside, `${protocol}://${host}:${port}`, { disableWarnings: true })
    }
    const { user } = await signInWithEmailAndPassword(aside, email, password)
    return await user.getIdToken()
  } finally {
    await firebaseApp.deleteApp(app)
  }
}

async function reauthenticate(auth: Auth, password: string): Promise<User> {
  const user = auth.currentUser
  if (!user?.email) throw refusal('requires-recent-login')
  await reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email, password))
  return user
}

/** Aligns the SDK with our server's response: the hint cookie shows whether the person is signed in. */
async function settle(auth: Auth, step: AccountStep, stayed: boolean): Promise<void> {
  const user = auth.currentUser
  if (!user) return
  if (hasHint()) return remember(user)
  switch (step) {
    case 'sign-up':
      // Our server refused. An account at the service that can't be used here would block the address.
      return deleteUser(user).catch(noteFailure)
    case 'delete-account':
      return stayed ? undefined : forget(auth, () => deleteUser(user))
    case 'sign-in':
      // A new page means a deactivated account, which the next screen offers to reactivate.
      return stayed ? signOut(auth) : undefined
    default:
      return forget(auth, () => signOut(auth))
  }
}

async function forget(auth: Auth, leave: () => Promise<void>): Promise<void> {
  writeMark(null)
  await leave().catch(async (error) => {
    noteFailure(error)
    await signOut(auth)
  })
}

async function remember(user: User): Promise<void> {
  const { token, expirationTime } = await user.getIdTokenResult()
  writeMark({ token: markOf(token), endsAtMs: Date.parse(expirationTime) })
}

/** Runs one task at a time across the browser's tabs, which share the SDK's user and our cookie. */
async function locked<Result>(work: () => Promise<Result>): Promise<Result> {
  // The Web Locks API needs TLS. Without it, tabs only renew more often than necessary.
  if (!('locks' in navigator)) return work()
  return navigator.locks.request(LOCK, work) as Promise<Result>
}

/** Returns an error's code. A signed-in person sees 'wrong-password', since there is no address to keep secret. */
function reasonOf(error: unknown, step: AccountStep): AccountCode {
  const code = accountCodeOf(codeIn(error))
  if (code === 'internal-error') console.error(error)
  const isOwn =
    step === 'change-password' ||
    step === 'confirm-email' ||
    step === 'confirm-password' ||
    step === 'delete-account' ||
    step === 'change-email'
  return isOwn && code === 'invalid-credential' ? 'wrong-password' : code
}

function codeIn(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

const refusal = (code: AccountCode) => Object.assign(new Error(code), { code })
const text = (form: FormData, name: string) => String(form.get(name) ?? '')
const hasHint = () => readOwnCookie(document.cookie, SIGNED_IN_COOKIE) !== null
const markOf = (idToken: string) => idToken.slice(-TOKEN_MARK_LENGTH)
const noteFailure = (error: unknown) => console.warn('The account service refused an optional step.', error)
