import { useRef } from 'react'
import { showToast } from './toast.tsx'

/**
 * Copies a text that a read-only field shows. Where the browser denies access to the clipboard, the field is selected, so that the
 * visitor copies it.
 * @param told the toast after copying, and the one about the selected field
 * @returns the field's properties, and what its button does
 */
export function useCopy(text: string, told: { copied: string; selected: string }) {
  const ref = useRef<HTMLInputElement>(null)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      showToast({ type: 'success', text: told.copied })
    } catch {
      ref.current?.focus()
      ref.current?.select()
      showToast({ text: told.selected })
    }
  }
  const onFocus = (event: { currentTarget: HTMLInputElement }) => event.currentTarget.select()
  return { field: { ref, readOnly: true, value: text, onFocus }, copy }
}
