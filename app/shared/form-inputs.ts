import { z } from 'zod'

/** The words of a form's input and how it is typed, declared beside the schema that checks it. */
export type FormInput = {
  label: string
  hint?: string
  type?: 'email' | 'tel' | 'url' | 'date'
  /** 'off' by default. */
  autoComplete?: string
  inputMode?: 'numeric' | 'email' | 'tel' | 'url'
  autoCapitalize?: 'none'
  spellCheck?: false
  /** The lines that a text of several shows while it is short. The browser takes no more than the schema does. */
  rows?: number
  /** The same for a text of one line. Otherwise a longer text is refused with a message. */
  stopsAtLimit?: true
}

/** An input, with the properties that come from its schema. */
export type SchemaInput = FormInput & {
  isOptional: boolean
  /** The longest text, in characters. */
  limit: number | undefined
  /** The options to choose one from. */
  options: readonly string[] | undefined
  isTick: boolean
}

/**
 * The inputs of a form.
 * @param checks the schemas of its fields
 * @param inputs by the names of the fields, in order
 */
export function inputsOf<Name extends string>(
  checks: Readonly<Record<NoInfer<Name>, z.core.$ZodType>>,
  inputs: Readonly<Record<Name, FormInput>>,
): Readonly<Record<Name, SchemaInput>> {
  const entries = Object.entries(inputs) as [Name, FormInput][]
  return Object.fromEntries(
    entries.map(([name, input]) => {
      const checked = unwrap(checks[name])
      const known = {
        isOptional: z.safeParse(checks[name], undefined).success,
        limit: checked instanceof z.ZodString ? (checked.maxLength ?? undefined) : undefined,
        options: checked instanceof z.ZodEnum ? checked.options : undefined,
        isTick: checked instanceof z.ZodBoolean,
      }
      return [name, { ...input, ...known }]
    }),
  ) as never
}

/** The last schema of a chain of transforms, without what stands for a missing value. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return unwrap(schema.unwrap())
  return schema instanceof z.ZodPipe ? unwrap(schema.out) : schema
}
