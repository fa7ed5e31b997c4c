import { describe, expect, it } from 'vitest'
import {
  ACCOUNT_INVALID,
  ACCOUNT_NAME_MISSING,
  accountText,
  BSB_INVALID,
  KIND_MISSING,
  maskAccount,
  PAY_ID_INVALID,
  readRefundAccount,
} from './refund-account-rules.ts'

const accountOf = (typed: Record<string, unknown>) => {
  const read = readRefundAccount({ name: 'Kim Lee', ...typed })
  return read.ok ? accountText(read.account) : read.errors
}

describe('a PayID', () => {
  it.each([
    ['0412 345 678', 'PayID 0412 345 678, Kim Lee'],
    ['+61 412 345 678', 'PayID 0412 345 678, Kim Lee'],
    ['Kim.Lee@Example.com', 'PayID kim.lee@example.com, Kim Lee'],
    ['51 824 753 556', 'PayID 51 824 753 556, Kim Lee'],
  ])('is a mobile number, an email address or an ABN: %s', (payId, text) => {
    expect(accountOf({ kind: 'payid', payId })).toBe(text)
  })

  it.each(['', '03 9555 0142', '0412 345 67', '51 824 753 557', 'kim@', 'Kim Lee'])('isn’t %j', (payId) => {
    expect(accountOf({ kind: 'payid', payId })).toEqual({ payId: PAY_ID_INVALID })
  })
})

describe('a bank account', () => {
  it.each([
    ['062-000', '12345', 'BSB 062-000, account 12345, Kim Lee'],
    ['062000', '1234 56789', 'BSB 062-000, account 123456789, Kim Lee'],
  ])('has a BSB of 6 digits and a number of 5 to 9: %s, %s', (bsb, account, text) => {
    expect(accountOf({ kind: 'account', bsb, account })).toBe(text)
  })

  it.each([
    ['06200', '12345', { bsb: BSB_INVALID }],
    ['0620000', '12345', { bsb: BSB_INVALID }],
    ['062-000', '1234', { account: ACCOUNT_INVALID }],
    ['062-000', '1234567890', { account: ACCOUNT_INVALID }],
    ['', '', { bsb: BSB_INVALID, account: ACCOUNT_INVALID }],
  ])('is refused at the field that is wrong: %s, %s', (bsb, account, errors) => {
    expect(accountOf({ kind: 'account', bsb, account })).toEqual(errors)
  })
})

it('an account needs a kind and a name', () => {
  expect(accountOf({ kind: 'cash' })).toEqual({ kind: KIND_MISSING })
  expect(readRefundAccount({ kind: 'payid', payId: '0412 345 678', name: ' ' })).toEqual({
    ok: false,
    errors: { name: ACCOUNT_NAME_MISSING },
  })
})

it('an account is masked but for what its owner recognises', () => {
  const name = 'Kim Lee'
  expect(maskAccount({ kind: 'account', name, bsb: '062-000', account: '123456789' })).toBe(
    'account ending 789',
  )
  expect(maskAccount({ kind: 'payid', name, payId: '0412 345 678' })).toBe('PayID ending 678')
  expect(maskAccount({ kind: 'payid', name, payId: 'kim@example.com' })).toBe('PayID k…@example.com')
})
