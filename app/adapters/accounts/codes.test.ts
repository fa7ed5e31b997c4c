import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accountWording } from '../../features/accounts/messages.ts'
import { ACCOUNT_CODES, accountCodeOf, SERVICE_STRINGS } from './codes.ts'

describe('an account code', () => {
  it.each([
    ['EMAIL_EXISTS', 'email-already-in-use'],
    ['INVALID_PASSWORD', 'wrong-password'],
    ['INVALID_LOGIN_CREDENTIALS', 'invalid-credential'],
    ['EMAIL_NOT_FOUND', 'user-not-found'],
    ['TOO_MANY_ATTEMPTS_TRY_LATER', 'too-many-requests'],
    ['EXPIRED_OOB_CODE', 'expired-action-code'],
    ['INVALID_OOB_CODE', 'invalid-action-code'],
    ['TOKEN_EXPIRED', 'user-token-expired'],
    ['USER_DISABLED', 'user-disabled'],
    ['PASSWORD_DOES_NOT_MEET_REQUIREMENTS', 'password-does-not-meet-requirements'],
  ])('comes from the service’s string: %s is %s (Specification, section 8)', (text, code) =>
    expect(accountCodeOf(text)).toBe(code),
  )

  it('comes from every form that the service uses', () => {
    expect(accountCodeOf('auth/network-request-failed')).toBe('network-request-failed')
    expect(accountCodeOf('TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account is disabled')).toBe(
      'too-many-requests',
    )
  })

  it('becomes internal-error for any unknown text', () => {
    expect(accountCodeOf('__proto__')).toBe('internal-error')
    expect(accountCodeOf('constructor')).toBe('internal-error')
    fc.assert(fc.property(fc.string(), (text) => ACCOUNT_CODES.includes(accountCodeOf(text))))
  })

  it('gets a message of one sentence that shows no code', () => {
    for (const code of new Set([...ACCOUNT_CODES, ...Object.values(SERVICE_STRINGS)])) {
      expect(accountWording[code]).toMatch(/^[A-Z].*\.$/)
      expect(accountWording[code]).not.toMatch(/[a-z]+-[a-z]+-[a-z]+|_/)
      expect(accountWording[code]).not.toContain('!')
    }
  })

  it('gets the same message for an unknown address as for a wrong password', () => {
    expect(accountWording['user-not-found']).toBe(accountWording['wrong-password'])
    expect(accountWording['invalid-credential']).toBe(accountWording['wrong-password'])
  })
})
