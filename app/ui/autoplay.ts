import { type RefObject, useEffect, useState } from 'react'

/**
 * Calls `advance` every `delayMs`, except while the person has paused it, the pointer or the focus is on the element,
 * the tab is hidden, or reduced motion is preferred.
 * @param options.step changes whenever another slide is shown, for any reason, and restarts the delay
 * @returns `possible`: whether it may run at all (false under reduced motion); `paused`: whether the person paused it
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
  // Don't move before the preference is known.
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
      // A touch has no leaving pointer, but some browsers report that it entered.
      pointerenter: (event: Event) => setPointed((event as PointerEvent).pointerType === 'mouse'),
      pointerleave: () => setPointed(false),
      // Only visible focus counts: after a mouse press on an arrow the pictures move on.
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
