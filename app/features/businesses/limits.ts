/** The longest typed place, in characters. */
export const MAX_PLACE_LENGTH = 100
