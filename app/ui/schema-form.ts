import { type Submission, type SubmissionResult, useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { z } from 'zod'

type ConformOptions<Fields extends Record<string, unknown>, Value> = Parameters<
  typeof useForm<Fields, Value>
>[0]

/**
 * A Conform form whose fields are checked by the server's schema: first on submit, then on every input until they are
 * valid.
 * @param options.checkedOnBlur each field is first checked when it is left
 * @param options.lastResult the server's response; ignored while the next one is `pending`
 * @returns `attempt` changes with each press of the button and each response, for `FormSummary`. `countPress` is that
 * button's onClick: the form's submit event also fires at every check of a field
 */
export function useSchemaForm<Fields extends Record<string, unknown>, Value>({
  schema,
  lastResult,
  pending = false,
  checkedOnBlur = false,
  ...options
}: Omit<
  ConformOptions<Fields, Value>,
  'lastResult' | 'onValidate' | 'shouldValidate' | 'shouldRevalidate'
> & {
  schema: z.ZodType<Value>
  lastResult: SubmissionResult<string[]> | null | undefined
  pending?: boolean
  checkedOnBlur?: boolean
}) {
  const [presses, setPresses] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new one for each press and each answer
  const attempt = useMemo(() => ({}), [presses, lastResult])
  const [form, fields] = useForm<Fields, Value>({
    ...options,
    lastResult: pending ? null : lastResult,
    shouldValidate: 'onSubmit',
    shouldRevalidate: 'onInput',
    // A schema's input is what a form can send; the fields come from its defaults.
    onValidate: ({ formData }) => parseWithZod(formData, { schema }) as Submission<Fields, string[], Value>,
  })
  useBlurCheck(checkedOnBlur ? form.id : null, (name) => form.validate({ name }))
  const countPress = () => setPresses((count) => count + 1)
  return { form, fields, attempt, wasPressed: presses > 0, countPress }
}

/** The fields of a form, for a component that renders some of them. */
export type FieldsOf<Fields extends Record<string, unknown>> = ReturnType<
  typeof useSchemaForm<Fields, unknown>
>['fields']

/**
 * Checks each field when it is left for the first time. If a press leaves it, the check waits until that press is over and
 * painted: its message may move what is pressed, and on a slow phone it takes longer than the press itself.
 * @param formId null to check nothing
 */
function useBlurCheck(formId: string | null, check: (name: string) => void): void {
  const checkField = useEffectEvent(check)
  useEffect(() => {
    if (!formId) return
    const seen = new Set<string>()
    const left = new Set<string>()
    let isPressed = false
    const checkLeft = () =>
      afterPaint(() => {
        for (const name of left) checkField(name)
        left.clear()
      })
    const listening = new AbortController()
    const listen = <Type extends keyof DocumentEventMap>(
      type: Type,
      listener: (event: DocumentEventMap[Type]) => void,
    ) => document.addEventListener(type, listener, { capture: true, signal: listening.signal })

    listen('focusout', ({ target }) => {
      if (!isField(target) || target.form?.id !== formId || !target.name || seen.has(target.name)) return
      seen.add(target.name)
      left.add(target.name)
      if (!isPressed) checkLeft()
    })
    listen('pointerdown', () => {
      isPressed = true
    })
    const release = () => {
      isPressed = false
      if (left.size > 0) checkLeft()
    }
    listen('pointerup', release)
    listen('pointercancel', release)
    return () => {
      left.clear()
      listening.abort()
    }
  }, [formId])
}

function isField(
  target: EventTarget | null,
): target is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
  )
}

function afterPaint(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work))
}
