/**
 * Passes the header's bottom edge to a popover. A popover is in the browser's top layer, and a notice above may have
 * moved the header.
 */
export function placeUnderHeader(popover: HTMLElement) {
  const bottom = popover.closest('header')?.getBoundingClientRect().bottom
  if (bottom) popover.style.setProperty('--header-bottom', `${bottom}px`)
}
