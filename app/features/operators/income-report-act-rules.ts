import { z } from 'zod'
import { plainText } from '../../shared/form-texts.ts'
import { LEFT_OUT_WORDS } from '../income-reports/operator-messages.ts'
import { LEFT_OUT } from '../income-reports/rules.ts'
import { type Act, reasonField, reasonSchema, subject } from './act-schema.ts'

const REPORTS = { permission: 'report-income', asksAgain: false } as const
const MAX_RECEIPT_LENGTH = 100
const receipt = plainText({ required: 'Enter the receipt number.', max: MAX_RECEIPT_LENGTH })
const receiptField = {
  label: 'Receipt number',
  hint: 'From the Tax Office’s answer to the file.',
  maxLength: MAX_RECEIPT_LENGTH,
}
const FLAGS = ['', ...LEFT_OUT] as const

/** Acts about the report of vendors' income to the Tax Office. */
export const INCOME_REPORT_ACTS = {
  'make-income-report': {
    ...REPORTS,
    input: {
      id: subject,
      incomplete: z.enum(['wait', 'leave']),
      seen: z.string().max(100).default(''),
      before: z.enum(['keep', 'replace']).default('keep'),
    },
    fields: {
      incomplete: {
        label: 'Vendors whose details are missing',
        hint: 'A later correction adds those who are left out.',
        options: [
          { value: 'wait', label: 'Wait for them' },
          { value: 'leave', label: 'Leave them out for now' },
        ],
      },
      before: {
        label: 'The report made before',
        hint: 'Its file was downloaded. If it was lodged, note that with its receipt.',
        options: [
          { value: 'keep', label: 'It may have been lodged: keep it' },
          { value: 'replace', label: 'It was not lodged: replace it' },
        ],
      },
    },
    button: 'Make the report',
    pending: 'Making...',
    look: 'brand',
    done: 'Report made',
    logs: { 'make-income-report': 'Made an income report' },
  },
  'lodge-income-report': {
    ...REPORTS,
    // Its file can never be made again.
    asksAgain: true,
    input: { id: subject, receipt },
    fields: { receipt: receiptField },
    button: 'Note as lodged',
    pending: 'Noting...',
    look: 'brand',
    done: 'Noted as lodged',
    logs: { 'lodge-income-report': 'Noted an income report as lodged' },
  },
  'correct-income-receipt': {
    ...REPORTS,
    input: { id: subject, seen: z.string().max(MAX_RECEIPT_LENGTH), receipt },
    fields: { receipt: receiptField },
    button: 'Correct the receipt number',
    pending: 'Saving...',
    done: 'Receipt number corrected',
    logs: { 'correct-income-receipt': 'Corrected a receipt number of an income report' },
  },
  'leave-out-vendor': {
    ...REPORTS,
    input: {
      id: subject,
      seen: z.enum(FLAGS).default(''),
      leftOut: z.enum(FLAGS).default(''),
      reason: reasonSchema,
    },
    fields: {
      leftOut: {
        label: 'Report this vendor',
        hint: 'Vendors of $1,000,000 or more in a half-year are left out by themselves.',
        options: FLAGS.map((flag) => ({ value: flag, label: flag ? `No: ${LEFT_OUT_WORDS[flag]}` : 'Yes' })),
      },
      reason: reasonField('Reason', 'Operators see it in the log.'),
    },
    button: 'Leave out or report',
    pending: 'Saving...',
    done: 'Saved',
    logs: { 'leave-out-vendor': 'Changed whether a vendor is reported' },
  },
  'ask-vendor-details': {
    ...REPORTS,
    input: { id: subject },
    button: 'Ask them',
    pending: 'Asking...',
    done: 'Asked by email',
    logs: { 'ask-vendor-details': 'Asked a vendor for details' },
  },
} as const satisfies Record<string, Act>
