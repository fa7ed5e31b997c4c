import { z } from 'zod'
import { cleanEmail } from '../../shared/contact.ts'
import { emailField } from '../../shared/form-texts.ts'
import { EMAIL_WRONG } from './accountant-messages.ts'

/** The address of a vendor's accountant. */
export const accountantSchema = z.object({ accountant: emailField(EMAIL_WRONG).transform(cleanEmail) })

/** The forms of the accountant's page. Mail programs send the last field when their own button is pressed (RFC 8058). */
export const accountantPageSchema = z.object({
  intent: z.enum(['confirm', 'end']).optional(),
  'List-Unsubscribe': z.string().optional(),
})
