import { z } from 'zod'
import { cleanEmail, cleanPhone } from '../../shared/contact.ts'
import { isLocalDate, type LocalDate } from '../../shared/dates.ts'
import { plainText } from '../../shared/form-texts.ts'
import { MAX_EMAIL_LENGTH, MAX_PERSON_NAME_LENGTH } from '../../shared/one-line.ts'
import { EARLIEST_BIRTH, isBusinessEmail, isBusinessPhone } from '../registrations/rules.ts'
import { DETAIL_ERRORS, ENGLISH_ONLY } from './messages.ts'
import { toReportEmail, toReportPhone, toReportText } from './text-rules.ts'

const MAX_LINE_LENGTH = 200

/** A text that the report can write: with English letters only. */
const english = (max: number) =>
  plainText({ max }).refine((text) => text === '' || toReportText(text) !== null, ENGLISH_ONLY)

/** The details that a vendor is asked for. A form has only those that are missing, so each may be left out. */
export function detailsSchema(today: LocalDate) {
  return z.object({
    fullName: english(MAX_PERSON_NAME_LENGTH).default(''),
    businessName: english(MAX_LINE_LENGTH).default(''),
    birthDate: plainText({ max: 10 })
      .refine(
        (date) => date === '' || (isLocalDate(date) && date >= EARLIEST_BIRTH && date <= today),
        DETAIL_ERRORS.birthDate,
      )
      .default(''),
    address: english(MAX_LINE_LENGTH).default(''),
    email: plainText({ max: MAX_EMAIL_LENGTH })
      .transform(cleanEmail)
      .refine(
        (text) => text === '' || (isBusinessEmail(text) && toReportEmail(text) !== null),
        DETAIL_ERRORS.email,
      )
      .default(''),
    phone: z
      .string()
      .transform(cleanPhone)
      .pipe(plainText({ max: MAX_LINE_LENGTH }))
      .refine(
        (text) => text === '' || (isBusinessPhone(text) && toReportPhone(text) !== null),
        DETAIL_ERRORS.phone,
      )
      .default(''),
  })
}

export type DetailsForm = z.infer<ReturnType<typeof detailsSchema>>

/** The street address of one venue. */
export const propertySchema = z.object({
  businessId: z.string().min(1).max(100),
  property: plainText({ required: DETAIL_ERRORS.property, max: MAX_LINE_LENGTH }).refine(
    (text) => text === '' || toReportText(text) !== null,
    ENGLISH_ONLY,
  ),
})
