import type { RenderedParts } from './rendered-once.tsx'

/** A header for each category and a footer of two sorts are some thirty; more would be a key with too much in it. */
const MAX_PARTS = 100

/** The parts that documents share, as long as this process lives. */
const kept = new Map<string, string>()

/** The parts of one document. */
export type DocumentParts = RenderedParts & {
  /** Keeps the parts that this document had to render. */
  keep(html: string): void
}

export function createDocumentParts(): DocumentParts {
  const missing = new Map<string, { tag: string; opening: string }>()
  return {
    find(tag, opening, sameFor) {
      const key = `${opening} ${sameFor}`
      const html = kept.get(key)
      if (html === undefined) missing.set(key, { tag, opening })
      return html
    },
    keep(html) {
      for (const [key, { tag, opening }] of missing) {
        const inside = insideOf(html, tag, opening)
        if (inside === null) continue
        if (kept.size >= MAX_PARTS) kept.clear()
        kept.set(key, inside)
      }
    },
  }
}

/** @returns the HTML inside an element, or null if it isn't certain where it ends or it has a script of this document */
export function insideOf(html: string, tag: string, opening: string): string | null {
  const at = html.indexOf(opening)
  const start = html.indexOf('>', at) + 1
  const end = html.indexOf(`</${tag}>`, at)
  if (at < 0 || end < start || html.indexOf(opening, start) >= 0) return null
  const inside = html.slice(start, end)
  return inside.includes(`<${tag}`) || inside.includes('<script') ? null : Buffer.from(inside).toString()
}
