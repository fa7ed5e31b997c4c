import { describe, expect, test } from 'vitest'
import {
  EMPTY_QUEUE,
  HEADER_TOAST_LIFE_MS,
  nextDueMs,
  nextToasts,
  TOAST_LIFE_MS,
  type ToastEvent,
} from './toast-queue.ts'

const shown = (id: number, lifeMs = HEADER_TOAST_LIFE_MS): ToastEvent => ({
  kind: 'shown',
  id,
  type: 'info',
  text: `message ${id}`,
  lifeMs,
})

function play(...steps: [ToastEvent, number][]) {
  return steps.reduce((queue, [event, nowMs]) => nextToasts(queue, event, nowMs), EMPTY_QUEUE)
}
const ids = (queue: ReturnType<typeof play>) => queue.toasts.map((toast) => toast.id)

describe('toasts', () => {
  test('last 4000 ms, and 3000 in the header and menu', () => {
    expect([TOAST_LIFE_MS, HEADER_TOAST_LIFE_MS]).toEqual([4000, 3000])
  })
  test('disappear at the end of their time', () => {
    const queue = play([shown(1), 100])
    expect(nextDueMs(queue)).toBe(3100)
    expect(ids(nextToasts(queue, { kind: 'clock' }, 3099))).toEqual([1])
    expect(ids(nextToasts(queue, { kind: 'clock' }, 3100))).toEqual([])
  })
  test('disappear one by one, each after its own time', () => {
    const queue = play([shown(1, 4000), 0], [shown(2, 1500), 0])
    expect(nextDueMs(queue)).toBe(1500)
    expect(ids(nextToasts(queue, { kind: 'clock' }, 1500))).toEqual([1])
  })
  test('stop counting down while held, and then resume', () => {
    const held = play([shown(1), 0], [{ kind: 'held' }, 2000], [shown(2), 2500])
    expect(nextDueMs(held)).toBeNull()
    expect(ids(nextToasts(held, { kind: 'clock' }, 60_000))).toEqual([1, 2])
    const released = nextToasts(held, { kind: 'released' }, 60_000)
    expect(nextDueMs(released)).toBe(61_000)
    expect(ids(nextToasts(released, { kind: 'clock' }, 61_000))).toEqual([2])
  })
  test('ignore a second hold', () => {
    const queue = play(
      [shown(1), 0],
      [{ kind: 'held' }, 1000],
      [{ kind: 'held' }, 2000],
      [{ kind: 'released' }, 2000],
    )
    expect(nextDueMs(queue)).toBe(4000)
  })
  test('stop being held when the last one is dismissed', () => {
    const queue = play(
      [shown(1), 0],
      [{ kind: 'held' }, 10],
      [{ kind: 'dismissed', id: 1 }, 20],
      [shown(2), 30],
    )
    expect(nextDueMs(queue)).toBe(3030)
  })
})
