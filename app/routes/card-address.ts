import { href } from 'react-router'
import type { SharedCard } from '../shared/page-meta.ts'

/** The picture that messengers show of a page's link. @param path the page's address */
export function cardOf(path: string, alt: string): SharedCard {
  const [pathname = '', query] = path.split('?')
  const address = href('/cards/*', { '*': pathname.slice(1) })
  return { url: query ? `${address}?${query}` : address, alt }
}
