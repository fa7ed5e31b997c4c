import { expect, it } from 'vitest'
import { z } from 'zod'
import { inputsOf } from './form-inputs.ts'
import { plainText } from './form-texts.ts'

const checks = {
  name: plainText({ required: 'Enter a name.', max: 100 }).refine((name) => name !== 'x'),
  note: plainText({ max: 500, multiline: true }).default(''),
  code: z
    .string()
    .transform((text) => text.replaceAll(' ', ''))
    .pipe(plainText({ max: 9 }))
    .default(''),
  list: plainText({ required: 'Enter some.', max: 1_000 }).transform((text) => text.split(',')),
  phone: z.string().min(6).max(15).optional(),
  kind: z.enum(['one', 'two']),
  isOpen: z.boolean().default(false),
}
const label = 'Label'
const inputs = inputsOf(checks, {
  name: { label, stopsAtLimit: true },
  note: { label, hint: 'Hint', rows: 4 },
  code: { label },
  list: { label },
  phone: { label, type: 'tel' },
  kind: { label },
  isOpen: { label },
})

it('a form’s inputs keep their words and their order', () => {
  expect(Object.keys(inputs)).toEqual(Object.keys(checks))
  expect(inputs.note).toMatchObject({ label, hint: 'Hint', rows: 4 })
})

it('an input may stay empty where its schema takes no value', () => {
  const optional = Object.entries(inputs).flatMap(([name, { isOptional }]) => (isOptional ? [name] : []))
  expect(optional).toEqual(['note', 'code', 'phone', 'isOpen'])
})

it('an input’s limit is that of its schema, also behind a transform or a default', () => {
  const limits = Object.fromEntries(Object.entries(inputs).map(([name, { limit }]) => [name, limit]))
  expect(limits).toMatchObject({ name: 100, note: 500, code: 9, list: undefined, phone: 15, kind: undefined })
})

it('an enum offers its options, and a boolean is a tick', () => {
  expect(inputs.kind.options).toEqual(['one', 'two'])
  expect(inputs.name.options).toBeUndefined()
  expect([inputs.isOpen.isTick, inputs.kind.isTick]).toEqual([true, false])
})
