import { z } from 'zod'
import { SNOOZE_CHOICES } from './snooze-rules.ts'

const row = { kind: z.string().max(20), row: z.string().max(120) }

/** Puts a row of 'Waiting for you' off. */
export const snoozeSchema = z.object({ intent: z.literal('snooze'), ...row, choice: z.enum(SNOOZE_CHOICES) })

/** Brings it back. */
export const unsnoozeSchema = z.object({ intent: z.literal('unsnooze'), ...row })
