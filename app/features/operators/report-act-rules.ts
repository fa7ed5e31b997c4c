import { z } from 'zod'
import { plainText } from '../../shared/form-texts.ts'
import { type Act, subject } from './act-schema.ts'
import { LETTER_MISSING, MAX_LETTER_LENGTH } from './messages.ts'

/** Forms send line ends as CRLF, which count once. */
const body = z
  .string({ error: LETTER_MISSING })
  .transform((text) => text.replaceAll('\r\n', '\n'))
  .pipe(plainText({ required: LETTER_MISSING, max: MAX_LETTER_LENGTH, multiline: true }))
const MESSAGE = {
  label: 'Message',
  hint: 'It goes by email as you write it, and stays here and in the log.',
  maxLength: MAX_LETTER_LENGTH,
  rows: 5,
} as const

/** Acts by which an operator writes about a reported conversation. `key` makes a letter that is sent twice leave once. */
export const REPORT_ACTS = {
  'warn-side': {
    permission: 'read-reports',
    asksAgain: false,
    input: { id: subject, key: subject, side: z.enum(['customer', 'vendor']), message: body },
    fields: {
      side: {
        label: 'Who gets the warning',
        hint: 'The other side isn’t told.',
        options: [
          { value: 'vendor', label: 'The vendor' },
          { value: 'customer', label: 'The customer' },
        ],
      },
      message: MESSAGE,
    },
    button: 'Warn one side',
    pending: 'Sending...',
    look: 'danger',
    done: 'Warning sent',
    logs: { 'warn-side': 'Warned a side of a conversation' },
  },
  'write-to-both': {
    permission: 'read-reports',
    asksAgain: false,
    input: { id: subject, key: subject, message: body },
    fields: { message: MESSAGE },
    button: 'Write to both sides',
    pending: 'Sending...',
    look: 'brand',
    done: 'Sent to both sides',
    logs: { 'write-to-both': 'Wrote to both sides of a conversation' },
  },
} as const satisfies Record<string, Act>
