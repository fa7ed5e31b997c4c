import { expect, it } from 'vitest'
import { isPlaceholderEmail, newPlaceholderEmail } from './placeholder-email.ts'

it('a placeholder is unique and differs from every real address', () => {
  const placeholder = newPlaceholderEmail()
  expect(newPlaceholderEmail()).not.toBe(placeholder)
  expect(isPlaceholderEmail(placeholder)).toBe(true)
  expect(isPlaceholderEmail(placeholder.toUpperCase())).toBe(true)
  for (const email of ['robin@example.com', 'robin@example.invalid', 'detached.invalid@example.com', ''])
    expect(isPlaceholderEmail(email)).toBe(false)
})
