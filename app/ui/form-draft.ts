import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { setTyped } from './set-typed.ts'

/** The unsaved values of one form. */
export type FormDraft<Values> = {
  /** Returns null if there is no draft of this version. */
  read: () => Values | null
  keep: (values: Values) => void
  /** Call when the values are saved, or the person discards them. */
  forget: () => void
}

/**
 * The store of one form's draft. It lives as long as the tab, so going back, a reload and an expired session lose
 * nothing. If the browser refuses storage, there is no draft, and the form still works.
 * @param draft.key in session storage; identifies the form's subject and its owner
 * @param draft.version of the record that the form changes; a draft of another version is ignored
 * @param draft.parse reads the values from any stored object: this page wrote it, but other scripts can too
 */
export function formDraft<Values extends object>({
  key,
  version,
  parse,
}: {
  key: string
  version?: string
  parse: (found: Record<string, unknown>) => Values
}): FormDraft<Values> {
  return {
    read() {
      try {
        const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
        if (typeof found !== 'object' || found === null || Array.isArray(found)) return null
        const kept = found as Record<string, unknown>
        return version === undefined || kept.version === version ? parse(kept) : null
      } catch {
        return null
      }
    },
    keep(values) {
      try {
        sessionStorage.setItem(key, JSON.stringify(version === undefined ? values : { ...values, version }))
      } catch {
        // Private windows and full disks: the form itself still holds the values.
      }
    },
    forget() {
      try {
        sessionStorage.removeItem(key)
      } catch {
        // No draft was stored either.
      }
    },
  }
}

/**
 * Stores a draft of a form of text fields, radio buttons and checkboxes, and restores it when the form appears again. Passwords are
 * never stored.
 * @param name identifies the form's subject and its owner
 * @param saved the response of a successful save; a new object is a new save
 * @param onSubmitKey called with the restored draft's submit key, if the form has one: sent again after a lost answer and a
 *   reload, it must still be one submission. Must be stable
 * @param guestName the name of the draft that its person typed before signing in. It becomes this one
 * @returns the form element's `ref`
 */
export function useFormDraft(
  name: string,
  saved: object | null,
  onSubmitKey?: (key: string) => void,
  guestName?: string,
): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  const draft = useMemo(() => draftNamed(name), [name])
  useEffect(() => {
    const element = form.current
    if (!element) return
    const kept = draft.read() ?? takeGuestDraft(guestName, draft) ?? {}
    putBack(element, kept)
    if (typeof kept.submitKey === 'string') onSubmitKey?.(kept.submitKey)
    const keep = () => draft.keep(valuesOf(element))
    element.addEventListener('input', keep)
    return () => element.removeEventListener('input', keep)
  }, [draft, onSubmitKey, guestName])
  useEffect(() => {
    if (saved) draft.forget()
  }, [saved, draft])
  return form
}

const draftNamed = (name: string) => formDraft({ key: `kept-form:${name}`, parse: (found) => found })

function takeGuestDraft(name: string | undefined, own: FormDraft<Record<string, unknown>>) {
  if (!name) return null
  const guest = draftNamed(name)
  const values = guest.read()
  if (values) own.keep(values)
  guest.forget()
  return values
}

function valuesOf(form: HTMLFormElement): Record<string, string> {
  const key = form.elements.namedItem('submitKey')
  return Object.fromEntries([
    ...(key instanceof HTMLInputElement ? [['submitKey', key.value]] : []),
    ...controlsOf(form).flatMap((control) =>
      control.type === 'radio' && !(control as HTMLInputElement).checked
        ? []
        : control.type === 'checkbox'
          ? [[keyOf(control), String((control as HTMLInputElement).checked)]]
          : [[control.name, control.value]],
    ),
  ])
}

/** The checkboxes of one name are kept one by one. */
const keyOf = ({ type, name, value }: HTMLInputElement | HTMLTextAreaElement) =>
  type === 'checkbox' ? `${name}:${value}` : name

function controlsOf(form: HTMLFormElement): (HTMLInputElement | HTMLTextAreaElement)[] {
  return [...form.elements].filter(
    (control): control is HTMLInputElement | HTMLTextAreaElement =>
      control instanceof HTMLTextAreaElement ||
      (control instanceof HTMLInputElement && /^(text|email|tel|date|radio|checkbox)$/.test(control.type)),
  )
}

function putBack(form: HTMLFormElement, kept: Record<string, unknown>): void {
  for (const control of controlsOf(form)) {
    const text = kept[keyOf(control)]
    if (typeof text !== 'string') continue
    if (control.type === 'radio') (control as HTMLInputElement).checked = control.value === text
    else if (control.type === 'checkbox') {
      // A press, so that the form's total follows.
      if (String((control as HTMLInputElement).checked) !== text) control.click()
    } else if (control.value !== text) setTyped(control, text)
  }
}
