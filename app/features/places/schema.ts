import { z } from 'zod'

/** A visitor's position, as their browser gives it. */
export const pointSchema = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
})
