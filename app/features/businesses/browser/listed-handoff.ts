/** Passes the id of a listing that was just published from its form to My Listings, in navigation state. */
export function handOffListed(id: string): object {
  return { listedId: id }
}

/** The id in navigation state; null where there is none, as after a link. */
export function readListed(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('listedId' in state)) return null
  return typeof state.listedId === 'string' ? state.listedId : null
}
