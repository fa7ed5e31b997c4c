import { type RefObject, useEffect, useRef } from 'react'
import { setTyped } from './set-typed.ts'

type Kept = Record<string, string>

const storageKey = (name: string) => `kept-form:${name}`

/**
 * Keeps what is typed into a form of text fields and radio buttons for as long as the tab lives, and puts it back when
 * the form appears again: going back, a reload or a session that ended lose nothing. Passwords are never kept.
 * @param name what the form is about, and whose it is
 * @returns what the form element's `ref` takes
 */
export function useKeptForm(name: string): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const element = form.current
    if (!element) return
    putBack(element, readKept(name))
    const keep = () => {
      const kept = Object.fromEntries(
        controlsOf(element).flatMap((control) =>
          control.type === 'radio' && !(control as HTMLInputElement).checked
            ? []
            : [[control.name, control.value]],
        ),
      )
      try {
        sessionStorage.setItem(storageKey(name), JSON.stringify(kept))
      } catch {
        // A private window or a full disk: then it lives as long as the page.
      }
    }
    element.addEventListener('input', keep)
    return () => element.removeEventListener('input', keep)
  }, [name])
  return form
}

/** What was typed is saved now. */
export function forgetKeptForm(name: string): void {
  try {
    sessionStorage.removeItem(storageKey(name))
  } catch {
    // Then nothing is kept either.
  }
}

function controlsOf(form: HTMLFormElement): (HTMLInputElement | HTMLTextAreaElement)[] {
  return [...form.elements].filter(
    (control): control is HTMLInputElement | HTMLTextAreaElement =>
      control instanceof HTMLTextAreaElement ||
      (control instanceof HTMLInputElement && /^(text|email|tel|radio)$/.test(control.type)),
  )
}

function putBack(form: HTMLFormElement, kept: Kept): void {
  for (const control of controlsOf(form)) {
    const text = kept[control.name]
    if (typeof text !== 'string') continue
    if (control.type === 'radio') (control as HTMLInputElement).checked = control.value === text
    else if (control.value !== text) setTyped(control, text)
  }
}

function readKept(name: string): Kept {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey(name)) ?? '{}')
    return typeof kept === 'object' && kept !== null ? (kept as Kept) : {}
  } catch {
    return {}
  }
}
