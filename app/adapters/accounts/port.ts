import type { AccountCode } from './codes.ts'

export type { AccountCode } from './codes.ts'

/** The header into which our server writes the client's address, overwriting any value that the client sent. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address'

/** The signed-in person, with the identity fields of the specification, section 3. */
export type AccountUser = {
  uid: string
  displayName: string | null
  email: string
  emailVerified: boolean
  phoneNumber: string | null
  photoUrl: string | null
  /** The address's holder detached it from this account. `email` is a placeholder until the owner confirms another. */
  needsEmail: boolean
}

/** @param emailVerified whether the owner has proved this address. If not, the name may be a stranger's message */
export type MailedAccount = { email: string; name: string; emailVerified: boolean }

/** @param isStrong whether the person has proved two factors to us in this session: a passkey, or a code */
export type AccountSession = { id: string; user: AccountUser; isStrong: boolean }

/** One browser where the account is signed in. Times are ISO 8601, UTC. */
export type DeviceSession = {
  id: string
  /** Whether this is the requesting browser's session. */
  current: boolean
  userAgent: string | null
  createdAt: string
  lastUsedAt: string
}

export type AccountRefusal = { ok: false; reason: AccountCode }

/** The outcome of a call. Cookies are complete Set-Cookie values, to be sent to the browser unchanged. */
export type AccountAnswer = { ok: true; cookies: string[] } | AccountRefusal

/** The outcome of a completed sign-in. A deactivated account can only be reactivated (Decision 19). */
export type SignedInAnswer =
  | {
      ok: true
      needsCode: false
      cookies: string[]
      userId: string
      deactivated: boolean
      needsEmail: boolean
    }
  | AccountRefusal

/** The outcome of a sign-in. With `needsCode`, the cookies only let the browser enter a code of the second factor. */
export type SignInAnswer = SignedInAnswer | { ok: true; needsCode: true; cookies: string[] }

/** The state of an account's second factor. */
export type SecondFactorState = { isOn: boolean; recoveryCodesLeft: number }

/** The secret for an authenticator app, as an address for its QR code and as a key to type in. */
export type FactorSecret = { uri: string; key: string }

/** A change of how an account signs in, about which its owner should know. */
export type FactorChange = {
  userId: string
  kind:
    | 'second-factor-on'
    | 'second-factor-off'
    | 'recovery-codes-renewed'
    | 'recovery-code-used'
    | 'passkey-added'
    | 'passkey-removed'
}

/** One passkey of an account. Times are ISO 8601, UTC. */
export type Passkey = { id: string; name: string; createdAt: string; lastUsedAt: string | null }

/**
 * Asks a signed-in person again who they are, before a sensitive act. Signing in counts as a proof. A proof opens no
 * session, and counts for this browser's alone.
 */
export interface Proofs {
  /**
   * Whether the newest proof of this browser's session is too old. True without a session.
   * @param input.needsFactor counts only proofs of two factors, for an account with a second factor
   */
  isDue(request: Request, input: { needsFactor: boolean }): Promise<boolean>
  /**
   * Takes the password, or a code of the second factor. Refuses with 'wrong-password' and, without a session, with
   * 'user-token-expired'.
   * @param input.needsFactor refuses the password of an account with a second factor, with 'multi-factor-auth-required'
   */
  prove(request: Request, input: { proof: string; needsFactor: boolean }): Promise<AccountAnswer>
  /** Whether the account has a passkey, and whether it has a second factor. Neither without a session. */
  findWays(request: Request): Promise<{ hasPasskey: boolean; hasFactor: boolean }>
  /** Asks for one of the account's own passkeys. Replaces an unfinished ceremony of this session. */
  beginByPasskey(request: Request): Promise<PasskeyCeremony>
  /**
   * Takes a passkey of the account, whose device has checked the person, as a proof of two factors. Refuses with
   * 'invalid-credential', and with 'code-expired' unless the challenge is this session's, unused and at most five
   * minutes old.
   */
  proveByPasskey(request: Request, input: { response: { id: string } }): Promise<AccountAnswer>
}

/** A ceremony that the browser carries out: options in the JSON of WebAuthn, and a cookie with its challenge. */
export type PasskeyCeremony = { ok: true; options: object; cookies: string[] } | AccountRefusal

/**
 * Passkeys (WebAuthn). Each is bound to the site's host and proves the person to their device, so it counts as two
 * factors. A ceremony ends after five minutes with 'code-expired'. Every change refuses with 'requires-recent-login'
 * while a proof is due, for which an account with a second factor needs that one (Decision 52).
 */
export interface Passkeys {
  /** The account's passkeys, oldest first. Empty without a session. */
  list(request: Request): Promise<Passkey[]>
  /** Refuses with 'maximum-second-factor-count-exceeded' past a limit. */
  beginAdding(request: Request, input: { siteName: string }): Promise<PasskeyCeremony>
  /**
   * @param input.response the browser's answer to `beginAdding`
   * @param input.name the passkey's name if its maker is unknown
   */
  add(request: Request, input: { response: object; name: string }): Promise<AccountAnswer>
  /** Leaves other accounts' passkeys alone. */
  rename(request: Request, input: { id: string; name: string }): Promise<AccountAnswer>
  /** Leaves other accounts' passkeys alone. */
  remove(request: Request, input: { id: string }): Promise<AccountAnswer>
  beginSignIn(request: Request): Promise<PasskeyCeremony>
  /** Refuses an unknown or wrong passkey with 'invalid-credential'. Asks for no second factor. */
  signIn(request: Request, input: { response: { id: string } }): Promise<SignedInAnswer>
}

/**
 * The second factor by an authenticator app (TOTP, RFC 6238) with recovery codes. Wrong codes are limited like wrong
 * passwords, and no code is accepted twice. `begin`, `renewRecoveryCodes` and `turnOff` refuse with
 * 'requires-recent-login' while a proof is due, for which a factor in use is needed (Decision 52).
 */
export interface SecondFactor {
  /** Null without a session. */
  findState(request: Request): Promise<SecondFactorState | null>
  /**
   * Makes a new secret, which isn't in use until `turnOn`. Refuses with 'second-factor-already-in-use' when the factor
   * is on.
   * @param input.issuer the site's name in the app
   */
  begin(request: Request, input: { issuer: string }): Promise<({ ok: true } & FactorSecret) | AccountRefusal>
  /** The secret that `begin` made in the last 15 minutes; null when there is none, or when it is in use already. */
  findBegun(request: Request, input: { issuer: string }): Promise<FactorSecret | null>
  /**
   * Turns the factor on with a first code. Refuses a wrong one with 'invalid-verification-code', and any with
   * 'code-expired' later than 15 minutes after `begin`.
   * @returns the recovery codes. Only their hashes are stored
   */
  turnOn(
    request: Request,
    input: { code: string },
  ): Promise<{ ok: true; recoveryCodes: string[] } | AccountRefusal>
  /** Replaces the recovery codes. Refuses with 'multi-factor-info-not-found' when it is off. */
  renewRecoveryCodes(request: Request): Promise<{ ok: true; recoveryCodes: string[] } | AccountRefusal>
  turnOff(request: Request): Promise<AccountAnswer>
  /** Whether this browser has given the right password and still has to enter a code. */
  isCodeDue(request: Request): Promise<boolean>
  /**
   * Completes a sign-in. Refuses a wrong or used code with 'invalid-verification-code', and with
   * 'missing-multi-factor-session' when the password has to be given again.
   */
  completeSignIn(
    request: Request,
    input: { code: string } | { recoveryCode: string },
  ): Promise<SignedInAnswer>
}

/**
 * The information that the page of a mailed link may show before anything is proved: the address that the link was sent
 * to, but never the account's owner.
 */
export type EmailLink =
  | {
      ok: true
      /** Confirms the account's current address, or a new one. */
      kind: 'verify' | 'change'
      email: string
      /** Whether the requesting browser is signed in to that account. */
      isOwn: boolean
    }
  | AccountRefusal

/** Why a browser that was signed in no longer is. */
export type SessionEnd = Extract<AccountCode, 'user-disabled' | 'user-token-expired'>

/**
 * Accounts and sessions. Each call takes the browser's request: its cookies identify the user, and its client address
 * counts against the rate limits. Calls that need a session refuse with 'user-token-expired' without one. Past a limit
 * calls refuse with 'too-many-requests'.
 */
export interface Accounts {
  /** Null where a hosted service checks passwords, so that we can't ask for them. */
  readonly proofs: Proofs | null
  /** Null where a hosted service asks for second factors itself. */
  readonly secondFactor: SecondFactor | null
  /** Null where a hosted service signs people in, because passkeys are bound to the service that knows them. */
  readonly passkeys: Passkeys | null

  /** @returns null without a session, for an ended one, or for an account that was disabled or deactivated */
  findSession(request: Request): Promise<AccountSession | null>
  /** The session of a person who signed in to a deactivated account. It is only good for reactivating the account. */
  findDeactivatedSession(request: Request): Promise<AccountSession | null>
  /**
   * Whether a session is still good, by its id: for what acts without its browser's request, such as a notification. It may have
   * expired while its browser can renew it.
   */
  isLiveSession(id: string): Promise<boolean>
  /** Why this browser's session has ended; null when it has none, or its session works. */
  findSessionEnd(request: Request): Promise<SessionEnd | null>
  /** The Set-Cookie values that a browser with an active session lacks; mostly none. */
  renewCookies(request: Request): Promise<string[]>
  /** The Set-Cookie values that make a browser forget its session. */
  forgetCookies(): string[]

  /**
   * Creates the account, signs it in and sends the verification mail (Decision 21). Refuses with
   * 'email-already-in-use', 'password-does-not-meet-requirements' and 'weak-password'.
   */
  signUp(
    request: Request,
    input: { displayName: string; email: string; password: string },
  ): Promise<SignedInAnswer>
  /**
   * Refuses an unknown address and a wrong password alike, with 'invalid-credential'. Refuses with 'user-disabled' only
   * after the right password.
   */
  signIn(request: Request, input: { email: string; password: string }): Promise<SignInAnswer>
  /**
   * Ends this browser's session. Does nothing without one.
   * @throws when the session could not be ended and still works
   */
  signOut(request: Request): Promise<AccountAnswer>

  /** Answers the same, after the same work, whether or not the address has an account (Decision 21). */
  requestPasswordReset(request: Request, input: { email: string }): Promise<AccountAnswer>
  /** The address of the account whose password a mailed link sets, for password managers; null if the link doesn't work. */
  findResetEmail(token: string): Promise<string | null>
  /** Sets a new password and ends every session of the account. The link works once. */
  resetPassword(request: Request, input: { token: string; password: string }): Promise<AccountAnswer>
  /** Changes the password and ends every other session. Refuses a wrong current password with 'wrong-password'. */
  changePassword(
    request: Request,
    input: { currentPassword: string; newPassword: string },
  ): Promise<AccountAnswer>
  /** Checks the password again before an irreversible step. */
  confirmPassword(request: Request, input: { password: string }): Promise<AccountAnswer>

  /** Sends the signed-in user the verification mail again. */
  resendVerification(request: Request): Promise<AccountAnswer>
  /**
   * Mails a link to the new address; nothing changes before it is used.
   * @param input.password null relies on a recent proof, and refuses without one with 'requires-recent-login'
   */
  requestEmailChange(
    request: Request,
    input: { email: string; password: string | null },
  ): Promise<AccountAnswer>
  /** Reads the link of a verification mail or an email change. Changes nothing, because mail programs open links. */
  findEmailLink(request: Request, input: { token: string }): Promise<EmailLink>
  /**
   * Uses up such a link, which works once. It proves the address, not who owns the account. So without the account's
   * session it needs the account's password, and refuses with 'missing-password' or 'wrong-password'.
   * @returns cookies that end this browser's session, where the service ends every session with the change
   */
  confirmEmail(
    request: Request,
    input: { token: string; password: string | null },
  ): Promise<{ ok: true; changed: boolean; email: string; cookies: string[] } | AccountRefusal>
  /**
   * Detaches the address of such a link from the account, for a person who reads its mail and doesn't own the account.
   * The account keeps everything else. An address that its owner has confirmed stays.
   * @param input.forNewAccount prepares a new account with the address
   * @returns how the new account begins: by signing up, or by choosing a password through a mailed link
   */
  detachEmail(
    request: Request,
    input: { token: string; forNewAccount: boolean },
  ): Promise<{ ok: true; email: string; beginsBy: 'sign-up' | 'password-mail' } | AccountRefusal>
  /** Reads the undo link in the notice to an account's old address. Changes nothing. */
  findUndoLink(
    request: Request,
    input: { token: string },
  ): Promise<{ ok: true; email: string } | AccountRefusal>
  /**
   * Restores the account's old address, ends its sessions and invalidates its password. Refuses with
   * 'email-already-in-use' when another account has since confirmed the old address.
   * @returns the token of a link to choose a new password; null when that link was mailed
   */
  undoEmailChange(
    request: Request,
    input: { token: string },
  ): Promise<{ ok: true; email: string; resetToken: string | null; cookies: string[] } | AccountRefusal>

  /** Reads the link 'This wasn't me' in the mail about a new device. Changes nothing. */
  findDeviceLink(
    request: Request,
    input: { token: string },
  ): Promise<{ ok: true; email: string } | AccountRefusal>
  /**
   * Ends every session of the link's account and invalidates its password, since a stranger signed in with it.
   * @returns the token of a link to choose a new password; null when that link was mailed
   */
  refuseDevice(
    request: Request,
    input: { token: string },
  ): Promise<{ ok: true; email: string; resetToken: string | null; cookies: string[] } | AccountRefusal>

  /** The account's sessions, the requesting browser's first, then by last use. Empty without a session. */
  listSessions(request: Request): Promise<DeviceSession[]>
  /** Ends one session of the signed-in account. Leaves other accounts' sessions alone. */
  endSession(request: Request, input: { id: string }): Promise<AccountAnswer>
  /** Ends every session of the signed-in account, including this one. */
  endAllSessions(request: Request): Promise<AccountAnswer>
}
