import { z } from 'zod'
import { emailField } from '../../shared/form-texts.ts'

/** The form's fields (Specification, section 5): the address is required, in email format. */
export const newsletterSchema = z.object({ email: emailField('Enter your email address.') })
