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
  /** Milliseconds until it goes; default TOAST_LIFE_MS. It waits while pointed at or focused. */
  lifeMs?: number
}

// One browser window has one set of toasts, wherever they are raised; on the server there are none.
let queue = EMPTY_QUEUE
let nextId = 1
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** What happened to the toasts, for all who show them. */
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

/** Shows a small message that goes by itself. Only in the browser: from an event or an effect. */
export function showToast({ type = 'info', text, lifeMs = TOAST_LIFE_MS }: ToastOptions) {
  reportToast({ kind: 'shown', id: nextId++, type, text, lifeMs })
}

/** `showToast` as a hook, for code that likes to get what it uses from its component. */
export function useToast() {
  return showToast
}

/** The toasts that are to be shown now. */
export function useToasts() {
  return useSyncExternalStore(
    subscribe,
    () => queue,
    () => EMPTY_QUEUE,
  ).toasts
}
