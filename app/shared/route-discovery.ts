/** The address at which the browser asks for a section's routes: React Router's own. */
export const MANIFEST_PATH = '/__manifest'

/** The first segment of a path, by which the server knows its section: '/dashboard' of '/dashboard/bookings'. */
export const firstSegment = (path: string): string => `/${path.split('/', 2)[1] ?? ''}`

/**
 * The address that answers with the routes of a path's section, of the form that React Router's server reads too. It is the
 * same for all pages of the section, so browsers store one response for each.
 * @param segment a path's first segment
 * @param version the manifest's, which changes with every build
 */
export const discoveryAddress = (segment: string, version: string): string =>
  `${MANIFEST_PATH}?${new URLSearchParams({ paths: segment, version })}`
