import type { SandboxAccountStep } from '../../adapters/payments/sandbox/accounts.server.ts'

export const ACCOUNT_FIELD_MESSAGES = {
  givenName: 'Enter a given name of at most 100 characters.',
  surname: 'Enter a surname of at most 100 characters.',
  dateOfBirth: 'Enter a date of birth in the past.',
  bsb: 'Enter the test BSB 110000, never a real one.',
  account: 'Enter one of the two test account numbers, never a real one.',
} as const

export const ACCOUNT_STEP_TITLES = {
  person: 'About you',
  bank: 'Your bank account',
  document: 'Proof of identity',
  confirm: 'Check and send',
} as const satisfies Record<SandboxAccountStep, string>

export const ACCOUNT_STEP_REFUSALS = {
  rejected: 'This account has been closed or refused for good.',
  incomplete: 'Complete the other steps first.',
} as const
