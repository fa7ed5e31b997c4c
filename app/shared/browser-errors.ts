/** Errors that browsers report when a part of a page or a whole page fails. */

/** One browser's reports, by its address. A part that fails is reported once for each document. */
export const BROWSER_ERROR_LIMIT = { max: 10, windowMs: 60_000 }

/** The largest report that `describeBrowserError` writes. */
export const MAX_BROWSER_ERROR_BYTES = 600

const MAX_POSITIONS = 4
const POSITION = /\/assets\/[\w.-]{1,60}\.js:\d{1,7}:\d{1,7}/g

/**
 * Writes a report: which part failed, in which release, with which kind of error, at which positions of our scripts. No
 * message and no address of the page, since either may contain what a person has typed, or a secret.
 * @param part the part's name, or 'page' for a whole page
 * @param release the version of the build's manifest
 */
export function describeBrowserError(part: string, release: string, error: unknown): string {
  const { name = 'thrown', stack = '' } = error instanceof Error ? error : {}
  return [part, release, name, ...(stack.match(POSITION)?.slice(0, MAX_POSITIONS) ?? [])].join(' ')
}

const REPORT = new RegExp(
  `^([a-z-]{1,40}) (\\w{1,20}) (\\w{1,40})((?: ${POSITION.source}){0,${MAX_POSITIONS}})$`,
)

/** Reads a report. A stranger can send one too, so each field has a closed format. @returns null for anything else */
export function readBrowserError(text: string) {
  const [, part, release, name, positions] = REPORT.exec(text) ?? []
  if (!part || !release || !name) return null
  return { part, release, name, at: positions?.trim().split(' ').filter(Boolean) ?? [] }
}
