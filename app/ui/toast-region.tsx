import { useEffect, useLayoutEffect, useRef } from 'react'
import { followBars } from './bottom-bars.ts'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { reportToast, useToasts } from './toast.tsx'
import type { Toast } from './toast-queue.ts'

const ICONS = { info: 'info', success: 'circle-check', error: 'circle-alert' } as const

/**
 * The place of the toasts, rendered once at the end of the page. Screen readers announce news politely and errors at
 * once.
 */
export function ToastRegion() {
  const toasts = useToasts()
  const region = useRef<HTMLElement>(null)
  const newestId = toasts.at(-1)?.id ?? 0
  useEffect(() => {
    const element = region.current
    if (!element?.showPopover) return
    // A popover is above modal dialogs only if it opened after them, so it reopens.
    if (newestId > 0 && document.querySelector('dialog:modal') && element.matches(':popover-open')) {
      element.hidePopover()
    }
    if (!element.matches(':popover-open')) element.showPopover()
  }, [newestId])
  // A toast would cover the button that a person looks for: 'Proceed to Payment' after 'Add to Cart'.
  const isShown = toasts.length > 0
  useLayoutEffect(() => {
    const element = region.current
    if (!element || !isShown) return
    return followBars(element, (px) => element.style.setProperty('--bars', `${px}px`))
  }, [isShown])
  const errors = toasts.filter((toast) => toast.type === 'error')
  const news = toasts.filter((toast) => toast.type !== 'error')
  return (
    <section
      ref={region}
      className="toasts"
      popover="manual"
      aria-label="Notices"
      onPointerEnter={() => reportToast({ kind: 'held' })}
      onPointerLeave={() => reportToast({ kind: 'released' })}
      onFocus={() => reportToast({ kind: 'held' })}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) reportToast({ kind: 'released' })
      }}
    >
      <ToastList toasts={errors} live="assertive" />
      <ToastList toasts={news} live="polite" />
    </section>
  )
}

function ToastList({ toasts, live }: { toasts: Toast[]; live: 'polite' | 'assertive' }) {
  return (
    <ol aria-live={live} aria-relevant="additions">
      {toasts.map((toast) => {
        const icon = ICONS[toast.type]
        return (
          <li key={toast.id} className={`toast toast-${toast.type}`} data-type={toast.type}>
            <Icon name={icon} />
            <p>{toast.text}</p>
            <IconButton label="Dismiss" onClick={() => reportToast({ kind: 'dismissed', id: toast.id })}>
              <Icon name="x" />
            </IconButton>
          </li>
        )
      })}
    </ol>
  )
}
