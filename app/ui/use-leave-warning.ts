import { useCallback, useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import type { ConfirmOptions } from './confirm-dialog.tsx'
import { useDialogs } from './dialog.tsx'

/**
 * Warns before the person leaves a page with unsaved changes. Links and the back button use our own wording, closing
 * and reloading the browser's.
 * @param unsaved whether there is anything to lose
 * @returns call it right before leaving on purpose, after saving
 */
export function useLeaveWarning(unsaved: boolean, words: ConfirmOptions): () => void {
  const dialogs = useDialogs()
  const armed = useRef(unsaved)
  useEffect(() => {
    armed.current = unsaved
  }, [unsaved])
  const blocker = useBlocker(
    useCallback(
      ({
        currentLocation,
        nextLocation,
      }: {
        currentLocation: { pathname: string }
        nextLocation: { pathname: string }
      }) => armed.current && currentLocation.pathname !== nextLocation.pathname,
      [],
    ),
  )
  const latest = useRef({ dialogs, words, blocker })
  latest.current = { dialogs, words, blocker }
  const isBlocked = blocker.state === 'blocked'
  useEffect(() => {
    if (!isBlocked) return
    const { dialogs, words } = latest.current
    void dialogs.confirm(words).then((leaves) => {
      const { blocker } = latest.current
      if (blocker.state !== 'blocked') return
      if (leaves) blocker.proceed()
      else blocker.reset()
    })
  }, [isBlocked])
  useEffect(() => {
    if (!unsaved) return
    const ask = (event: BeforeUnloadEvent) => {
      if (armed.current) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])
  return useCallback(() => {
    armed.current = false
  }, [])
}
