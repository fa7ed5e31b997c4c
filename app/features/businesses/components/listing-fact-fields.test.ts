import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { useSchemaForm } from '../../../ui/schema-form.ts'
import { EMPTY_DRAFT } from '../browser/listing-draft.ts'
import { CATEGORY_FACTS } from '../fact-rules.ts'
import { CATEGORIES, CATEGORY_SLUGS } from '../rules.ts'
import { listingSchema } from '../schema.ts'
import { FactFields } from './listing-fact-fields.tsx'

function Form() {
  const { fields } = useSchemaForm({
    id: 'listing',
    schema: listingSchema,
    lastResult: undefined,
    defaultValue: EMPTY_DRAFT,
  })
  return createElement(FactFields, { start: EMPTY_DRAFT, fields, category: '', disabled: false })
}

/** The names of the inputs by the slugs of the categories for which CSS shows them. */
const inputs = renderToStaticMarkup(createElement(Form))
  .split(/data-for="/)
  .slice(1)
  .flatMap((part) => {
    const slugs = part.slice(0, part.indexOf('"')).split(' ')
    return [...part.matchAll(/<(?:input|select)[^>]* name="(\w+)"/g)].map(([, name]) => ({ name, slugs }))
  })

describe('the facts of the listing form', () => {
  it.each(CATEGORIES)('have an input for each fact of %s, and none for others', (category) => {
    const shown = inputs.filter(({ slugs }) => slugs.includes(CATEGORY_SLUGS[category]))
    expect(new Set(shown.map(({ name }) => name))).toEqual(new Set<string>(CATEGORY_FACTS[category]))
  })
})
