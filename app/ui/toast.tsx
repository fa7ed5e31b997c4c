import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { IconButton } from './button.tsx'
import {
  EMPTY_QUEUE,
  nextDueMs,
  nextToasts,
  TOAST_LIFE_MS,
  type Toast,
  type ToastEvent,
  type ToastType,
} from './toast-queue.ts'

export type { ToastType } from './toast-queue.ts'

export type ToastOptions = {
  /** 'info' is grey, 'success' green, 'error' red. Default 'info'. */
  type?: ToastType
  text: string
  /** Milliseconds until it goes; default TOAST_LIFE_MS. It waits while pointed at or focused. */
  lifeMs?: number
}

// One browser window has one set of toasts, wherever they are raised; on the server there are none.
let queue = EMPTY_QUEUE
let nextId = 1
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function report(event: ToastEvent) {
  queue = nextToasts(queue, event, performance.now())
  clearTimeout(timer)
  const due = nextDueMs(queue)
  if (due !== null) timer = setTimeout(() => report({ kind: 'clock' }), Math.max(0, due - performance.now()))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Shows a small message that goes by itself. Only in the browser: from an event or an effect. */
export function showToast({ type = 'info', text, lifeMs = TOAST_LIFE_MS }: ToastOptions) {
  report({ kind: 'shown', id: nextId++, type, text, lifeMs })
}

/** `showToast` as a hook, for code that likes to get what it uses from its component. */
export function useToast() {
  return showToast
}

const ICONS = { info: Info, success: CircleCheck, error: CircleAlert }

/** Where toasts appear; once, at the end of the page. News is read aloud politely, errors at once. */
export function ToastRegion() {
  const { toasts } = useSyncExternalStore(
    subscribe,
    () => queue,
    () => EMPTY_QUEUE,
  )
  const region = useRef<HTMLElement>(null)
  const newestId = toasts.at(-1)?.id ?? 0
  useEffect(() => {
    const element = region.current
    if (!element?.showPopover) return
    // A popover stands above modal dialogs; shown anew, it also stands above one that opened since.
    if (newestId > 0 && document.querySelector('dialog:modal') && element.matches(':popover-open')) {
      element.hidePopover()
    }
    if (!element.matches(':popover-open')) element.showPopover()
  }, [newestId])
  const errors = toasts.filter((toast) => toast.type === 'error')
  const news = toasts.filter((toast) => toast.type !== 'error')
  return (
    <section
      ref={region}
      className="toasts"
      popover="manual"
      aria-label="Messages"
      onPointerEnter={() => report({ kind: 'held' })}
      onPointerLeave={() => report({ kind: 'released' })}
      onFocus={() => report({ kind: 'held' })}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) report({ kind: 'released' })
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
        const Icon = ICONS[toast.type]
        return (
          <li key={toast.id} className={`toast toast-${toast.type}`} data-type={toast.type}>
            <Icon aria-hidden="true" />
            <p>{toast.text}</p>
            <IconButton label="Dismiss" onClick={() => report({ kind: 'dismissed', id: toast.id })}>
              <X aria-hidden="true" />
            </IconButton>
          </li>
        )
      })}
    </ol>
  )
}
