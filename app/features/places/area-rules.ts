import type { State } from './rules.ts'

/**
 * An area of many suburbs: a capital or a region (Decision 33). A listing stays in its suburb.
 * @property key the area's name in the `areas` column of database/places.tsv
 * @property others other names that people type
 */
export type Area = { key: string; name: string; state: State; others?: readonly string[] }

/** The state capitals. */
export const CAPITALS: readonly Area[] = [
  { key: 'melbourne', name: 'Melbourne', state: 'VIC', others: ['melb'] },
  { key: 'sydney', name: 'Sydney', state: 'NSW', others: ['syd'] },
  { key: 'brisbane', name: 'Brisbane', state: 'QLD', others: ['bris', 'brissie', 'brisvegas'] },
  { key: 'perth', name: 'Perth', state: 'WA' },
  { key: 'adelaide', name: 'Adelaide', state: 'SA' },
  { key: 'hobart', name: 'Hobart', state: 'TAS' },
  { key: 'darwin', name: 'Darwin', state: 'NT' },
  { key: 'canberra', name: 'Canberra', state: 'ACT' },
]

/** The areas that a search knows. docs/places.md has their extent and its sources. */
export const AREAS: readonly Area[] = [
  ...CAPITALS,
  { key: 'mornington-peninsula', name: 'Mornington Peninsula', state: 'VIC', others: ['morn pen'] },
  { key: 'yarra-valley', name: 'Yarra Valley', state: 'VIC' },
  { key: 'dandenong-ranges', name: 'Dandenong Ranges', state: 'VIC', others: ['the dandenongs'] },
  {
    key: 'bellarine',
    name: 'Bellarine Peninsula',
    state: 'VIC',
    others: ['bellarine'],
  },
  {
    key: 'greater-geelong',
    name: 'Greater Geelong',
    state: 'VIC',
    others: ['geelong region'],
  },
  { key: 'surf-coast', name: 'Surf Coast', state: 'VIC' },
  { key: 'great-ocean-road', name: 'Great Ocean Road', state: 'VIC' },
  { key: 'macedon-ranges', name: 'Macedon Ranges', state: 'VIC' },
  { key: 'phillip-island', name: 'Phillip Island', state: 'VIC' },
  { key: 'gippsland', name: 'Gippsland', state: 'VIC' },
  { key: 'goldfields', name: 'Victorian Goldfields', state: 'VIC', others: ['goldfields'] },
  {
    key: 'high-country',
    name: 'Victorian High Country',
    state: 'VIC',
    others: ['high country', 'alpine victoria'],
  },
  { key: 'grampians', name: 'Grampians', state: 'VIC', others: ['gariwerd'] },
  { key: 'western-sydney', name: 'Western Sydney', state: 'NSW' },
  { key: 'inner-west', name: 'Inner West', state: 'NSW', others: ['inner west sydney', 'sydney inner west'] },
  { key: 'northern-beaches', name: 'Northern Beaches', state: 'NSW', others: ['sydney northern beaches'] },
  { key: 'north-shore', name: 'North Shore', state: 'NSW', others: ['sydney north shore'] },
  { key: 'sutherland-shire', name: 'Sutherland Shire', state: 'NSW', others: ['the shire'] },
  { key: 'northern-rivers', name: 'Northern Rivers', state: 'NSW' },
  { key: 'byron-shire', name: 'Byron Shire', state: 'NSW', others: ['byron', 'byron hinterland'] },
  { key: 'central-coast', name: 'Central Coast', state: 'NSW' },
  { key: 'hunter-valley', name: 'Hunter Valley', state: 'NSW', others: ['hunter region', 'the hunter'] },
  { key: 'blue-mountains', name: 'Blue Mountains', state: 'NSW' },
  { key: 'southern-highlands', name: 'Southern Highlands', state: 'NSW' },
  { key: 'south-coast', name: 'South Coast', state: 'NSW' },
  { key: 'illawarra', name: 'Illawarra', state: 'NSW' },
  { key: 'snowy-mountains', name: 'Snowy Mountains', state: 'NSW', others: ['snowies'] },
  { key: 'riverina', name: 'Riverina', state: 'NSW' },
  { key: 'mid-north-coast', name: 'Mid North Coast', state: 'NSW' },
  { key: 'gold-coast', name: 'Gold Coast', state: 'QLD' },
  { key: 'sunshine-coast', name: 'Sunshine Coast', state: 'QLD', others: ['sunny coast'] },
  {
    key: 'sunshine-coast-hinterland',
    name: 'Sunshine Coast Hinterland',
    state: 'QLD',
  },
  { key: 'noosa', name: 'Noosa', state: 'QLD' },
  { key: 'scenic-rim', name: 'Scenic Rim', state: 'QLD' },
  { key: 'whitsundays', name: 'Whitsundays', state: 'QLD', others: ['whitsunday islands'] },
  { key: 'darling-downs', name: 'Darling Downs', state: 'QLD' },
  { key: 'granite-belt', name: 'Granite Belt', state: 'QLD' },
  {
    key: 'far-north-queensland',
    name: 'Far North Queensland',
    state: 'QLD',
    others: ['fnq', 'tropical north queensland'],
  },
  { key: 'fraser-coast', name: 'Fraser Coast', state: 'QLD' },
  { key: 'adelaide-hills', name: 'Adelaide Hills', state: 'SA' },
  { key: 'barossa', name: 'Barossa Valley', state: 'SA', others: ['barossa'] },
  { key: 'fleurieu-peninsula', name: 'Fleurieu Peninsula', state: 'SA', others: ['fleurieu'] },
  { key: 'clare-valley', name: 'Clare Valley', state: 'SA' },
  { key: 'limestone-coast', name: 'Limestone Coast', state: 'SA' },
  { key: 'yorke-peninsula', name: 'Yorke Peninsula', state: 'SA' },
  { key: 'kangaroo-island', name: 'Kangaroo Island', state: 'SA' },
  { key: 'perth-hills', name: 'Perth Hills', state: 'WA' },
  { key: 'swan-valley', name: 'Swan Valley', state: 'WA' },
  { key: 'margaret-river-region', name: 'Margaret River Region', state: 'WA' },
  { key: 'south-west-wa', name: 'South West WA', state: 'WA', others: ['south west western australia'] },
  { key: 'great-southern', name: 'Great Southern', state: 'WA' },
  { key: 'peel', name: 'Peel Region', state: 'WA' },
  { key: 'kimberley', name: 'Kimberley', state: 'WA', others: ['the kimberley'] },
  { key: 'tamar-valley', name: 'Tamar Valley', state: 'TAS' },
  { key: 'huon-valley', name: 'Huon Valley', state: 'TAS' },
  { key: 'east-coast-tasmania', name: 'East Coast Tasmania', state: 'TAS', others: ['tasmanian east coast'] },
]

const BY_NAME = new Map(
  AREAS.flatMap((area) =>
    [area.name, ...(area.others ?? [])].map((name): [string, Area] => [name.toLowerCase(), area]),
  ),
)
/** 'Greater Sydney', 'the Grampians', 'Perth CBD', 'Hunter Valley region' name the same areas. */
const AROUND_NAME = /^(?:the )?(?:greater |metro )?(.*?)(?: cbd| city| metro| region| area)?$/

/**
 * The area that a text names, with or without its state: 'melbourne', 'Northern Rivers, NSW', 'the Grampians'. null for
 * any other text, such as a place of that name in another state.
 */
export function areaNamed(text: string): Area | null {
  const wanted = text.replace(/\s+/g, ' ').trim().toLowerCase()
  const named = BY_NAME.get(wanted) ?? BY_NAME.get(AROUND_NAME.exec(wanted)?.[1] ?? '')
  if (named) return named
  const [, name = '', state] = /^(.*?),? (\w{2,3})$/.exec(wanted) ?? []
  const area = BY_NAME.get(name)
  return area && area.state.toLowerCase() === state ? area : null
}
