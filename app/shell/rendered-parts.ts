import { type ComponentType, createElement } from 'react'
import { renderToString } from 'react-dom/server'
import type { RenderedParts } from '../ui/rendered-once.tsx'

/** Some thousand cards, of up to two bytes a character. The part that was used longest ago goes first. */
const MAX_CHARACTERS = 4 * 2 ** 20

/** In HTML that belongs to one document: React's ids, tags of the head, scripts, and what isn't loaded yet. */
const OF_ONE_DOCUMENT = /\b_R_|<(?:link|meta|title|style|script)\b|<!--\$[?!]/

/**
 * The parts that documents share, as long as a process lives.
 * @property kept their HTML by component and data, from the part used longest ago to the latest
 */
export type KeptParts = RenderedParts & { kept: ReadonlyMap<string, string> }

export function createRenderedParts(): KeptParts {
  const kept = new Map<string, string>()
  const names = new WeakMap<object, string>()
  let components = 0
  let characters = 0

  /** Two components of one name are two keys. */
  const nameOf = (inside: { name: string }) => {
    const name = names.get(inside) ?? `${inside.name} ${++components}`
    names.set(inside, name)
    return name
  }
  const keep = (key: string, html: string) => {
    kept.set(key, html)
    characters += key.length + html.length
    for (const [oldest, { length }] of kept) {
      if (characters <= MAX_CHARACTERS) return
      kept.delete(oldest)
      characters -= oldest.length + length
    }
  }

  return {
    kept,
    htmlOf(inside, data) {
      const json = JSON.stringify(data)
      const key = `${nameOf(inside)} ${json}`
      const found = kept.get(key)
      if (found !== undefined) {
        // Now it is the latest.
        kept.delete(key)
        kept.set(key, found)
        return found
      }
      const html = renderAlone(inside, json)
      if (html !== null) keep(key, html)
      return html
    },
  }
}

/**
 * Renders a component from nothing but its properties as JSON. In a rendering inside another one, React gives no context a
 * value.
 * @returns null for HTML that belongs to one document, or can't be made outside of it
 */
function renderAlone<Data extends object>(inside: ComponentType<Data>, json: string): string | null {
  try {
    const html = renderToString(createElement(inside, JSON.parse(json) as Data))
    return OF_ONE_DOCUMENT.test(html) ? null : html
  } catch {
    return null
  }
}
