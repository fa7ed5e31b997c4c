/** A popover lies in the browser's top layer: it is told where the header ends, which a notice above may have moved. */
export function placeUnderHeader(popover: HTMLElement) {
  const bottom = popover.closest('header')?.getBoundingClientRect().bottom
  if (bottom) popover.style.setProperty('--header-bottom', `${bottom}px`)
}
