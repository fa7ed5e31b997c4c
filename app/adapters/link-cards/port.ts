/** The size of a card, in pixels: what networks and messengers show whole (Open Graph). */
export const CARD_SIZE = { width: 1200, height: 630 } as const
/** New drawings for one IP address. A card in memory doesn't count. */
export const CARD_LIMIT = { max: 30, windowMs: 60_000 }
/** The most pictures on a card. */
export const MAX_PICTURES = 3

/** The content of a link's card. Its texts are in any script, and of any length. */
export type LinkCard = {
  brand: string
  title: string
  /** Below the title, from the most important on: the place, the day, how many are found. */
  lines: readonly string[]
  /** 'from $85.00 per person'; null for none. */
  price: string | null
  rating: { average: number; text: string } | null
  /** JPEGs, the first one largest. */
  pictures: readonly Uint8Array[]
}

/** Draws the pictures that messengers show of a link. */
export interface LinkCards {
  /** @returns a JPEG of `CARD_SIZE`; null if it took too long */
  draw(card: LinkCard): Promise<Uint8Array | null>
}
