import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { formDraft } from '../../../ui/form-draft.ts'
import { type ComposerAnswer, readTypedQuote, type TypedQuote } from '../schema.ts'

/**
 * Keeps the composer's fields in the tab, and returns those of an earlier visit once the page runs. A sent or saved quote
 * forgets them, and so does its next version.
 */
export function useQuoteDraft({
  backTo,
  version,
  answer,
}: {
  backTo: string
  version: number
  answer: ComposerAnswer | undefined
}): { form: RefObject<HTMLFormElement | null>; kept: TypedQuote | null } {
  const form = useRef<HTMLFormElement>(null)
  const [kept, setKept] = useState<TypedQuote | null>(null)
  const isSent = useRef(false)
  const draft = useMemo(
    () =>
      formDraft<Record<string, unknown>>({
        key: `quote:${backTo}`,
        version: String(version),
        parse: (found) => found,
      }),
    [backTo, version],
  )
  useEffect(() => {
    const found = draft.read()
    const typed = found && readTypedQuote((name) => found[name])
    if (typed) setKept(typed)
  }, [draft])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is another one once kept values are in it
  useEffect(() => {
    const element = form.current
    if (!element) return
    const keep = () => draft.keep(Object.fromEntries(new FormData(element)))
    const send = () => {
      isSent.current = true
    }
    // Lines are added and removed by buttons.
    const leave = () => {
      if (draft.read()) keep()
    }
    element.addEventListener('input', keep)
    element.addEventListener('submit', send)
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      element.removeEventListener('input', keep)
      element.removeEventListener('submit', send)
    }
  }, [draft, kept])
  useEffect(() => {
    // Refused: the form stays, with what was typed.
    if (answer) isSent.current = false
  }, [answer])
  useEffect(
    () => () => {
      // A success leads away from the form.
      if (isSent.current) draft.forget()
    },
    [draft],
  )
  return { form, kept }
}
