import { useEffect, useRef } from 'react'

/**
 * Keeps the focus in an element whose focused control is removed, where the browser would move it to the page's top. It
 * goes to the list item that has taken the place of a removed one. Otherwise it goes to the first control of the element
 * or, without one, to the heading of its section.
 * @returns the element's ref: an element that stays when its last list item is removed
 */
export function useKeptFocus<Box extends HTMLElement>() {
  const ref = useRef<Box>(null)
  useEffect(() => {
    const box = ref.current
    if (!box) return
    let last: { control: Element; item: Element | undefined; index: number } | null = null
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      const items = itemsOf(box)
      const index = items.findIndex((item) => item.contains(target))
      last = { control: target, item: items[index], index }
    }
    const restore = () => {
      if (!last || last.control.isConnected || document.activeElement !== document.body) return
      const { item, index } = last
      last = null
      const items = itemsOf(box)
      if (item && !item.isConnected) {
        const next = items[Math.min(index, items.length - 1)]
        if (next) return focusText(next)
      }
      const controls = (item?.isConnected ? item : box).querySelectorAll<HTMLElement>(CONTROLS)
      const control = [...controls].find((one) => one.getClientRects().length > 0)
      if (control) return control.focus({ preventScroll: true })
      const heading = box.closest('section, main')?.querySelector<HTMLElement>('h1, h2, h3')
      if (heading) focusText(heading)
    }
    // An observer, because an item may be removed by a component that this hook doesn't render with.
    const observer = new MutationObserver(restore)
    observer.observe(box, { childList: true, subtree: true })
    box.addEventListener('focusin', remember)
    return () => {
      observer.disconnect()
      box.removeEventListener('focusin', remember)
    }
  }, [])
  return ref
}

const CONTROLS = 'a[href], button:enabled, input:enabled:not([type=hidden]), select, textarea, summary'

/** The list items in the element, without those inside another one. */
function itemsOf(box: Element): HTMLElement[] {
  return [...box.querySelectorAll('li')].filter(
    (item) => !box.contains(item.parentElement?.closest('li') ?? null),
  )
}

/** Focuses an element that Tab doesn't reach, until the focus leaves it. A control in it could be pressed by accident. */
function focusText(element: HTMLElement): void {
  element.tabIndex = -1
  element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  element.focus({ preventScroll: true })
}
