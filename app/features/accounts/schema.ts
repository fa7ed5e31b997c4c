import { z } from 'zod'
import { cleanPhone } from '../../shared/contact.ts'
import { emailField, personName } from '../../shared/form-texts.ts'
import {
  CODE_MISSING,
  PASSKEY_NAME_MISSING,
  PHONE_INVALID,
  RECOVERY_CODE_MISSING,
  requirementText,
} from './messages.ts'
import { LONGEST_PASSWORD, type PasswordPolicy, unmetRequirements } from './rules.ts'

const EMAIL_MISSING = 'Enter your email address.'
const PASSWORD_MISSING = 'Enter your password.'

const givenPassword = z
  .string({ error: PASSWORD_MISSING })
  .min(1, PASSWORD_MISSING)
  .max(LONGEST_PASSWORD, 'This password is too long.')

function newPassword(policy: PasswordPolicy) {
  return z
    .string({ error: 'Choose a password.' })
    .max(LONGEST_PASSWORD, 'This password is too long.')
    .superRefine((password, context) => {
      for (const requirement of unmetRequirements(policy, password)) {
        context.addIssue({
          code: 'custom',
          message: `Your password needs ${lowerFirst(requirementText(requirement, policy))}.`,
        })
      }
    })
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

const displayName = personName('Tell us your name.')

/** Sign-up asks only for what it needs: a name for the greeting, an address, a password. */
export function signUpSchema(policy: PasswordPolicy) {
  return z.object({ displayName, email: emailField(EMAIL_MISSING), password: newPassword(policy) })
}

export const signInSchema = z.object({ email: emailField(EMAIL_MISSING), password: givenPassword })

export const forgotPasswordSchema = z.object({ email: emailField(EMAIL_MISSING) })

export function resetPasswordSchema(policy: PasswordPolicy) {
  return z.object({ token: linkToken, password: newPassword(policy) })
}

export function changePasswordSchema(policy: PasswordPolicy) {
  return z.object({ currentPassword: givenPassword, newPassword: newPassword(policy) })
}

/** Asked for again before a sensitive act: the password, or a code of the second factor. */
export const proofSchema = z.object({ proof: z.string().max(LONGEST_PASSWORD).optional() })

export const changeEmailSchema = proofSchema.extend({ email: emailField('Enter the new address.') })
/** With a hosted service, which checks the password. */
export const changeHostedEmailSchema = z.object({
  email: emailField('Enter the new address.'),
  password: givenPassword,
})

const linkToken = z.string().min(1).max(500)

/** A mailed link. The password is needed unless the browser is signed in to the link's account. */
export const confirmEmailSchema = z.object({
  intent: z.literal('confirm'),
  token: linkToken,
  password: z.string().max(LONGEST_PASSWORD, 'This password is too long.').optional(),
})
export const confirmByPasswordSchema = confirmEmailSchema.extend({ password: givenPassword })

export const detachEmailSchema = z.object({ intent: z.enum(['not-me', 'new-account']), token: linkToken })

/** The button of a page that a mailed link leads to: it undoes a change of email, or refuses a new device. */
export const pressedLinkSchema = z.object({ token: linkToken })

/** Required before a step that can't be undone. */
export const confirmPasswordSchema = z.object({ password: givenPassword })

/** A code of an authenticator app, which shows it in groups: '123 456'. */
export const codeSchema = z.object({
  code: z
    .string({ error: CODE_MISSING })
    .trim()
    .regex(/^\d{3}\s?\d{3}$/, CODE_MISSING),
})

export const recoveryCodeSchema = z.object({
  recoveryCode: z.string({ error: RECOVERY_CODE_MISSING }).trim().min(1, RECOVERY_CODE_MISSING).max(100),
})

const passkeyId = z.string().min(1).max(100)
export const renamePasskeySchema = proofSchema.extend({
  passkey: passkeyId,
  passkeyName: z
    .string({ error: PASSKEY_NAME_MISSING })
    .trim()
    .min(1, PASSKEY_NAME_MISSING)
    .max(60, 'At most 60 characters.'),
})
export const removePasskeySchema = proofSchema.extend({ passkey: passkeyId })

/** A browser's response, which the account library checks. Its id is base64url (WebAuthn) and looked up first. */
const passkeyResponse = z.looseObject({ id: z.string().regex(/^[\w-]{1,2000}$/) })

/** The browser's steps with a passkey. */
export const passkeyStepSchema = z.discriminatedUnion('step', [
  z.object({ step: z.literal('begin-sign-in') }),
  z.object({ step: z.literal('sign-in'), response: passkeyResponse }),
  proofSchema.extend({ step: z.literal('begin-adding') }),
  z.object({ step: z.literal('add'), response: passkeyResponse }),
  z.object({ step: z.literal('begin-proof') }),
  z.object({ step: z.literal('prove'), response: passkeyResponse }),
])
export type PasskeyStep = z.infer<typeof passkeyStepSchema>

export const profileSchema = z.object({
  displayName,
  // Specification, section 5: 6 to 15 characters from digits, spaces, plus, parentheses, hyphen. Punctuation alone is no
  // phone.
  phone: z
    .string()
    .transform(cleanPhone)
    .pipe(z.string().regex(/^(?=.*\d)[\d\s+()-]{6,15}$/, PHONE_INVALID))
    .optional(),
})

/** The file itself is checked while it is read: see `changePhoto`. */
export const photoSchema = z.object({ photo: z.instanceof(File) })

export const endSessionSchema = z.object({ session: z.string() })

/** Browsers send only ticked boxes. */
export const mailsSchema = z.object({
  signIns: z.string(),
  newBookings: z.string(),
  reminders: z.string(),
  reviews: z.string(),
  newsletter: z.string(),
})
