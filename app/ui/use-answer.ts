import { useEffect, useEffectEvent, useRef } from 'react'
import type { Fetcher } from 'react-router'

/**
 * Handles each response of a fetcher once, when the fetcher is idle. An effect that depends only on `fetcher.data`
 * sometimes misses a response: React Router (8.4) keeps the data outside React's state, so React may render it early,
 * discard that render, and find nothing changed at the next one. The state among the dependencies prevents that.
 * @param options.isEarly handles it before the page's data is fresh: for a form that its own success removes
 */
export function useAnswer<Answer>(
  fetcher: Fetcher<Answer>,
  onAnswer: (answer: Answer) => void,
  { isEarly = false } = {},
): void {
  const { data, state } = fetcher
  const handled = useRef<Answer>(undefined)
  const handle = useEffectEvent(onAnswer)
  useEffect(() => {
    const isReady = state === 'idle' || (isEarly && state === 'loading')
    if (!isReady || data === undefined || handled.current === data) return
    handled.current = data
    handle(data)
  }, [data, state, isEarly])
}
