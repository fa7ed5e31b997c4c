import type { FormEvent } from 'react'
import { useNavigate } from 'react-router'

/**
 * Submits a GET form without reloading the document, and keeps empty fields out of the address. The form does the same
 * without a script; the server then tidies its address.
 * @param action the list that answers
 */
export function useTidySubmit(action: string) {
  const navigate = useNavigate()
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new URLSearchParams()
    for (const [name, value] of new FormData(event.currentTarget)) {
      const text = String(value).trim()
      if (text) typed.set(name, text)
    }
    const query = typed.toString()
    void navigate(query ? `${action}?${query}` : action)
  }
}
