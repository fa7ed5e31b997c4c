/** Scrolling down by more than this hides the header, in pixels (Specification, sections 2 and 9). */
export const HEADER_HIDE_DELTA_PX = 15

export type HeaderVisibility = {
  hidden: boolean
  /** The scroll position at which the current downward scroll began. */
  anchorPx: number
}

export const HEADER_SHOWN: HeaderVisibility = { hidden: false, anchorPx: 0 }

/**
 * Returns whether the header is visible after a scroll: hidden after scrolling down by more than 15 px, shown after any
 * scroll up and at the top.
 * @param scrollPx the page's scroll position; a bounce past the top counts as the top
 * @param furthestPx the maximum scroll position; a bounce past the bottom does not count as a scroll up
 */
export function nextHeaderVisibility(
  before: HeaderVisibility,
  scrollPx: number,
  furthestPx = Number.POSITIVE_INFINITY,
): HeaderVisibility {
  const position = Math.min(scrollPx, Math.max(0, furthestPx))
  if (position <= 0) return HEADER_SHOWN
  if (position < before.anchorPx) return { hidden: false, anchorPx: position }
  if (position - before.anchorPx > HEADER_HIDE_DELTA_PX) return { hidden: true, anchorPx: position }
  // While hidden, the anchor follows the scroll down, so that the first pixel up shows the header again.
  return before.hidden ? { hidden: true, anchorPx: position } : before
}
