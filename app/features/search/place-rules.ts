/** The place of a search 'near me', before the visitor has said where that is. The address never holds a position. */
export const HERE = 'me'

/** The distances that visitors choose from, in km as the crow flies. */
export const DISTANCES_KM = [5, 10, 25, 50, 100] as const

/** Whether the surroundings of a place count: not at all, within the setting `NEAR_KM`, or within this many km. */
export type Near = boolean | (typeof DISTANCES_KM)[number]

/** The radius of a search's surroundings, in km. */
export function radiusKm(near: Near, usualKm: number): number {
  return typeof near === 'number' ? near : usualKm
}

/** The choice for a typed distance: the next larger one, at most the largest. `true` for the usual one. */
export function nearWithin(km: number, usualKm: number): Near {
  const chosen = DISTANCES_KM.find((distance) => distance >= km) ?? 100
  return chosen === usualKm ? true : chosen
}

/**
 * Names of places that are ordinary words or first names as well. Without 'in', 'near' or a state they stay words: a
 * 'hall', 'orange' roses, 'Charlotte'. Words find a listing by the name of its place too.
 */
export const ORDINARY_WORDS: ReadonlySet<string> = new Set([
  ...`abbey aberdeen acton alexandra arcadia ashby ashford ashwood augusta austral banks banksia barham barton
    bateman baxter bayview beaumont bedford bentley beresford berry bertram beverley blackbutt blaxland bonner
    bradbury braddon brandon brendale brentwood bright broadwater broke brooklyn bruce bungalow burton butler
    campbell canadian cardiff carlisle carrington cartwright casey casino chandler chapman childers chisholm
    churchill clare clarkson clayton clifton clyde cockatoo collie como concord cook curtin dallas davidson denham
    denman denmark dickson donald doreen douglas downer driver dudley duffy eaton eden elanora emerald epsom esk
    estella exeter fadden fairlight falcon farrer federal figtree finley fisher fletcher flinders flynn forbes
    forrest foster franklin fraser freeling freshwater garfield gateshead gilmore gordon grange gray greenway
    greta griffin griffith gunn hackett hall hamilton harrison harvey haven hawker hay haymarket herbert hewett
    heywood higgins highbury hillside hilton holbrook holder holt horsley howard howlong hughes idalia invermay
    ironbark isaacs islington jewells johnston keith kelso kendall kingsley lakelands lawrence lawson leda leonora
    lucknow lyons mackenzie macquarie madeley manilla mardi marian marion marsden martin mawson meadows melba
    melville miles miller milton minden miranda mitchell monash monterey morley murray name nathan newborough
    newman newton nicholls nicholson officer orana orange oxley page panorama paradise parkside pearce penguin
    piccadilly pioneer plenty pomona prospect redhead reid research reservoir richardson riverside riverview
    robertson roma rosanna rosedale roselands rosemount rosetta roseville rosewood ross rowville ruse rye sale
    samson scone scullin selby serpentine seville sharon sheldon shelley silverwater singleton skye smithfield
    snug somers somerset spalding spence springfield springwood stanley stuart success summerhill sunset sunshine
    surfside sutherland sutton swansea sydenham tennyson theodore thomson toronto torrens trafalgar tranmere
    turner usher valentine vermont vincent vineyard virginia waikiki warner warren waterways watson weston
    whitfield wilson winston winton woodbridge woodside wright york young`.split(/\s+/),
  'old bar',
  'garden suburb',
  'hill top',
  'east side',
  'park avenue',
  'blue bay',
  'long beach',
  'golden beach',
  'golden bay',
  'north beach',
  'main beach',
  'city beach',
  'white rock',
  'one mile',
  'mile end',
  'home hill',
  'camp hill',
  'old beach',
  'forest lodge',
  'sandy beach',
  'surf beach',
])
