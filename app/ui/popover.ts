/** Whether the browser has popovers: Chrome since 114, Safari since 17. Before, React opens the menus (base.css). */
export const hasPopovers = () => 'popover' in HTMLElement.prototype

/** The open popovers in an element. A browser without them can't even parse the selector. */
export function openPopovers(root: Element | null): HTMLElement[] {
  return root && hasPopovers() ? [...root.querySelectorAll<HTMLElement>('[popover]:popover-open')] : []
}
