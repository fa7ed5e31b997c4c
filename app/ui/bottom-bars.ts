/** A higher element is no bar: a dialog, or a map over the whole window. */
const MAX_BAR_SHARE = 0.4
/** Bars may stand on each other: the unsaved form's above the tabs. */
const MAX_BARS = 4
/** The notices' own distance from the edge, or from a bar. */
const GAP_PX = 16

/**
 * Returns how far up bars of buttons reach at the lower edge of the window, in px, where they would be under a notice.
 * They are found by their position, so that a new bar needs no entry in a list.
 * @param notice an element at the lower edge
 */
export function barsUnder(notice: HTMLElement): number {
  const { left, width, height } = notice.getBoundingClientRect()
  const floor = window.innerHeight
  let clear = 0
  for (let found = 0; found < MAX_BARS; found += 1) {
    const lowest = floor - clear - 1
    const highest = lowest - GAP_PX - height
    const bar = [lowest, (lowest + highest) / 2, highest]
      .flatMap((y) => [left + 8, left + width / 2, left + width - 8].map((x) => barAt(x, y, notice)))
      .find((one) => one !== null)
    if (!bar) return clear
    clear = floor - bar
  }
  return clear
}

/** @returns the upper edge of the bar at a point of the window; null without one */
function barAt(x: number, y: number, notice: HTMLElement): number | null {
  for (const element of document.elementsFromPoint(x, y)) {
    if (notice.contains(element)) continue
    for (let node: Element | null = element; node && node !== document.body; node = node.parentElement) {
      const { position, bottom } = getComputedStyle(node)
      if (position !== 'fixed' && (position !== 'sticky' || bottom === 'auto')) continue
      const { top, height } = node.getBoundingClientRect()
      const isNotice = node.matches('.connection, .consent-bar')
      if (
        !isNotice &&
        height > 0 &&
        height < window.innerHeight * MAX_BAR_SHARE &&
        top > window.innerHeight / 2
      )
        return top
    }
  }
  return null
}

/** Follows the bars under a notice, and tells how far up they reach. @returns a function that ends it */
export function followBars(notice: HTMLElement, tell: (px: number) => void): () => void {
  let frame = 0
  const measure = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => tell(barsUnder(notice)))
  }
  // A bar appears by scrolling, typing, or another page.
  const kinds = ['scroll', 'resize', 'input', 'click', 'transitionend'] as const
  for (const kind of kinds) window.addEventListener(kind, measure, { capture: true, passive: true })
  const other = new ResizeObserver(measure)
  other.observe(document.body)
  tell(barsUnder(notice))
  return () => {
    cancelAnimationFrame(frame)
    other.disconnect()
    for (const kind of kinds) window.removeEventListener(kind, measure, { capture: true })
  }
}
