import { z } from 'zod'
import { emailField } from '../../shared/form-texts.ts'

/** Specification, section 5: required, and in e-mail format. */
export const newsletterSchema = z.object({ email: emailField('Enter your e-mail address.') })
