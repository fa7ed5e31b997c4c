import { z } from 'zod'

/** Marks one notification as read, or all of them. */
export const notificationFormSchema = z.object({ intent: z.enum(['all', 'read']), id: z.string() })
