import { z } from 'zod'

/** Marks one notification as read, or all of them. */
export const notificationFormSchema = z.object({ intent: z.enum(['all', 'read']), id: z.string() })

/** Turns notifications on for the browser that sends its subscription. */
export const pushOnSchema = z.object({
  intent: z.literal('push-on'),
  endpoint: z.string().max(1_000),
  p256dh: z.string().max(200),
  auth: z.string().max(200),
})

/** Turns them off for one device. */
export const pushOffSchema = z.object({ intent: z.literal('push-off'), pushDevice: z.string().max(64) })

export const PUSH_INTENTS = ['push-on', 'push-off'] as const
export type PushIntent = (typeof PUSH_INTENTS)[number]
