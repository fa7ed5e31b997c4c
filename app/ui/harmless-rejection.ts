/** How the engines word a skipped transition. Two elements of one view-transition-name, a fault of ours, are none of these. */
const SKIPPED_TRANSITION = /view ?transition|transition was/i

/**
 * Whether an unhandled rejection is no error of the page, although browsers would report it as one:
 * - AbortError: a newer revalidation aborts an older one. If the older response was half read, React Router (8.4) leaves its
 *   promise unhandled. It leaves the `ready` of a view transition unhandled too, which a newer transition aborts.
 * - InvalidStateError, TimeoutError: the browser skipped a view transition, because the page was hidden or resized or took
 *   more than four seconds to render. The new page appears all the same, without its animation.
 */
export function isHarmlessRejection(reason: unknown): boolean {
  if (!(reason instanceof DOMException)) return false
  if (reason.name === 'AbortError') return true
  return /^(InvalidState|Timeout)Error$/.test(reason.name) && SKIPPED_TRANSITION.test(reason.message)
}
