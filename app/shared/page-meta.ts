/** The settings that every page's head needs. The root loader returns both. */
export type Site = { brand: string; publicOrigin: string }

/** Picks the settings that page heads need. */
export function siteOf(config: { brand: string; publicUrl: URL }): Site {
  return { brand: config.brand, publicOrigin: config.publicUrl.origin }
}

/** A picture whose URL accepts ?w= and &f=, with the size of its original in pixels. */
export type SharedImage = { url: string; width: number; height: number; alt: string }

/** A page's own card, drawn for links: its address, without the site. */
export type SharedCard = { url: string; alt: string }

export type PageMeta = {
  /** The full title, as shown in the browser's tab. */
  title: string
  description: string
  /** The path and query under which search engines index this page. */
  path: string
  /** The title of shared links, if it differs (Decision 15). */
  shareTitle?: string
  shareDescription?: string
  image?: SharedImage
  /** Takes the place of `image`. */
  card?: SharedCard
  /** Keeps the page out of search engines: a filter's thin results, missing pages. */
  noIndex?: boolean
}

/** A tag of a document's head, in the form of the router's `meta`. */
export type MetaTag =
  | { title: string }
  | { name: string; content: string }
  | { property: string; content: string }
  | { tagName: 'link'; rel: string; href: string }

/** The width of a shared picture in pixels: large enough for every network, and small enough for each to fetch it. */
const SHARE_IMAGE_WIDTH = 1280

/** The size of a card in pixels, as `CARD_SIZE` in adapters/link-cards. */
const SHARE_CARD = { width: 1200, height: 630 }

/** '{page} | {brand}', the form of every title (Specification, section 2). */
export function pageTitle(page: string, site: Site | undefined): string {
  return site ? `${page} | ${site.brand}` : page
}

/** The head of a private page: only a title. The page's layout keeps it out of search engines. */
export function privateMeta(page: string, site: Site | undefined): MetaTag[] {
  return [{ title: pageTitle(page, site) }]
}

/**
 * A picture for link previews: a JPEG, because not every network reads newer formats.
 * @returns its absolute URL and its size in pixels; a small original is never enlarged
 */
export function sharedImage(
  image: Omit<SharedImage, 'alt'>,
  site: Site,
): { url: string; width: number; height: number } {
  const width = Math.min(SHARE_IMAGE_WIDTH, image.width)
  return {
    url: new URL(`${image.url}?w=${SHARE_IMAGE_WIDTH}&f=jpeg`, site.publicOrigin).href,
    width,
    height: Math.round((image.height * width) / image.width),
  }
}

/**
 * The tags of a page's head: title, description, canonical URL, and the preview of shared links (Open Graph and
 * Twitter).
 * @param site undefined only if the root has failed; the head then has just a title and a description
 */
export function pageMeta(site: Site | undefined, page: PageMeta): MetaTag[] {
  const tags: MetaTag[] = [{ title: page.title }, { name: 'description', content: page.description }]
  if (page.noIndex) tags.push({ name: 'robots', content: 'noindex' })
  if (!site) return tags
  const address = new URL(page.path, site.publicOrigin).href
  const title = page.shareTitle ?? page.title
  const description = page.shareDescription ?? page.description
  const picture = pictureOf(page, site)
  if (!page.noIndex) tags.push({ tagName: 'link', rel: 'canonical', href: address })
  tags.push(
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: site.brand },
    { property: 'og:locale', content: 'en_AU' },
    { property: 'og:url', content: address },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { name: 'twitter:card', content: picture ? 'summary_large_image' : 'summary' },
    { name: 'twitter:title', content: title },
    { name: 'twitter:description', content: description },
  )
  if (picture)
    tags.push(
      { property: 'og:image', content: picture.url },
      { property: 'og:image:type', content: 'image/jpeg' },
      { property: 'og:image:width', content: String(picture.width) },
      { property: 'og:image:height', content: String(picture.height) },
      { property: 'og:image:alt', content: picture.alt },
      { name: 'twitter:image', content: picture.url },
      { name: 'twitter:image:alt', content: picture.alt },
    )
  return tags
}

/** The picture of a page's link, with its size; null for none. */
function pictureOf({ card, image }: PageMeta, site: Site) {
  if (card) return { ...SHARE_CARD, url: new URL(card.url, site.publicOrigin).href, alt: card.alt }
  return image ? { ...sharedImage(image, site), alt: image.alt } : null
}

/**
 * For pages whose address has a token: other sites don't see it. With 'no-referrer' browsers would send a form without
 * script as coming from nowhere, and it would be refused.
 */
export const KEPT_ADDRESS = { name: 'referrer', content: 'same-origin' } as const
