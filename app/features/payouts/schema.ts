import { z } from 'zod'

/** The steps of the setup screen: accepting the agreement, or going on to the provider's form. */
export const setupSchema = z.object({
  intent: z.enum(['accept', 'continue']),
  version: z.string().max(40).optional(),
  accepted: z.literal('yes').optional(),
})
