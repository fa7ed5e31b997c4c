import { newId } from './ids.ts'

// No mail server can have a name under .invalid (RFC 2606).
const DOMAIN = '@detached.invalid'

/** An address that no mail reaches, for an account whose own address was taken off it. */
export function newPlaceholderEmail(): string {
  return `${newId()}${DOMAIN}`
}

/** Whether an address only fills the place of one that was taken off its account. */
export function isPlaceholderEmail(email: string): boolean {
  return email.toLowerCase().endsWith(DOMAIN)
}
