/** The kinds of news that a device shows while the site is closed. */
export const PUSH_KINDS = ['booking', 'message'] as const
export type PushKind = (typeof PUSH_KINDS)[number]

/** All that a pushed message contains: nothing about a person, a business or money. */
export type PushNews = {
  kind: PushKind
  /** A path on this site. */
  link: string
}

/** The devices of an account. */
export const MAX_PUSH_DEVICES = 10

/** News of yesterday is in the mail and on the dashboard. */
export const PUSH_TTL_SECONDS = 24 * 3_600

/** The text that is encrypted: a kind and a link, whatever else an object has. */
export function payloadOf({ kind, link }: PushNews): string {
  return JSON.stringify({ kind, link })
}
