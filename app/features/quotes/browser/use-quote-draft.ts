import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigation } from 'react-router'
import { formDraft } from '../../../ui/form-draft.ts'
import { readTypedQuote, type TypedQuote } from '../schema.ts'
import { keepFields } from './fields-draft.ts'

/**
 * Keeps the composer's fields in the tab, and returns those of an earlier visit once the page runs. A sent or saved quote
 * forgets them, and so does its next version.
 */
export function useQuoteDraft({ backTo, version }: { backTo: string; version: number }): {
  form: RefObject<HTMLFormElement | null>
  kept: TypedQuote | null
} {
  const form = useRef<HTMLFormElement>(null)
  const [kept, setKept] = useState<TypedQuote | null>(null)
  const isDone = useIsDone(backTo)
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
  useEffect(() => {
    const element = form.current
    if (!element) return
    return keepFields(element, draft, { isRestored: kept !== null })
  }, [draft, kept])
  useEffect(() => {
    if (isDone) draft.forget()
  }, [isDone, draft])
  return { form, kept }
}

/**
 * Whether the quote was sent or saved: only then does the server lead from the posted form to the conversation without
 * it. A lost connection and a refusal stay at the form, and an ended session leads to the login.
 */
function useIsDone(backTo: string): boolean {
  const { state, formData, location } = useNavigation()
  return (
    state === 'loading' &&
    formData?.has('version') === true &&
    location.pathname === backTo &&
    !new URLSearchParams(location.search).has('quote')
  )
}
