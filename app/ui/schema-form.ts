import { type Submission, type SubmissionResult, useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { useMemo, useState } from 'react'
import type { z } from 'zod'

type ConformOptions<Fields extends Record<string, unknown>, Value> = Parameters<
  typeof useForm<Fields, Value>
>[0]

/**
 * A form of Conform whose fields are checked by the server's schema: first on submit or when a field is left, then at
 * every letter until they are right.
 * @param options.lastResult the server's answer; it counts for nothing while the next one is `pending`
 * @returns `attempt` changes with each press of the button and each answer, for `FormSummary`; `countPress` is for that
 *   button's onClick, since the form's own submit event comes at every check of a field as well
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
    // A schema's input is what a form can send; the fields are what its defaults are.
    onValidate: ({ formData }) => parseWithZod(formData, { schema }) as Submission<Fields, string[], Value>,
  })
  const countPress = () => setPresses((count) => count + 1)
  return { form, fields, attempt, wasPressed: presses > 0, countPress }
}

/** The fields of a form, for a component that draws some of them. */
export type FieldsOf<Fields extends Record<string, unknown>> = ReturnType<
  typeof useSchemaForm<Fields, unknown>
>['fields']
