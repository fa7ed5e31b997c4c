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
  /** True until the browser knows who is signed in; the place is kept so that nothing jumps. */
  loading: boolean
  unreadCount: number
  cartCount: number
  onLogout: () => void
  /** The categories of the trade. */
  links: readonly SiteLink[]
}

/** How a person is addressed: the display name, or the part of the e-mail before the @. */
export function nameOf(user: { displayName: string | null; email: string }): string {
  return user.displayName?.trim() || (user.email.split('@')[0] ?? user.email)
}
