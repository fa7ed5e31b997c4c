import { type RefObject, useEffect, useState } from 'react'

/**
 * Calls `advance` every `delayMs` while nothing speaks against it: the person's own pause, a pointer or the focus
 * on the element, a hidden tab, or the wish for less motion.
 * @param step changes whenever another slide is shown, by whomever, and starts the wait anew
 * @returns whether it may run at all (false where less motion is wished), and the pause of the person
 */
export function useAutoplay({
  element,
  delayMs,
  step,
  enabled,
  advance,
}: {
  element: RefObject<HTMLElement | null>
  delayMs: number
  step: number
  enabled: boolean
  advance: () => void
}) {
  const [paused, setPaused] = useState(false)
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const [hidden, setHidden] = useState(false)
  // Until the browser is asked, nothing moves.
  const [calm, setCalm] = useState(true)

  useEffect(() => {
    const motion = window.matchMedia('(prefers-reduced-motion: reduce)')
    const readMotion = () => setCalm(motion.matches)
    const readTab = () => setHidden(document.hidden)
    readMotion()
    readTab()
    motion.addEventListener('change', readMotion)
    document.addEventListener('visibilitychange', readTab)
    return () => {
      motion.removeEventListener('change', readMotion)
      document.removeEventListener('visibilitychange', readTab)
    }
  }, [])

  useEffect(() => {
    const target = element.current
    if (!target) return
    const events = {
      // A finger that lifts leaves no pointer behind, but some browsers report that it entered.
      pointerenter: (event: Event) => setPointed((event as PointerEvent).pointerType === 'mouse'),
      pointerleave: () => setPointed(false),
      // Only focus that shows: after a mouse press on an arrow the pictures go on.
      focusin: (event: Event) => setFocused((event.target as Element).matches(':focus-visible')),
      focusout: (event: Event) =>
        setFocused(target.contains((event as FocusEvent).relatedTarget as Node | null)),
    }
    for (const [name, listener] of Object.entries(events)) target.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of Object.entries(events)) target.removeEventListener(name, listener)
    }
  }, [element])

  const running = enabled && !paused && !pointed && !focused && !hidden && !calm
  useEffect(() => {
    if (!running) return
    // Read so that every new slide gets its full time.
    void step
    const timer = setTimeout(advance, delayMs)
    return () => clearTimeout(timer)
  }, [running, step, delayMs, advance])

  return { possible: enabled && !calm, paused, setPaused, running }
}
