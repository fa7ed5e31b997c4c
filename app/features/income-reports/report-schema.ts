import { z } from 'zod'
import { isLocalDate } from '../../shared/dates.ts'
import { isValidAbn } from '../registrations/rules.ts'
import { ACTIVITIES, isHalfYear } from './rules.ts'
import { MAX_REPORT_TEXT, toReportText } from './text-rules.ts'

/** A text with only the letters that the Tax Office's files may have. */
const text = z
  .string()
  .max(MAX_REPORT_TEXT)
  .refine((value) => toReportText(value) === value, 'has letters that the report can’t have')
const abn = z.string().refine((digits) => /^\d{11}$/.test(digits) && isValidAbn(digits), 'isn’t an ABN')
const date = z.string().refine(isLocalDate, 'isn’t a date')
const cents = z.number().int().safe()

const sums = z
  .strictObject({
    quarter: date,
    paidCents: cents.min(0),
    refundedCents: cents,
    gstCents: cents,
    commissionCents: cents,
  })
  .refine(
    // One eleventh of each booking, rounded: a tenth is more than all of them can come to.
    ({ paidCents, refundedCents, gstCents }) =>
      Math.abs(gstCents) <= (paidCents + Math.abs(refundedCents)) / 10 + 1,
    'has more GST than a tenth',
  )

const activity = z
  .strictObject({
    activity: z.enum(ACTIVITIES),
    property: text.nullable(),
    // Totals by quarter: a half-year has two (LI 2025/5).
    quarters: z.array(sums).min(1).max(2),
  })
  .refine(
    ({ activity, property }) => (activity === 'Fixed location asset') === (property !== null),
    'has an address only if it is a fixed location asset',
  )

const seller = z
  .strictObject({
    reference: text,
    userId: z.string().min(1),
    kind: z.enum(['individual', 'organisation']),
    givenName: text.nullable(),
    familyName: text.nullable(),
    businessName: text.nullable(),
    abn: abn.nullable(),
    birthDate: date.nullable(),
    address: text,
    email: text,
    phone: text,
    account: z.strictObject({ id: z.string().min(1), bankLast4: z.string().nullable() }).nullable(),
    activities: z.array(activity).min(1),
    change: z.enum(['new', 'amend', 'cancel']),
    replaces: text.nullable(),
  })
  .refine(
    ({ kind, familyName, birthDate }) => kind !== 'individual' || (familyName !== null && birthDate !== null),
    'is a person without a name or a date of birth',
  )
  .refine(
    ({ kind, businessName, abn }) => kind !== 'organisation' || (businessName !== null && abn !== null),
    'is an organisation without a name or an ABN',
  )
  .refine(
    ({ change, replaces }) => (change === 'new') === (replaces === null),
    'replaces a record only if it isn’t new',
  )

/**
 * What we check a report against before it is stored. It stands in for the schema of SHRNGECONTXBLPMT 1.3, which is to be had from the
 * Tax Office alone: the fields are those that its pages name ('What you need to include in your SERR report'), with the letters of
 * 'SERR report common mistakes' (docs/tax.md).
 */
export const reportSchema = z.strictObject({
  half: z.string().refine(isHalfYear),
  version: z.number().int().min(1),
  reporter: z.strictObject({ name: text, abn }),
  sellers: z.array(seller),
  leftOut: z.array(
    z.strictObject({
      userId: z.string().min(1),
      reason: z.enum(['listed', 'government', 'goods', 'substantial', 'incomplete']),
    }),
  ),
})
