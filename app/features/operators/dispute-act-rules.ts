import { z } from 'zod'
import { plainText } from '../../shared/form-texts.ts'
import { type Act, confirming, dropping, reasonField, reasonSchema, subject } from './act-schema.ts'
import {
  ACCEPT_QUESTION,
  ACCEPT_WARNING,
  DISPUTE_ACCEPTED,
  EVIDENCE_FIELD_LENGTHS,
  EVIDENCE_LABELS,
  EVIDENCE_SENT,
  PRODUCT_MISSING,
  STATEMENT_MISSING,
  SUBMIT_QUESTION,
  SUBMIT_WARNING,
} from './dispute-messages.ts'
import type { EvidenceTexts } from './dispute-rules.ts'

const ANSWERS = {
  permission: 'answer-disputes',
  asksAgain: true,
  secondPerson: {
    by: 'amount',
    waiting: 'Answer to a dispute',
    // The answer has a row of its own, with the same id.
    payload: z.object({}),
  },
} as const

/** The state of the dispute as the operator saw it, by `disputeVersion`. */
const seen = z.string().max(200)

/** A longer text of evidence. Forms send line ends as CRLF, which count once. */
const evidenceText = (name: keyof EvidenceTexts, required?: string) =>
  z
    .string()
    .transform((text) => text.replaceAll('\r\n', '\n'))
    .pipe(
      plainText({
        max: EVIDENCE_FIELD_LENGTHS[name],
        multiline: true,
        ...(required === undefined ? {} : { required }),
      }),
    )
const evidenceField = (name: keyof EvidenceTexts, { isOptional = false } = {}) => ({
  label: EVIDENCE_LABELS[name],
  hint: '',
  maxLength: EVIDENCE_FIELD_LENGTHS[name],
  isOptional,
})

/** Our answers to a dispute. The bank takes one, and it decides about money. */
export const DISPUTE_ACTS = {
  'submit-evidence': {
    ...ANSWERS,
    input: {
      id: subject,
      seen,
      product: evidenceText('product', PRODUCT_MISSING),
      serviceDate: evidenceText('serviceDate'),
      terms: evidenceText('terms'),
      refusal: evidenceText('refusal'),
      statement: evidenceText('statement', STATEMENT_MISSING),
      reason: reasonSchema,
    },
    fields: {
      product: evidenceField('product'),
      serviceDate: evidenceField('serviceDate', { isOptional: true }),
      terms: evidenceField('terms', { isOptional: true }),
      refusal: evidenceField('refusal', { isOptional: true }),
      statement: evidenceField('statement'),
      reason: reasonField(
        'Why are you answering it?',
        'Stays in the operators’ log. The bank doesn’t get it.',
      ),
    },
    button: 'Submit evidence',
    pending: 'Submitting...',
    question: {
      title: SUBMIT_QUESTION,
      body: SUBMIT_WARNING,
      confirmLabel: 'Submit evidence',
      cancelLabel: 'Keep editing',
    },
    done: EVIDENCE_SENT,
    logs: { 'submit-evidence': 'Submitted evidence of a dispute' },
  },
  'accept-dispute': {
    ...ANSWERS,
    input: { id: subject, seen, reason: reasonSchema },
    fields: { reason: reasonField('Why are you accepting it?', 'Stays in the operators’ log.') },
    button: 'Accept the dispute',
    pending: 'Accepting...',
    look: 'danger',
    question: {
      title: ACCEPT_QUESTION,
      body: ACCEPT_WARNING,
      confirmLabel: 'Accept the dispute',
      cancelLabel: 'Keep it open',
      danger: true,
    },
    done: DISPUTE_ACCEPTED,
    logs: { 'accept-dispute': 'Accepted a dispute' },
  },
  'confirm-answer': confirming('answer-disputes', {
    pending: 'Confirming...',
    look: 'brand',
    done: 'Confirmed and sent',
  }),
  'drop-answer': dropping('answer-disputes', { 'drop-answer': 'Dropped an answer to a dispute' }),
} as const satisfies Record<string, Act>
