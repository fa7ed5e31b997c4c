import { useEffect, useState } from 'react'
import { showToast } from '../../../ui/toast.tsx'

/**
 * Confirms a save with one toast.
 * @param saved the action's message; a new object is a new save
 */
export function useSavedToast(saved: { message: string | null } | undefined): void {
  useEffect(() => {
    if (saved?.message) showToast({ type: 'success', text: saved.message })
  }, [saved])
}

/**
 * Returns the latest text, or '' before the first. As a form's key it resets the form after a save, and leaves it alone
 * when the next attempt is refused or lost.
 */
export function useLatest(text: string | null | undefined): string {
  const [latest, setLatest] = useState('')
  if (text && text !== latest) setLatest(text)
  return text || latest
}
