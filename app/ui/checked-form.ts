import { parseWithZod } from '@conform-to/zod/v4'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'

/** Error messages by field name. */
export type FieldErrors = Record<string, string[] | null>

/**
 * Checks a form with the server's schema on submit, and holds the errors of its fields: the browser's, or the server's
 * if they came later.
 * @param form.answered the server's errors; a new object is a new response
 * @param form.leftOut names of controls that only change what the form shows
 * @param form.onChecked sends a form that passed
 * @returns `attempt` changes with each check and each response, for `FormSummary`
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
  const handled = useRef(answered)
  useEffect(() => {
    if (!answered || handled.current === answered) return
    handled.current = answered
    setErrors(answered)
    setAttempt((count) => count + 1)
  }, [answered])

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (pending) return
    const form = new FormData(event.currentTarget)
    const pressed = (event.nativeEvent as SubmitEvent).submitter
    if (pressed instanceof HTMLButtonElement && pressed.name) form.set(pressed.name, pressed.value)
    for (const name of leftOut) form.delete(name)
    const checked = parseWithZod(form, { schema })
    setErrors(checked.status === 'success' ? {} : (checked.error ?? {}))
    setAttempt((count) => count + 1)
    if (checked.status === 'success') onChecked(form)
  }
  return { errors, attempt, onSubmit, messageOf: (name: string) => errors[name]?.[0] }
}
