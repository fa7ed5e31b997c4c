/** The listings in an era and the eras in a block, as the database numbers them (0011_search.sql). */
export const LISTINGS_IN_ERA = 4_096
export const ERA_BITS = 43
const ERAS_IN_BLOCK = 16

/** The newest era, and its share that is filled, from 0 to 1. */
export type NewestEra = { era: number; filled: number }

/** The era of a position. Positions number the listings in order of time. */
export function eraOf(position: bigint): number {
  return Number(position >> BigInt(ERA_BITS))
}

/** The lowest position of an era. */
export function firstPosition(era: number): bigint {
  return BigInt(era) << BigInt(ERA_BITS)
}

/** The most blocks that a search reads before it reads everything. */
const MAX_BLOCKS = 12
/** More eras than this at the end of a stretch are read as a whole block: each marker is one more list to walk. */
const MAX_ERAS = 8
/** Reading a little too much is faster than reading twice. The fewer matches so far, the less reliable the estimate. */
const LEAST_MARGIN = 1.1
const DOUBT = 1.5
/** Beyond this share of all eras, walking more lists than this costs more than it saves. */
const MOST = 0.5
const MAX_LISTS = 7
/** The first stretch covers a market of so few eras: two of three often lack enough matches, and would be read twice. */
export const FEW_ERAS = 3
/** Assumed for an era that may be nearly empty or full. */
export const HALF_FILLED = 0.5

/**
 * A stretch of time.
 * @property markers each listing in it has one of them; a listing beyond its ends may have one, too
 * @property eras its length
 * @property next the era that follows it
 */
export type Stretch = { markers: string[]; eras: number; next: number }

/** How many matches were found in how many eras. */
export type Rate = { eras: number; found: number }

/**
 * The stretch of time that a search reads next, until it has enough matches: first two eras (or all, if they are few), then as many
 * as it should need by the rate so far, then everything. Common words fill a page from a few thousand listings. Rare words are cheap
 * to read everywhere.
 * @param from the era to begin with
 * @param step -1 towards older eras, 1 towards newer ones
 * @param before the rate so far, how many matches are still needed and how many stretches were read; null for the first stretch
 * @param filled the share of the first era that has listings of the stretch
 * @returns null to read everything
 */
export function nextStretch(
  from: number,
  step: 1 | -1,
  before: (Rate & { wanted: number; stretches: number }) | null,
  filled = HALF_FILLED,
): Stretch | null {
  if (!before) {
    const length = step < 0 && from < FEW_ERAS ? Math.max(2, from + 1) : 2
    const markers = Array.from({ length }, (_, index) => `e/${from + index * step}`)
    return { markers, eras: length - 1 + filled, next: from + length * step }
  }
  const { eras, found, wanted, stretches } = before
  const margin = LEAST_MARGIN + DOUBT / Math.sqrt(found)
  const estimate = Math.ceil((eras * wanted * margin) / found + 1 - filled)
  // If the rate is wrong, because all matches are new, the stretches double instead.
  const length = Math.max(estimate, 2 ** stretches)
  if ((step < 0 && length > from) || length > MAX_BLOCKS * ERAS_IN_BLOCK) return null
  const markers: string[] = []
  let next = from
  for (let left = length; left > 0; ) {
    const block = Math.floor(next / ERAS_IN_BLOCK)
    const inBlock = step < 0 ? next - block * ERAS_IN_BLOCK + 1 : (block + 1) * ERAS_IN_BLOCK - next
    const isBlock = left >= inBlock || left > MAX_ERAS
    const taken = isBlock ? inBlock : left
    if (isBlock) markers.push(`f/${block}`)
    else for (let each = 0; each < taken; each++) markers.push(`e/${next + each * step}`)
    next += taken * step
    left -= taken
  }
  const isMost = step < 0 && length > MOST * from
  return isMost && markers.length > MAX_LISTS
    ? null
    : { markers, eras: Math.abs(next - from) - 1 + filled, next }
}
