import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fieldRulesOf, hasOnlyKnownFields } from './form-fields.ts'

const hours = z.array(z.object({ opens: z.string(), closes: z.string() })).max(2)
const schema = z
  .object({
    name: z.string().trim().max(5).optional(),
    agreed: z.boolean().default(false),
    unit: z.enum(['hour', 'person']).nullish(),
    tags: z.array(z.string()).max(2).default([]),
    week: z.object({ mon: hours.transform((rows) => rows.length), tue: hours }).prefault({} as never),
    photo: z.instanceof(File).optional(),
  })
  .transform((form) => form.tags)
  .refine((tags) => tags.length > 0)

const isKnown = (...names: string[]) =>
  hasOnlyKnownFields(
    names.map((name) => [name, 'x'] as const),
    [schema],
  )

describe('a form', () => {
  it('may send the names of its schema, and one item more than each list’s maximum', () => {
    const slots = ['mon', 'tue'].flatMap((day) =>
      [0, 1, 2].flatMap((index) => [`week.${day}[${index}].opens`, `week.${day}[${index}].closes`]),
    )
    expect([...fieldRulesOf(schema).keys()].sort()).toEqual(
      ['name', 'agreed', 'unit', 'tags', 'tags[0]', 'tags[1]', 'tags[2]', 'photo', ...slots].sort(),
    )
  })

  it.each([
    'tags[3]',
    'tags[00]',
    'tags[-1]',
    'tags[4294967294]',
    'tags[]',
    'tags.0',
    'week',
    'week.mon',
    'week.mon[0]',
    'week.mon[3].opens',
    'week.mon[0].opens.x',
    'name[0]',
    'name.',
    ' name',
    'Name',
    '__proto__',
    '__intent__',
    'constructor',
    '',
  ])('may send no other name: %j', (name) => {
    expect(isKnown(name)).toBe(false)
  })

  it('may repeat a name only for a list, up to one value more than its maximum', () => {
    expect(isKnown('name', 'agreed', 'tags', 'tags', 'tags')).toBe(true)
    expect(isKnown('tags', 'tags', 'tags', 'tags')).toBe(false)
    expect(isKnown('name', 'name')).toBe(false)
    expect(isKnown('tags[0]', 'tags[0]')).toBe(false)
    expect(isKnown('week.mon[0].opens', 'week.mon[0].opens')).toBe(false)
  })

  it('may use only one notation per list', () => {
    expect(isKnown('tags[0]', 'tags[1]')).toBe(true)
    expect(isKnown('tags', 'tags[0]')).toBe(false)
    expect(isKnown('tags[1]', 'tags')).toBe(false)
  })

  it('may be any of the forms that its action accepts', () => {
    const other = z.discriminatedUnion('intent', [
      z.object({ intent: z.literal('show'), id: z.string() }),
      z.object({ intent: z.literal('hide'), id: z.string(), reason: z.string() }),
    ])
    const fields = ['intent', 'id', 'reason', 'name'].map((name) => [name, 'x'] as const)
    expect(hasOnlyKnownFields(fields, [schema, other])).toBe(true)
    expect(hasOnlyKnownFields(fields, [schema])).toBe(false)
    expect(hasOnlyKnownFields([], [])).toBe(true)
    expect(hasOnlyKnownFields(fields, [])).toBe(false)
  })

  it('may send a file only for a file field', () => {
    const file = new File(['x'], 'a.png')
    expect(hasOnlyKnownFields([['photo', file]], [schema])).toBe(true)
    expect(hasOnlyKnownFields([['name', file]], [schema])).toBe(false)
  })

  it('may repeat the name of a list of files, as a browser sends them', () => {
    const files = z.object({
      photos: z.preprocess((sent) => sent, z.array(z.instanceof(File)).max(2)),
    })
    const sent = (count: number) => Array.from({ length: count }, () => ['photos', new File([], '')] as const)
    expect(hasOnlyKnownFields(sent(3), [files])).toBe(true)
    expect(hasOnlyKnownFields(sent(4), [files])).toBe(false)
    expect(hasOnlyKnownFields([['tags', new File([], '')]], [schema])).toBe(false)
  })

  it('needs a schema with a maximum for each list and a name for each field', () => {
    expect(() => fieldRulesOf(z.object({ tags: z.array(z.string()) }))).toThrow("The list 'tags'")
    expect(() => fieldRulesOf(z.object({ any: z.record(z.string(), z.string()) }))).toThrow("The field 'any'")
    expect(() => fieldRulesOf(z.string())).toThrow('an object schema')
  })
})
