import { z } from 'zod'
import { plainText } from '../../shared/form-texts.ts'
import { RATING_MISSING, REVIEW_MISSING } from './messages.ts'
import { MAX_RATING, MAX_REVIEW_LENGTH, MIN_RATING } from './rules.ts'

/** The form of a review (Decision 12). */
export const reviewSchema = z.object({
  rating: z.coerce
    .number({ error: RATING_MISSING })
    .int({ error: RATING_MISSING })
    .min(MIN_RATING, { error: RATING_MISSING })
    .max(MAX_RATING, { error: RATING_MISSING }),
  body: plainText({ required: REVIEW_MISSING, max: MAX_REVIEW_LENGTH, multiline: true }),
})
