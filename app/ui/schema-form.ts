import { type Submission, type SubmissionResult, useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { useMemo, useState } from 'react'
import type { z } from 'zod'

type ConformOptions<Fields extends Record<string, unknown>, Value> = Parameters<
  typeof useForm<Fields, Value>
>[0]

/**
 * A Conform form whose fields are checked by the server's schema: first on submit or blur, then on every input until
 * they are valid.
 * @param options.lastResult the server's response; ignored while the next one is `pending`
 * @returns `attempt` changes with each press of the button and each response, for `FormSummary`. `countPress` is that
 * button's onClick: the form's submit event also fires at every check of a field
 */
export function useSchemaForm<Fields extends Record<string, unknown>, Value>({
  schema,
  lastResult,
  pending = false,
  ...options
}: Omit<ConformOptions<Fields, Value>, 'lastResult' | 'onValidate' | 'shouldRevalidate'> & {
  schema: z.ZodType<Value>
  lastResult: SubmissionResult<string[]> | null | undefined
  pending?: boolean
}) {
  const [presses, setPresses] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new one for each press and each answer
  const attempt = useMemo(() => ({}), [presses, lastResult])
  const [form, fields] = useForm<Fields, Value>({
    ...options,
    lastResult: pending ? null : lastResult,
    shouldRevalidate: 'onInput',
    // A schema's input is what a form can send; the fields come from its defaults.
    onValidate: ({ formData }) => parseWithZod(formData, { schema }) as Submission<Fields, string[], Value>,
  })
  const countPress = () => setPresses((count) => count + 1)
  return { form, fields, attempt, wasPressed: presses > 0, countPress }
}

/** The fields of a form, for a component that renders some of them. */
export type FieldsOf<Fields extends Record<string, unknown>> = ReturnType<
  typeof useSchemaForm<Fields, unknown>
>['fields']
