import { useEffect, useState } from 'react'
import { showToast } from '../../../ui/toast.tsx'
import { ACCOUNT_TOAST_LIFE_MS } from '../messages.ts'

/** Says once that something was saved. @param saved the answer's message; another object is another save */
export function useSavedToast(saved: { message: string | null } | undefined): void {
  useEffect(() => {
    if (saved?.message) showToast({ type: 'success', text: saved.message, lifeMs: ACCOUNT_TOAST_LIFE_MS })
  }, [saved])
}

/**
 * The last text that was there; '' before the first. As a form's key it starts the form anew after a save, and leaves it
 * alone when the next attempt is refused or lost.
 */
export function useLatest(text: string | null | undefined): string {
  const [latest, setLatest] = useState('')
  if (text && text !== latest) setLatest(text)
  return text || latest
}
