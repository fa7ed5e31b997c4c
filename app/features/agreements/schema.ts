import { z } from 'zod'

/** The form that accepts the vendor agreement. */
export const acceptSchema = z.object({
  version: z.string().min(1).max(40),
})

export type AcceptRefusal =
  | 'signed_out'
  | 'too_often'
  /** Another version is in force now. */
  | 'other_version'
  | 'not_reached'
  | 'failed'

/** The answer to the form that accepts the vendor agreement. */
export type AcceptAnswer =
  | {
      ok: true
      /** How many listings became public by it. */
      published: number
    }
  | { ok: false; reason: AcceptRefusal }
