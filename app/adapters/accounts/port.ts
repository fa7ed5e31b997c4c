import type { AccountCode } from './codes.ts'

export type { AccountCode } from './codes.ts'

/** Our server writes the client's address into this header, over whatever a client sent. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address'

/** The signed-in person, with the identity fields of the specification, section 3. */
export type AccountUser = {
  uid: string
  displayName: string | null
  email: string
  emailVerified: boolean
  phoneNumber: string | null
  photoUrl: string | null
  /** The holder of its address took it off this account: `email` is a placeholder until the owner confirms another. */
  needsEmail: boolean
}

/** @param emailVerified whether the account's owner has proved this address: the name may be a stranger's message */
export type MailedAccount = { email: string; name: string; emailVerified: boolean }

export type AccountSession = { id: string; user: AccountUser }

/** One browser where the account is signed in. Times are ISO 8601, UTC. */
export type DeviceSession = {
  id: string
  /** The one that asks. */
  current: boolean
  userAgent: string | null
  createdAt: string
  lastUsedAt: string
}

export type AccountRefusal = { ok: false; reason: AccountCode }

/** Cookies are whole Set-Cookie values, to be passed on to the browser as they are. */
export type AccountAnswer = { ok: true; cookies: string[] } | AccountRefusal

/** A deactivated account signs in to nothing but the offer to reactivate it (Decision 19). */
export type SignInAnswer =
  | { ok: true; cookies: string[]; userId: string; deactivated: boolean; needsEmail: boolean }
  | AccountRefusal

/**
 * What the page of a mailed link may show before anything is proved: the address that the link went to, never whose
 * account it is.
 */
export type EmailLink =
  | {
      ok: true
      /** Confirms the account's own address, or one that is to become it. */
      kind: 'verify' | 'change'
      email: string
      /** The asking browser is signed in to exactly that account. */
      isOwn: boolean
    }
  | AccountRefusal

/** Why a browser that was signed in no longer is. */
export type SessionEnd = Extract<AccountCode, 'user-disabled' | 'user-token-expired'>

/**
 * Accounts and sessions. Each call that changes something takes the browser's request: its cookies say who asks,
 * its client address counts against the rate limits. Without a session, what needs one is refused with
 * 'user-token-expired'; past a limit everything is refused with 'too-many-requests'.
 */
export interface Accounts {
  /** @returns null for nobody, an ended session, or an account that was disabled or deactivated */
  findSession(request: Request): Promise<AccountSession | null>
  /** The session of somebody who has signed in to a deactivated account: good for reactivating it, nothing else. */
  findDeactivatedSession(request: Request): Promise<AccountSession | null>
  /** Why this browser's session is no more; null when it has none, or one that works. */
  findSessionEnd(request: Request): Promise<SessionEnd | null>
  /** The Set-Cookie values that keep a session in use from running out; mostly none. */
  renewCookies(request: Request): Promise<string[]>
  /** The Set-Cookie values that make a browser forget its session. */
  forgetCookies(): string[]

  /**
   * Makes the account, signs it in and sends the verification mail (Decision 21). Refuses with
   * 'email-already-in-use' and 'password-does-not-meet-requirements'.
   */
  signUp(
    request: Request,
    input: { displayName: string; email: string; password: string },
  ): Promise<SignInAnswer>
  /** Refuses an unknown address and a wrong password alike, as 'invalid-credential'; 'user-disabled' only after the right password. */
  signIn(request: Request, input: { email: string; password: string }): Promise<SignInAnswer>
  /**
   * Ends this browser's session; without one there is nothing to do.
   * @throws when the session could not be ended: it still works then
   */
  signOut(request: Request): Promise<AccountAnswer>

  /** Answers the same, after the same work, whether or not the address has an account (Decision 21). */
  requestPasswordReset(request: Request, input: { email: string }): Promise<AccountAnswer>
  /** Ends every session of the account. The link works once. */
  resetPassword(request: Request, input: { token: string; password: string }): Promise<AccountAnswer>
  /** Ends every other session. Refuses a wrong current password as 'wrong-password'. */
  changePassword(
    request: Request,
    input: { currentPassword: string; newPassword: string },
  ): Promise<AccountAnswer>
  /** Asks for the password again before a step that can't be undone. */
  confirmPassword(request: Request, input: { password: string }): Promise<AccountAnswer>

  /** Sends the verification mail again, to the signed-in user. */
  resendVerification(request: Request): Promise<AccountAnswer>
  /** Mails a link to the new address; nothing changes before it is used. */
  requestEmailChange(request: Request, input: { email: string; password: string }): Promise<AccountAnswer>
  /** Reads the link of a verification mail or of an e-mail change. Changes nothing, since mail programs open links. */
  findEmailLink(request: Request, input: { token: string }): Promise<EmailLink>
  /**
   * Uses such a link. It proves the address, not who holds the account: without that account's session it needs that
   * account's password, and refuses with 'missing-password' or 'wrong-password'. It works once.
   * @returns cookies that end this browser's session, where the service ends every session with the change
   */
  confirmEmail(
    request: Request,
    input: { token: string; password: string | null },
  ): Promise<{ ok: true; changed: boolean; email: string; cookies: string[] } | AccountRefusal>
  /**
   * Takes the address of such a link off the account, for a person who reads its mail and holds another account or
   * none. The account keeps everything else. An address that its owner has confirmed stays.
   * @param input.forNewAccount prepares a new account with the address
   * @returns how the new account begins: by signing up, or by the link to choose a password that was mailed
   */
  detachEmail(
    request: Request,
    input: { token: string; forNewAccount: boolean },
  ): Promise<{ ok: true; email: string; beginsBy: 'sign-up' | 'password-mail' } | AccountRefusal>
  /** Reads the link in the notice to an account's old address. Changes nothing. */
  findUndoLink(
    request: Request,
    input: { token: string },
  ): Promise<{ ok: true; email: string } | AccountRefusal>
  /**
   * Gives the account its old address back, ends its sessions and makes its password worthless. Refuses with
   * 'email-already-in-use' when another account has confirmed the old address since.
   * @returns the token of a link to choose a new password; null when that link was mailed
   */
  undoEmailChange(
    request: Request,
    input: { token: string },
  ): Promise<{ ok: true; email: string; resetToken: string | null; cookies: string[] } | AccountRefusal>

  /** Where the account is signed in, the asking browser first, then by last use. Empty without a session. */
  listSessions(request: Request): Promise<DeviceSession[]>
  /** Ends one session of the asking account; somebody else's is left alone. */
  endSession(request: Request, input: { id: string }): Promise<AccountAnswer>
  /** Ends every session of the asking account, this one too. */
  endAllSessions(request: Request): Promise<AccountAnswer>
}
