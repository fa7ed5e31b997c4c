import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { LocalDate } from '../../../shared/dates.ts'
import { dayForKey } from '../month-rules.ts'

/** How long a finger must rest on a day to mark days instead of scrolling. */
const PRESS_MS = 350
/** A finger that moves further than this is scrolling. */
const SLIP_PX = 10

export type DayRange = { from: LocalDate; to: LocalDate }

/**
 * The day that has the focus or would get it, and the days that the keyboard marks.
 * @param options.onRange called with the marked days, by Enter
 * @param options.onMonth called when the arrows lead to a day of another month
 */
export function useCursor(
  grid: { current: HTMLElement | null },
  {
    month,
    today,
    onRange,
    onMonth,
  }: {
    month: string
    today: LocalDate
    onRange: (range: DayRange) => void
    onMonth: (day: LocalDate) => void
  },
) {
  const [current, setCurrent] = useState(today.startsWith(month) ? today : `${month}-01`)
  const day = current.startsWith(month) ? current : `${month}-01`
  const [marked, setMarked] = useState<{ anchor: LocalDate; head: LocalDate } | null>(null)

  const wantsFocus = useRef<LocalDate | null>(null)
  useEffect(() => {
    const wanted = wantsFocus.current
    if (!wanted?.startsWith(month)) return
    wantsFocus.current = null
    grid.current?.querySelector<HTMLElement>(`button[data-day="${wanted}"]`)?.focus()
  })

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setMarked(null)
    if (event.key === 'Enter' && marked) {
      event.preventDefault()
      onRange(inOrder(marked.anchor, marked.head))
      setMarked(null)
      return
    }
    const marks = event.shiftKey && event.key.startsWith('Arrow')
    const next = dayForKey(day, event.key, event.shiftKey)
    if (!next) return
    event.preventDefault()
    setMarked(marks ? { anchor: marked?.anchor ?? day, head: next } : null)
    wantsFocus.current = next
    setCurrent(next)
    if (!next.startsWith(month)) onMonth(next)
  }
  return {
    day,
    range: marked && inOrder(marked.anchor, marked.head),
    onKeyDown,
    moveTo: setCurrent,
    unmark: () => setMarked(null),
  }
}

function inOrder(one: LocalDate, other: LocalDate): DayRange {
  return one <= other ? { from: one, to: other } : { from: other, to: one }
}

type Drag = {
  anchor: LocalDate
  head: LocalDate
  x: number
  y: number
  /** Whether days are being marked: with a mouse from the second day on, with a finger after it has rested. */
  marks: boolean
  isTouch: boolean
}

/** Marks days with a pointer. */
export function useDrag(grid: { current: HTMLElement | null }, onRange: (range: DayRange) => void) {
  const drag = useRef<Drag | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const dragged = useRef(false)
  const [range, setRange] = useState<DayRange | null>(null)

  useEffect(() => {
    const element = grid.current
    // While days are being marked, the page must not scroll under the finger. React's own listeners are passive.
    const hold = (event: Event) => {
      if (drag.current?.marks && event.cancelable) event.preventDefault()
    }
    element?.addEventListener('touchmove', hold, { passive: false })
    element?.addEventListener('contextmenu', hold)
    return () => {
      element?.removeEventListener('touchmove', hold)
      element?.removeEventListener('contextmenu', hold)
      clearTimeout(timer.current)
    }
  }, [grid])

  const show = (now: Drag) => setRange(inOrder(now.anchor, now.head))
  const end = () => {
    clearTimeout(timer.current)
    drag.current = null
    setRange(null)
  }
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const day = dayUnder(event)
      dragged.current = false
      if (!day || !event.isPrimary || event.button !== 0) return
      const isTouch = event.pointerType === 'touch'
      drag.current = { anchor: day, head: day, x: event.clientX, y: event.clientY, marks: false, isTouch }
      if (!isTouch) return
      timer.current = setTimeout(() => {
        if (!drag.current) return
        drag.current.marks = true
        dragged.current = true
        show(drag.current)
      }, PRESS_MS)
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const now = drag.current
      if (!now) return
      if (!now.marks && now.isTouch) {
        if (Math.hypot(event.clientX - now.x, event.clientY - now.y) > SLIP_PX) end()
        return
      }
      const day = dayUnder(event)
      if (!day || day === now.head) return
      if (!now.marks) {
        now.marks = true
        dragged.current = true
        event.currentTarget.setPointerCapture(event.pointerId)
      }
      now.head = day
      show(now)
    },
    onPointerUp() {
      const now = drag.current
      end()
      if (now?.marks) onRange(inOrder(now.anchor, now.head))
    },
    onPointerCancel: end,
    onLostPointerCapture: end,
  }
  return {
    range,
    handlers,
    /** Whether the pointer that was just released has marked days, so that its click must not open a day. */
    wasDragged: () => dragged.current,
  }
}

/** The day at the pointer, even while the pointer is captured. */
function dayUnder(event: PointerEvent): LocalDate | null {
  const element = document.elementFromPoint(event.clientX, event.clientY)
  return element?.closest<HTMLElement>('[data-day]')?.dataset.day ?? null
}
