/**
 * Whether 'back' stays on this site. Browsers without the Navigation API use the router's count of pages, which
 * restarts with each document.
 */
export function hasPageBefore(): boolean {
  const { navigation } = window as { navigation?: { canGoBack: boolean } }
  if (navigation) return navigation.canGoBack
  const { idx } = (window.history.state ?? {}) as { idx?: number }
  return (idx ?? 0) > 0
}
