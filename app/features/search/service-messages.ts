import { listText, midSentence, wholeText } from '../businesses/fact-kind-rules.ts'
import type { Occasion } from '../businesses/rules.ts'
import { SERVICE_ROWS } from '../businesses/service-match-rules.ts'
import type { PricedBy, ServiceId } from '../businesses/service-rules.ts'
import type { ServiceLanding } from './service-queries.server.ts'

// A module of its own: no public page loads the table of services.

const PRICED_BY_TEXTS: Readonly<Record<PricedBy, string>> = {
  hour: 'by the hour',
  guest: 'per guest',
  piece: 'by the piece',
  event: 'for the whole event',
}

const USES: Readonly<Record<Occasion, string>> = {
  wedding: 'weddings',
  birthday: 'birthdays',
  corporate: 'work events',
  engagement: 'engagements',
  christening: 'christenings',
  anniversary: 'anniversaries',
  'end-of-year': 'end-of-year parties',
  memorial: 'memorials',
}

/** One vendor of a service within a sentence: 'florist', 'MC'. */
export const nounOfService = (service: ServiceId) => midSentence(SERVICE_ROWS[service].one)

/** How many of the listed vendors are based near the page's place. */
const basedCount = ({ businesses }: ServiceLanding) =>
  businesses.filter(({ travelText }) => travelText === undefined).length

/** 'Florists', 'Florists near Geelong', or 'Florists for Geelong' if none is based nearby. */
export function serviceHeading(landing: ServiceLanding): string {
  const { many } = SERVICE_ROWS[landing.service]
  if (!landing.place) return many
  return basedCount(landing) > 0 ? `${many} near ${landing.place.name}` : `${many} for ${landing.place.name}`
}

/** The first sentences of the page: who is there, what they are booked for, and how they charge. */
export function serviceIntro(landing: ServiceLanding): string {
  const { occasions, pricedBy } = SERVICE_ROWS[landing.service]
  const uses = listText(occasions.map((occasion) => USES[occasion]))
  return `${countedText(landing)} Often booked for ${uses}. Usually priced ${PRICED_BY_TEXTS[pricedBy]}.`
}

function countedText(landing: ServiceLanding): string {
  const { total, isOpenEnded, businesses, place } = landing
  const isWhole = !isOpenEnded && total === businesses.length
  const count = `${wholeText(total)}${isOpenEnded ? ' or more' : ''} ${total === 1 ? 'business' : 'businesses'}`
  if (!place) return `${count} across Australia.`
  const based = basedCount(landing)
  if (!isWhole) return `${count} for ${place.name}, those nearby first.`
  const travelling = total - based
  if (based === 0)
    return travelling === 1
      ? `None is based near ${place.name} yet, but one travels there.`
      : `None is based near ${place.name} yet, but ${travelling} travel there.`
  const nearby = based === 1 ? `One is based near ${place.name}` : `${based} are based near ${place.name}`
  if (travelling === 0) return `${nearby}.`
  return `${nearby}, and ${travelling === 1 ? 'one more travels' : `${travelling} more travel`} there.`
}

/** The page's description for search engines. */
export function serviceDescription(landing: ServiceLanding): string {
  const { many } = SERVICE_ROWS[landing.service]
  return `${many}${landing.place ? ` for ${landing.place.name}, ${landing.place.state}` : ' across Australia'}, with pictures, prices and reviews. ${countedText(landing)} Book and pay by card.`
}

/** The link to the whole list: 'All florists'. */
export const allOfServiceText = (service: ServiceId) =>
  `All ${midSentence(SERVICE_ROWS[service].many)}, with filters`
export const NO_SERVICE_TITLE = 'No one here yet'
/** @param service null for an unknown one */
export function noServiceText(service: ServiceId | null): string {
  return service
    ? `No one offers this here yet: ${midSentence(SERVICE_ROWS[service].many)}. New businesses appear as soon as they are listed.`
    : 'The address may be old or mistyped.'
}
