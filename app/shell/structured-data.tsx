import { createContext, use } from 'react'

/**
 * This document's structured data for search engines (JSON-LD). Only the server renders it: browsers don't use it, so
 * neither the pages' scripts nor their loader data contain it. React leaves unknown tags in the head alone.
 */
export const StructuredData = createContext<readonly object[]>([])

/** The data in the head, escaped so that no text in it can end its script or a line. */
export function StructuredDataScripts() {
  return use(StructuredData).map((thing) => {
    const text = JSON.stringify(thing).replace(
      /[<>&\u2028\u2029]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    // biome-ignore lint/security/noDangerouslySetInnerHtml: our own JSON, in which no character has a meaning in HTML
    return <script key={text} type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />
  })
}
