import { useEffect } from 'react'

/**
 * Tells the page's styles how much of the window an on-screen keyboard leaves, as `--visible-height` and `--visible-top`: most
 * browsers lay the keyboard over the page, whose own height stays.
 */
export function useVisibleArea(): void {
  useEffect(() => {
    const view = window.visualViewport
    if (!view) return
    const { style } = document.documentElement
    const forget = () => {
      style.removeProperty('--visible-height')
      style.removeProperty('--visible-top')
    }
    const follow = () => {
      // A person who zooms in moves around the page instead.
      const isCovered = Math.abs(view.scale - 1) < 0.01 && view.height < window.innerHeight - 1
      if (!isCovered) return forget()
      style.setProperty('--visible-height', `${view.height}px`)
      style.setProperty('--visible-top', `${view.offsetTop}px`)
    }
    follow()
    view.addEventListener('resize', follow)
    view.addEventListener('scroll', follow)
    return () => {
      view.removeEventListener('resize', follow)
      view.removeEventListener('scroll', follow)
      forget()
    }
  }, [])
}
