/**
 * Whether 'back' stays on this site. Where the browser does not say, the router's count of this visit's pages does,
 * which begins anew with each document.
 */
export function hasPageBefore(): boolean {
  const { navigation } = window as { navigation?: { canGoBack: boolean } }
  if (navigation) return navigation.canGoBack
  const { idx } = (window.history.state ?? {}) as { idx?: number }
  return (idx ?? 0) > 0
}
