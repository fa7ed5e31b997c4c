/** Every pattern here is bounded by the limits of a listing's texts (limits.ts) and of a query (search/limits.ts). */
import type { Category } from './rules.ts'
import { SERVICES, type Service, type ServiceId } from './service-rules.ts'

/** The rows, each with all of its properties. */
export const SERVICE_ROWS: Readonly<Record<ServiceId, Service>> = SERVICES
export const SERVICE_IDS = Object.keys(SERVICES) as ServiceId[]

/** The categories whose vendors may offer a service, its own first. */
export function categoriesOfService(id: ServiceId): Category[] {
  const { category, also = [] } = SERVICE_ROWS[id]
  return [category, ...also]
}

/** Its marker in the search index, as that of any value of a fact. */
export const serviceMarker = (id: ServiceId) => `k/${id}`

/** The services that vendors of a category may state. */
export function servicesOfCategory(category: Category): ServiceId[] {
  return SERVICE_IDS.filter((id) => categoriesOfService(id).includes(category))
}

const PATTERNS = SERVICE_IDS.map((id) => {
  const { one, many, said, asked, shown } = SERVICE_ROWS[id]
  const anyOf = (sources: readonly (string | undefined)[]) => `(?:${sources.filter(Boolean).join('|')})`
  return {
    id,
    whole: new RegExp(`^${anyOf([said, asked, one, many])}$`, 'i'),
    within: new RegExp(`(?<![\\p{L}\\p{N}])${anyOf([said, shown])}(?![\\p{L}\\p{N}])`, 'iu'),
  }
})

/** The service that a whole text names: 'florists', 'wedding cakes'. null for any other text. */
export function serviceNamed(text: string): ServiceId | null {
  return PATTERNS.find(({ whole }) => whole.test(text))?.id ?? null
}

/** The texts of a listing that tell what its vendor offers. */
export type ServiceTexts = {
  name: string
  category: Category
  servicesOffered: readonly string[]
  description: string
}

/**
 * The services that a listing's texts show, until its vendor states some. A description counts only if name and services
 * show none: 'we leave the cake to others' is no cake.
 */
export function servicesShown({ name, category, servicesOffered, description }: ServiceTexts): ServiceId[] {
  const shownIn = (text: string) =>
    PATTERNS.filter(({ id, within }) => SERVICE_ROWS[id].category === category && within.test(text)).map(
      ({ id }) => id,
    )
  const stated = shownIn([name, ...servicesOffered].join('\n'))
  return stated.length > 0 ? stated : shownIn(description)
}

/** The services whose name or one of whose words begins with a text: 'flo', 'booth'. */
export function servicesLike(text: string): ServiceId[] {
  const typed = text.trim().toLowerCase()
  if (typed.length < 2) return []
  const named = serviceNamed(typed)
  return SERVICE_IDS.filter((id) => {
    const { one, many } = SERVICE_ROWS[id]
    return (
      named === id ||
      [one, many].some((name) => ` ${name.toLowerCase().replace(/[-’]/g, ' ')}`.includes(` ${typed}`))
    )
  })
}
