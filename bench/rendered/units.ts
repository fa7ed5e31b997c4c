/** One request for the unit renders it this often, so that the request itself hardly counts. */
export const UNITS_PER_REQUEST = 20
