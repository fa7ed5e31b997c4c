import { useSyncExternalStore } from 'react'
import {
  EMPTY_QUEUE,
  nextDueMs,
  nextToasts,
  TOAST_LIFE_MS,
  type ToastEvent,
  type ToastType,
} from './toast-queue.ts'

export type { ToastType } from './toast-queue.ts'

export type ToastOptions = {
  /** 'info' is grey, 'success' green, 'error' red. Default 'info'. */
  type?: ToastType
  text: string
  /** Milliseconds until it disappears; default TOAST_LIFE_MS. The countdown stops while it is hovered or focused. */
  lifeMs?: number
}

// A browser window has one set of toasts, wherever they are raised; the server has none.
let queue = EMPTY_QUEUE
let nextId = 1
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Applies an event to the toasts and notifies all subscribers. */
export function reportToast(event: ToastEvent) {
  queue = nextToasts(queue, event, performance.now())
  clearTimeout(timer)
  const due = nextDueMs(queue)
  if (due !== null)
    timer = setTimeout(() => reportToast({ kind: 'clock' }), Math.max(0, due - performance.now()))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Shows a short message that disappears on its own. Only in the browser: call it from an event or an effect. */
export function showToast({ type = 'info', text, lifeMs = TOAST_LIFE_MS }: ToastOptions) {
  reportToast({ kind: 'shown', id: nextId++, type, text, lifeMs })
}

/** `showToast` as a hook, for components that prefer to receive it. */
export function useToast() {
  return showToast
}

/** The toasts to show now. */
export function useToasts() {
  return useSyncExternalStore(
    subscribe,
    () => queue,
    () => EMPTY_QUEUE,
  ).toasts
}
