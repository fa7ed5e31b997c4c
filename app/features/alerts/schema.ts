import { z } from 'zod'
import { emailField } from '../../shared/form-texts.ts'
import { EMAIL_MISSING } from './messages.ts'
import { MAX_ADDRESS_LENGTH } from './rules.ts'

/** 'Tell me' below a list: the list's address, and where to tell. */
export const askSchema = z.object({
  search: z.string().max(MAX_ADDRESS_LENGTH),
  email: emailField(EMAIL_MISSING),
})

const alertId = z.string().regex(/^[\w-]{1,64}$/)

/** The forms of a mailed link's page. Mail programs send the last field when their own button is pressed (RFC 8058). */
export const alertPageSchema = z.object({
  intent: z.enum(['confirm', 'end', 'end-all']).optional(),
  alert: alertId.optional(),
  'List-Unsubscribe': z.string().optional(),
})

/** 'End' in the settings. */
export const endAlertSchema = z.object({ intent: z.literal('end-alert'), alert: alertId })
