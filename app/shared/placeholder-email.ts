import { newId } from './ids.ts'

// The top-level domain .invalid is reserved, so no mail server can have such a name (RFC 2606).
const DOMAIN = '@detached.invalid'

/** An undeliverable address, for an account whose own address was detached. */
export function newPlaceholderEmail(): string {
  return `${newId()}${DOMAIN}`
}

/** Whether an address is a placeholder for a detached one. */
export function isPlaceholderEmail(email: string): boolean {
  return email.toLowerCase().endsWith(DOMAIN)
}
