import { useEffect } from 'react'
import { showToast } from '../../../ui/toast.tsx'
import { ACCOUNT_TOAST_LIFE_MS } from '../wording.ts'

/** Says once that something was saved. @param saved the answer's message; another object is another save */
export function useSavedToast(saved: { message: string | null } | undefined): void {
  useEffect(() => {
    if (saved?.message) showToast({ type: 'success', text: saved.message, lifeMs: ACCOUNT_TOAST_LIFE_MS })
  }, [saved])
}
