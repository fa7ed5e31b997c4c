import { z } from 'zod'
import { plainText } from '../../shared/form-texts.ts'
import { type Act, confirming, dropping, reasonField, reasonSchema, subject } from './act-schema.ts'
import { EMAIL_MISSING, MAX_VENDOR_LENGTH, NAMING_REFUSALS, ROLE_HINTS } from './messages.ts'
import { ROLES } from './role-rules.ts'
import { REVIEW_STATES } from './rules.ts'

const MODERATES = { permission: 'moderate', asksAgain: false } as const
const DISABLES = { permission: 'disable-accounts', asksAgain: true } as const
const NAMES = { permission: 'name-operators', asksAgain: true } as const

/** A role that moves money waits for another admin, where there is one. */
const BY_ROLE = {
  by: 'role',
  waiting: 'Role',
  payload: z.object({ formerRole: z.enum(ROLES).nullable(), role: z.enum(ROLES) }),
} as const
const ROLE_FIELD = {
  label: 'Role',
  hint: ROLES.map((role) => `${role}: ${ROLE_HINTS[role]}`).join(' '),
  options: ROLES.map((role) => ({ value: role, label: role })),
}

/** Acts about reviews, listings and reported conversations. */
const MODERATION_ACTS = {
  'approve-review': {
    ...MODERATES,
    input: { id: subject, seen: z.enum(REVIEW_STATES) },
    button: 'Approve',
    pending: 'Approving...',
    look: 'brand',
    done: 'Review approved',
    logs: { 'approve-review': 'Approved a review' },
  },
  'reject-review': {
    ...MODERATES,
    input: { id: subject, seen: z.enum(REVIEW_STATES), reason: reasonSchema },
    fields: { reason: reasonField('Reason', 'Its author sees this reason.') },
    button: 'Reject',
    pending: 'Rejecting...',
    look: 'danger',
    done: 'Review rejected',
    logs: { 'reject-review': 'Rejected a review' },
  },
  'hide-listing': {
    ...MODERATES,
    input: { id: subject, reason: reasonSchema },
    fields: {
      reason: reasonField('Reason', 'Its owner sees the reason and can’t show the listing again.'),
    },
    button: 'Hide',
    pending: 'Hiding...',
    look: 'danger',
    done: 'Listing hidden',
    logs: { 'hide-listing': 'Hid a listing' },
  },
  'show-listing': {
    ...MODERATES,
    input: { id: subject },
    button: 'Show again',
    pending: 'Showing...',
    done: 'Listing shown',
    logs: { 'show-listing': 'Showed a listing' },
  },
  'close-report': {
    permission: 'read-reports',
    asksAgain: false,
    input: { id: subject, block: z.enum(['', 'customer', 'vendor']).default(''), reason: reasonSchema },
    fields: {
      block: {
        label: 'Block',
        hint: 'A blocked side can’t write in this conversation any more, and an open quote ends.',
        options: [
          { value: '', label: 'Nobody' },
          { value: 'customer', label: 'The customer' },
          { value: 'vendor', label: 'The vendor' },
        ],
      },
      reason: reasonField('Outcome', 'Operators see it here and in the log.'),
    },
    button: 'Close this report',
    pending: 'Closing...',
    look: 'brand',
    done: 'Report closed',
    logs: { 'close-report': 'Closed a report' },
  },
} as const satisfies Record<string, Act>

/** Acts about accounts, those of operators among them. */
const ACCOUNT_ACTS = {
  'disable-account': {
    ...DISABLES,
    input: { id: subject, reason: reasonSchema },
    fields: {
      reason: reasonField(
        'Reason',
        'Stored in the log. The account is logged out everywhere and its listings are hidden.',
      ),
    },
    button: 'Disable',
    pending: 'Disabling...',
    look: 'danger',
    done: 'Account disabled',
    logs: { 'disable-account': 'Disabled an account' },
  },
  'enable-account': {
    ...DISABLES,
    input: { id: subject },
    button: 'Enable',
    pending: 'Enabling...',
    done: 'Account enabled',
    logs: { 'enable-account': 'Enabled an account' },
  },
  'name-operator': {
    ...NAMES,
    secondPerson: BY_ROLE,
    input: {
      email: plainText({ required: EMAIL_MISSING, max: MAX_VENDOR_LENGTH }),
      role: z.enum(ROLES),
    },
    fields: {
      email: {
        label: 'Email of their account',
        hint: 'They have signed up and confirmed this address.',
        maxLength: MAX_VENDOR_LENGTH,
      },
      role: ROLE_FIELD,
    },
    button: 'Name an operator',
    pending: 'Naming...',
    look: 'brand',
    done: 'Operator named',
    refusals: { field: 'email', texts: NAMING_REFUSALS },
    logs: { 'name-operator': 'Named an operator' },
  },
  'change-role': {
    ...NAMES,
    secondPerson: BY_ROLE,
    input: { id: subject, seen: z.enum(ROLES), role: z.enum(ROLES) },
    fields: { role: ROLE_FIELD },
    button: 'Change role',
    pending: 'Changing...',
    done: 'Role changed',
    logs: { 'change-role': 'Changed an operator’s role' },
  },
  'remove-operator': {
    ...NAMES,
    input: { id: subject, seen: z.enum(ROLES) },
    button: 'Remove',
    pending: 'Removing...',
    look: 'danger',
    question: {
      title: 'Remove this role?',
      body: 'They can no longer open the operators’ screens. They keep their account.',
      confirmLabel: 'Remove',
      danger: true,
    },
    done: 'Operator removed',
    logs: { 'remove-operator': 'Removed an operator' },
  },
  'confirm-naming': confirming('name-operators', {
    pending: 'Confirming...',
    look: 'brand',
    done: 'Role given',
  }),
  'drop-naming': {
    ...dropping('name-operators'),
    button: 'Withdraw',
    pending: 'Withdrawing...',
    done: 'Withdrawn',
  },
} as const satisfies Record<string, Act>

/** Acts about people, and about what they have written. */
export const PEOPLE_ACTS = { ...MODERATION_ACTS, ...ACCOUNT_ACTS } as const satisfies Record<string, Act>
