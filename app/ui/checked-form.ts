import { parseWithZod } from '@conform-to/zod/v4'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'

/** The messages of each field, by its name in the form. */
export type FieldErrors = Record<string, string[] | null>

/**
 * Checks a form by the server's schema when it is submitted, and holds the messages of its fields: those of the browser's
 * check, or those of the server's answer if it came later.
 * @param form.answered the server's messages; another object is another answer
 * @param form.leftOut names of controls that only change what the form shows
 * @param form.onChecked called with a form that passed, to be sent
 * @returns `attempt` changes with each check and each answer, for `FormSummary`
 */
export function useCheckedForm({
  schema,
  pending,
  answered = null,
  leftOut = [],
  onChecked,
}: {
  schema: z.ZodType
  pending: boolean
  answered?: FieldErrors | null
  leftOut?: readonly string[]
  onChecked: (form: FormData) => void
}) {
  const [errors, setErrors] = useState<FieldErrors>({})
  const [attempt, setAttempt] = useState(0)
  const shown = useRef(answered)
  useEffect(() => {
    if (!answered || shown.current === answered) return
    shown.current = answered
    setErrors(answered)
    setAttempt((count) => count + 1)
  }, [answered])

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (pending) return
    const form = new FormData(event.currentTarget)
    for (const name of leftOut) form.delete(name)
    const checked = parseWithZod(form, { schema })
    setErrors(checked.status === 'success' ? {} : (checked.error ?? {}))
    setAttempt((count) => count + 1)
    if (checked.status === 'success') onChecked(form)
  }
  return { errors, attempt, onSubmit, messageOf: (name: string) => errors[name]?.[0] }
}
