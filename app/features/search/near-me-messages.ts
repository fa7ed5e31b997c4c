export const NEAR_ME_TEXT =
  'We don’t know where you are. Add a suburb or postcode to your search, or use your device’s location. We don’t store it.'
export const USE_POSITION_TEXT = 'Use my location'
export const NO_PLACE_TEXT = 'That didn’t give us a suburb. Please add yours to the search.'
