import type {
  BreadcrumbList,
  ItemList,
  Organization,
  SearchAction,
  WebSite,
  WithActionConstraints,
  WithContext,
} from 'schema-dts'
import type { Site } from './page-meta.ts'

/** The context of JSON-LD for search engines. schema-dts checks the objects against schema.org's types. */
export const SCHEMA_ORG = 'https://schema.org'

/**
 * A page's breadcrumbs.
 * @param crumbs as the page shows them, from the top; the last one is the page itself and needs no path
 */
export function breadcrumbList(
  site: Site,
  crumbs: readonly { label: string; to?: string }[],
): WithContext<BreadcrumbList> {
  return {
    '@context': SCHEMA_ORG,
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(({ label, to }, index) => ({
      '@type': 'ListItem' as const,
      position: index + 1,
      name: label,
      ...(to ? { item: new URL(to, site.publicOrigin).href } : {}),
    })),
  }
}

/**
 * The items of a list, in order. The details are on each item's own page.
 * @param items each with the path of its own page
 */
export function itemList(
  site: Site,
  name: string,
  items: readonly { name: string; path: string }[],
): WithContext<ItemList> {
  return {
    '@context': SCHEMA_ORG,
    '@type': 'ItemList',
    name,
    itemListElement: items.map((item, index) => ({
      '@type': 'ListItem' as const,
      position: index + 1,
      name: item.name,
      url: new URL(item.path, site.publicOrigin).href,
    })),
  }
}

/**
 * The organisation that runs the site.
 * @param social the URLs of its pages on social networks; a network's front page is left out
 */
export function organization(site: Site, social: readonly string[]): WithContext<Organization> {
  const pages = social.filter((address) => new URL(address).pathname !== '/')
  return {
    '@context': SCHEMA_ORG,
    '@type': 'Organization',
    '@id': `${site.publicOrigin}/#organization`,
    name: site.brand,
    url: `${site.publicOrigin}/`,
    logo: `${site.publicOrigin}/favicon.svg`,
    ...(pages.length > 0 ? { sameAs: pages } : {}),
  }
}

/**
 * The site and its search.
 * @param searchPath the path of the page that searches for `q`
 */
export function website(site: Site, searchPath: string): WithContext<WebSite> {
  const search: WithActionConstraints<SearchAction> = {
    '@type': 'SearchAction',
    target: {
      '@type': 'EntryPoint',
      urlTemplate: `${site.publicOrigin}${searchPath}?q={search_term_string}`,
    },
    'query-input': 'required name=search_term_string',
  }
  return {
    '@context': SCHEMA_ORG,
    '@type': 'WebSite',
    '@id': `${site.publicOrigin}/#website`,
    name: site.brand,
    url: `${site.publicOrigin}/`,
    inLanguage: 'en-AU',
    publisher: { '@id': `${site.publicOrigin}/#organization` },
    potentialAction: search,
  }
}
