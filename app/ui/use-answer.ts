import { useEffect, useEffectEvent, useRef } from 'react'
import type { Fetcher } from 'react-router'

/**
 * Handles each answer of a fetcher once, when it has come to rest.
 *
 * An effect that depends on `fetcher.data` alone is lost now and then: React Router (8.4) keeps the data outside React's
 * state, so React may render it early, throw that rendering away, and find nothing changed at the next one. The state
 * in the dependencies makes sure of it.
 */
export function useAnswer<Answer>(fetcher: Fetcher<Answer>, onAnswer: (answer: Answer) => void): void {
  const { data, state } = fetcher
  const handled = useRef<Answer>(undefined)
  const handle = useEffectEvent(onAnswer)
  useEffect(() => {
    if (state !== 'idle' || data === undefined || handled.current === data) return
    handled.current = data
    handle(data)
  }, [data, state])
}
