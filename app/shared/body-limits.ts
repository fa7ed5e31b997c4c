/**
 * The limits of what a stranger sends, before anything of it is parsed. `server/body-limit.ts` has the size of each
 * route's body, docs/security.md all of them with their reasons.
 */

const KB = 1_024
const MB = 1_024 * KB

/** The largest body of a form or of JSON, and the largest that is held in memory. Longer ones go to a temporary file. */
export const MAX_BODY_BYTES = 64 * KB
/** A picture with its form. */
export const MAX_UPLOAD_BODY_BYTES = 12 * MB
/** An event of the payment provider. */
export const MAX_WEBHOOK_BODY_BYTES = 256 * KB

/** Fields of a form, or parts of a multipart one. */
export const MAX_FORM_FIELDS = 200
/** The headers of one part: its field's name, its file's name and its type. */
export const MAX_PART_HEADER_BYTES = 4 * KB
/** One file. More than any form accepts, so that its own message can name the file. */
export const MAX_PART_BYTES = 16 * MB
/** The most that may follow the last boundary. Browsers send a line break. */
export const MAX_EPILOGUE_BYTES = KB

/** A body that brings less than this in a window ends with 408. Even a phone at the edge of a network is faster. */
export const MIN_BODY_BYTES_PER_WINDOW = 20_000
export const BODY_WINDOW_MS = 20_000

/**
 * How many chunks a body may have: this many, and one more for every `BYTES_PER_CHUNK`. Each chunk costs the same work
 * whatever its length, and a chunked body may have chunks of one byte. Networks send 500 bytes or more at once.
 */
export const MAX_SHORT_CHUNKS = 4_000
export const BYTES_PER_CHUNK = 256

/**
 * Bodies over `MAX_BODY_BYTES` that are being read or handled, in one process and from one address: two of the largest
 * messages at once.
 */
export const LARGE_BODIES_IN_FLIGHT = { process: 256 * MB, address: 104 * MB }
/** The same for all others, so that uploads never keep a form waiting. */
export const SMALL_BODIES_IN_FLIGHT = { process: 32 * MB, address: 4 * MB }

/** How long a refused client may go on sending until it has read the refusal. */
export const LINGER_MS = 5_000
/** The pause after each chunk that is discarded meanwhile: 3 MB a second, however many send at once. */
export const DISCARD_PAUSE_MS = 20
