/** What every page's head needs of the settings; the root loader has both. */
export type Site = { brand: string; publicOrigin: string }

/** What page heads need, of the settings. */
export function siteOf(config: { brand: string; publicUrl: URL }): Site {
  return { brand: config.brand, publicOrigin: config.publicUrl.origin }
}

/** A picture that takes ?w= and &f=, with the size of its original in pixels. */
export type SharedImage = { url: string; width: number; height: number; alt: string }

export type PageMeta = {
  /** The whole title, as it stands in the browser's tab. */
  title: string
  description: string
  /** Path and query under which search engines keep this page. */
  path: string
  /** What shared links say, where it differs (Decision 15). */
  shareTitle?: string
  shareDescription?: string
  image?: SharedImage
  /** Keeps the page out of search engines: thin results of a filter, pages that are not there. */
  noIndex?: boolean
}

/** One tag of a document's head, in the form that the router's `meta` takes. */
export type MetaTag =
  | { title: string }
  | { name: string; content: string }
  | { property: string; content: string }
  | { tagName: 'link'; rel: string; href: string }

/** Width of a shared picture in pixels: large enough for every network, small enough to be fetched by all. */
const SHARE_IMAGE_WIDTH = 1280

/** '{page} | {brand}', the form of every title (Specification, section 2). */
export function pageTitle(page: string, site: Site | undefined): string {
  return site ? `${page} | ${site.brand}` : page
}

/** The head of a page for one person: a title. Its layout keeps it out of search engines. */
export function privateMeta(page: string, site: Site | undefined): MetaTag[] {
  return [{ title: pageTitle(page, site) }]
}

/**
 * A picture as others fetch it: JPEG, since not everybody who draws a preview reads newer formats.
 * @returns its whole address and its size in pixels; a small original is never enlarged
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
 * The tags of a page's head: title, description, address, and what a shared link shows (Open Graph and Twitter).
 * @param site undefined only while the root has failed: then title and description are all
 */
export function pageMeta(site: Site | undefined, page: PageMeta): MetaTag[] {
  const tags: MetaTag[] = [{ title: page.title }, { name: 'description', content: page.description }]
  if (page.noIndex) tags.push({ name: 'robots', content: 'noindex' })
  if (!site) return tags
  const address = new URL(page.path, site.publicOrigin).href
  const title = page.shareTitle ?? page.title
  const description = page.shareDescription ?? page.description
  if (!page.noIndex) tags.push({ tagName: 'link', rel: 'canonical', href: address })
  tags.push(
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: site.brand },
    { property: 'og:locale', content: 'en_AU' },
    { property: 'og:url', content: address },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { name: 'twitter:card', content: page.image ? 'summary_large_image' : 'summary' },
    { name: 'twitter:title', content: title },
    { name: 'twitter:description', content: description },
  )
  if (page.image) {
    const image = sharedImage(page.image, site)
    tags.push(
      { property: 'og:image', content: image.url },
      { property: 'og:image:type', content: 'image/jpeg' },
      { property: 'og:image:width', content: String(image.width) },
      { property: 'og:image:height', content: String(image.height) },
      { property: 'og:image:alt', content: page.image.alt },
      { name: 'twitter:image', content: image.url },
      { name: 'twitter:image:alt', content: page.image.alt },
    )
  }
  return tags
}
