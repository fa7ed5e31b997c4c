export type ToastType = 'info' | 'success' | 'error'

/** How long a toast stays (Specification, section 9: 4000 ms outside the header and menu area). */
export const TOAST_LIFE_MS = 4000
/** How long a toast of the header and menu area stays (Specification, section 9). */
export const HEADER_TOAST_LIFE_MS = 3000

export type Toast = {
  id: number
  type: ToastType
  text: string
  /** Remaining time when its countdown last stopped. */
  remainingMs: number
  /** When it disappears, in the time of `nowMs`; null while the countdowns are stopped. */
  dueAtMs: number | null
}

export type ToastQueue = { toasts: readonly Toast[]; waiting: boolean }

export const EMPTY_QUEUE: ToastQueue = { toasts: [], waiting: false }

export type ToastEvent =
  | { kind: 'shown'; id: number; type: ToastType; text: string; lifeMs: number }
  | { kind: 'dismissed'; id: number }
  /** The pointer or the focus entered the toasts: none disappears while someone reads. */
  | { kind: 'held' }
  | { kind: 'released' }
  | { kind: 'clock' }

/**
 * Returns the toasts after an event.
 * @param nowMs the current time of any monotonic clock, in milliseconds
 */
export function nextToasts(queue: ToastQueue, event: ToastEvent, nowMs: number): ToastQueue {
  switch (event.kind) {
    case 'shown': {
      const toast: Toast = {
        id: event.id,
        type: event.type,
        text: event.text,
        remainingMs: event.lifeMs,
        dueAtMs: queue.waiting ? null : nowMs + event.lifeMs,
      }
      return { ...queue, toasts: [...queue.toasts, toast] }
    }
    case 'dismissed': {
      const toasts = queue.toasts.filter((toast) => toast.id !== event.id)
      // No pointer event reports leaving an element that was removed.
      return { toasts, waiting: toasts.length > 0 && queue.waiting }
    }
    case 'held':
      if (queue.waiting) return queue
      return {
        waiting: true,
        toasts: queue.toasts.map((toast) => ({
          ...toast,
          remainingMs: Math.max(0, (toast.dueAtMs ?? nowMs) - nowMs),
          dueAtMs: null,
        })),
      }
    case 'released':
      if (!queue.waiting) return queue
      return {
        waiting: false,
        toasts: queue.toasts.map((toast) => ({ ...toast, dueAtMs: nowMs + toast.remainingMs })),
      }
    case 'clock': {
      const toasts = queue.toasts.filter((toast) => toast.dueAtMs === null || toast.dueAtMs > nowMs)
      return toasts.length === queue.toasts.length ? queue : { ...queue, toasts }
    }
  }
}

/** When the next toast disappears, or null when none is counting down. */
export function nextDueMs(queue: ToastQueue): number | null {
  const due = queue.toasts.flatMap((toast) => (toast.dueAtMs === null ? [] : [toast.dueAtMs]))
  return due.length > 0 ? Math.min(...due) : null
}
