import type { FormEvent } from 'react'
import { useNavigate } from 'react-router'

/**
 * Submits a GET form without reloading the document, and keeps empty fields out of the address. Without JavaScript the
 * form still works, and the server redirects to the tidy address.
 * @param action the path of the list
 * @param onShown is called when the answer is on the screen
 */
export function useTidySubmit(action: string, onShown?: () => void) {
  const navigate = useNavigate()
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const queryString = tidyQuery(event.currentTarget).toString()
    void Promise.resolve(navigate(queryString ? `${action}?${queryString}` : action)).then(onShown)
  }
}

/** The fields of a form as the parameters of an address, without empty ones. */
export function tidyQuery(form: HTMLFormElement): URLSearchParams {
  const typed = new URLSearchParams()
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim()
    if (text) typed.set(name, text)
  }
  return typed
}
