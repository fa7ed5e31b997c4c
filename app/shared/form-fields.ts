import type { z } from 'zod'

type Def = z.core.$ZodTypes['_zod']['def']

/** The rule for a name that a form may send. */
type FieldRule = {
  /** How many times the name may be sent. */
  times: number
  isFile: boolean
  /** The list that the name belongs to. `tags` and `tags[0]` both mean list `tags`, in two notations. */
  list: string | null
  /** The schema that checks a value of this name. */
  schema: z.core.$ZodType
}

export type FieldRules = ReadonlyMap<string, FieldRule>

const derived = new WeakMap<z.core.$ZodType, FieldRules>()

/**
 * Lists every name that a form of this schema may send, in Conform's notation: `name`, `days.mon[0].opens`. A list of
 * plain values or files may also repeat its own name. Each list accepts one value more than its maximum, so that the schema
 * itself can refuse it with a message.
 * @throws for a list without a maximum, and for a schema with unknown field names
 */
export function fieldRulesOf(schema: z.core.$ZodType): FieldRules {
  const known = derived.get(schema)
  if (known) return known
  const rules = new Map<string, FieldRule>()
  addRules(rules, schema, '', null)
  derived.set(schema, rules)
  return rules
}

function addRules(
  rules: Map<string, FieldRule>,
  schema: z.core.$ZodType,
  name: string,
  list: string | null,
  field = schema,
): void {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      for (const [key, field] of Object.entries(def.shape)) {
        addRules(rules, field, name ? `${name}.${key}` : key, null)
      }
      return
    case 'array': {
      const length = maxLengthOf(schema, name) + 1
      for (let index = 0; index < length; index++) addRules(rules, def.element, `${name}[${index}]`, name)
      const plain = rules.get(`${name}[0]`)
      if (plain) rules.set(name, { ...plain, times: length, list: name })
      return
    }
    case 'union':
      for (const option of def.options) addRules(rules, option, name, list, field)
      return
    case 'intersection':
      addRules(rules, def.left, name, list, field)
      addRules(rules, def.right, name, list, field)
      return
    case 'pipe':
      addRules(rules, isTransform(def.in) ? def.out : def.in, name, list, field)
      return
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
      addRules(rules, def.innerType, name, list, field)
      return
    case 'string':
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'custom':
      if (name === '') throw new Error('A form needs an object schema.')
      rules.set(name, { times: 1, isFile: def.type === 'custom', list, schema: field })
      return
    default:
      throw new Error(`The field '${name}' is a ${def.type}, whose names can't be listed.`)
  }
}

function isTransform(schema: z.core.$ZodType): boolean {
  return (schema._zod.def as Def).type === 'transform'
}

function maxLengthOf(schema: z.core.$ZodType, name: string): number {
  const maxima = (schema._zod.def.checks ?? []).flatMap(({ _zod: { def } }) =>
    def.check === 'max_length' ? [(def as z.core.$ZodCheckMaxLengthDef).maximum] : [],
  )
  if (maxima.length === 0) throw new Error(`The list '${name}' needs a maximum.`)
  return Math.min(...maxima)
}

/**
 * Whether a form has only names from the schemas, each no more often than allowed. The work grows with the number of
 * fields sent, never with a number inside a name.
 * @param fields names and values, in the order sent
 */
export function hasOnlyKnownFields(
  fields: Iterable<readonly [string, unknown]>,
  schemas: readonly z.core.$ZodType[],
): boolean {
  const rulesOfSchemas = schemas.map(fieldRulesOf)
  const counts = new Map<string, number>()
  const isIndexed = new Map<string, boolean>()
  for (const [name, value] of fields) {
    const rule = rulesOfSchemas.find((rules) => rules.has(name))?.get(name)
    if (!rule || (typeof value !== 'string' && !rule.isFile)) return false
    const count = (counts.get(name) ?? 0) + 1
    if (count > rule.times) return false
    counts.set(name, count)
    if (rule.list === null) continue
    const hasIndex = rule.list !== name
    if ((isIndexed.get(rule.list) ?? hasIndex) !== hasIndex) return false
    isIndexed.set(rule.list, hasIndex)
  }
  return true
}
