import { createContext, use } from 'react'

/**
 * What search engines read of this document as data (JSON-LD). The server alone gives it: a browser has no use for it, so
 * neither the pages' scripts nor their loaders' answers carry it. React leaves what it does not know in the head alone.
 */
export const StructuredData = createContext<readonly object[]>([])

/** The data in the head; no text in it can end its script, or a line of it. */
export function StructuredDataScripts() {
  return use(StructuredData).map((thing) => {
    const text = JSON.stringify(thing).replace(
      /[<>&\u2028\u2029]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON of ours in which no sign means anything to HTML
    return <script key={text} type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />
  })
}
