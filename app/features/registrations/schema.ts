import type { SubmissionResult } from '@conform-to/react'
import { z } from 'zod'
import { cleanAbn, cleanEmail, cleanPhone } from '../../shared/contact.ts'
import { isLocalDate, type LocalDate } from '../../shared/dates.ts'
import { inputsOf } from '../../shared/form-inputs.ts'
import { personName, plainText } from '../../shared/form-texts.ts'
import { MAX_EMAIL_LENGTH } from '../../shared/one-line.ts'
import { ADDRESS_FIELD, EMAIL_FIELD, PHONE_FIELD } from '../../ui/contact-fields.ts'
import {
  ABN_ERROR,
  BIRTH_DATE_ERROR,
  EMAIL_ERROR,
  type FAILURE_REASONS,
  MISSING_TEXTS as missing,
  PHONE_ERROR,
  WEBSITE_ERROR,
} from './messages.ts'
import {
  BUSINESS_STRUCTURES,
  EARLIEST_BIRTH,
  isBusinessEmail,
  isBusinessPhone,
  isValidAbn,
  isWebsite,
  MAX_ACN_LENGTH,
  MAX_BUSINESS_DESCRIPTION_LENGTH,
} from './rules.ts'

const MAX_LINE_LENGTH = 200
const MAX_WEBSITE_LENGTH = 300

const line = (required: string) => plainText({ required, max: MAX_LINE_LENGTH })
const optionalLine = (max: number) => plainText({ max }).default('')
const email = (required: string) =>
  plainText({ required, max: MAX_EMAIL_LENGTH })
    .transform(cleanEmail)
    .refine((text) => text === '' || isBusinessEmail(text), EMAIL_ERROR)
// The pattern limits the length itself, so a text that is too long gets the same error as any other wrong one.
const phone = (required: string) =>
  z
    .string({ error: required })
    .transform(cleanPhone)
    .pipe(plainText({ required, max: MAX_LINE_LENGTH }))
    .refine((text) => text === '' || isBusinessPhone(text), PHONE_ERROR)

/**
 * The registration form (Specification, sections 3 and 5).
 * @param today the latest date of birth
 */
export function registrationSchema(today: LocalDate) {
  return z.object({
    businessName: line(missing.businessName),
    abn: plainText({ required: missing.abn, max: MAX_LINE_LENGTH })
      .transform(cleanAbn)
      .refine((digits) => digits === '' || isValidAbn(digits), ABN_ERROR),
    acn: z
      .string()
      .transform((text) => text.replace(/\s/g, ''))
      .pipe(plainText({ max: MAX_ACN_LENGTH }))
      .default(''),
    businessStructure: z.enum(BUSINESS_STRUCTURES, { error: missing.businessStructure }),
    industryType: line(missing.industryType),
    gstRegistered: z.boolean().default(false),
    principalAddress: line(missing.principalAddress),
    postalAddress: optionalLine(MAX_LINE_LENGTH),
    businessPhone: phone(missing.businessPhone),
    businessEmail: email(missing.businessEmail),
    website: optionalLine(MAX_WEBSITE_LENGTH).refine((text) => text === '' || isWebsite(text), WEBSITE_ERROR),
    ownerName: personName(missing.ownerName),
    ownerDob: plainText({ required: missing.ownerDob, max: 10 }).refine(
      (date) => date === '' || (isLocalDate(date) && date >= EARLIEST_BIRTH && date <= today),
      BIRTH_DATE_ERROR,
    ),
    ownerPhone: phone(missing.ownerPhone),
    ownerEmail: email(missing.ownerEmail),
    // The address of the uploaded logo, or empty.
    logoUrl: optionalLine(MAX_WEBSITE_LENGTH),
    businessDescription: plainText({ max: MAX_BUSINESS_DESCRIPTION_LENGTH, multiline: true }).default(''),
  })
}

/** The inputs of the form. The logo has none, because it is uploaded. */
export const REGISTRATION_INPUTS = inputsOf(registrationSchema(EARLIEST_BIRTH).shape, {
  businessName: { label: 'Business name', autoComplete: 'organization' },
  abn: { label: 'ABN', hint: '11 digits.', inputMode: 'numeric' },
  acn: { label: 'ACN', hint: '9 digits, for companies.', inputMode: 'numeric', stopsAtLimit: true },
  businessStructure: { label: 'Business structure' },
  industryType: { label: 'Industry type' },
  gstRegistered: { label: 'GST registered', hint: 'If so, tax invoices show the GST in your prices.' },
  principalAddress: { label: 'Principal address', autoComplete: 'street-address' },
  postalAddress: { label: 'Postal address', hint: 'Only if it’s different.' },
  businessPhone: { label: 'Business phone', type: 'tel', ...PHONE_FIELD },
  businessEmail: { label: 'Business email', type: 'email', ...EMAIL_FIELD },
  website: { label: 'Website', hint: 'Include https://.', type: 'url', ...ADDRESS_FIELD },
  ownerName: { label: 'Owner name', autoComplete: 'name' },
  ownerDob: { label: 'Date of birth', type: 'date', autoComplete: 'bday' },
  ownerPhone: { label: 'Owner phone', type: 'tel', ...PHONE_FIELD },
  ownerEmail: { label: 'Owner email', type: 'email', ...EMAIL_FIELD },
  businessDescription: { label: 'Business description', hint: 'For your public profile.', rows: 4 },
})

/** A checked registration as its owner filled it in; the input of the commands. */
export type Registration = z.infer<ReturnType<typeof registrationSchema>>

/** Longer than any version. */
const MAX_VERSION_LENGTH = 60

/** The versions that a form of a saved registration names. */
export const registrationVersionsSchema = z.object({
  // A form from before the versions lacks it, and can't show that its save was refused.
  seen: z.string().max(MAX_VERSION_LENGTH).optional(),
  /** The newer version that its owner chose to replace. */
  anyway: z.string().max(MAX_VERSION_LENGTH).optional(),
})

export type RegistrationRefusal = keyof typeof FAILURE_REASONS | 'changed_meanwhile'

/** The response to the form. */
export type RegistrationAnswer =
  | { ok: true; isChange: boolean }
  | {
      ok: false
      reason: RegistrationRefusal
      result: SubmissionResult | undefined
      /** The version that is saved now, with 'changed_meanwhile'. */
      version?: string | undefined
    }
