import { createContext, use } from 'react'

/**
 * Whether search engines leave this document out. Only the server renders the tag: search engines read documents, and
 * React leaves unknown tags in the head alone.
 */
export const Unlisted = createContext(false)

export function UnlistedTag() {
  return use(Unlisted) ? <meta name="robots" content="noindex" /> : null
}
