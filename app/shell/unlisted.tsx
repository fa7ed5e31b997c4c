import { createContext, use } from 'react'

/**
 * Whether search engines leave this document out. Only the server says so: they read documents alone, and React leaves a
 * tag of the head that it does not know.
 */
export const Unlisted = createContext(false)

export function UnlistedTag() {
  return use(Unlisted) ? <meta name="robots" content="noindex" /> : null
}
