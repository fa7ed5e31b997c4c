import type { SiteLink } from './site-links.ts'

export type HeaderUser = {
  displayName: string | null
  email: string
  avatarUrl: string | null
  isOperator: boolean
}

export type HeaderProps = {
  brand: string
  user: HeaderUser | null
  /** True until the browser knows who is signed in. The space is reserved, so that nothing shifts. */
  loading: boolean
  unreadCount: number
  /** The number of vendors in the cart. */
  cartCount: number
  onLogout: () => void
  /** The links to the categories. */
  links: readonly SiteLink[]
}

/** The name to address a person by: the display name, or the part of the email before the @. */
export function nameOf(user: { displayName: string | null; email: string }): string {
  return user.displayName?.trim() || (user.email.split('@')[0] ?? user.email)
}
