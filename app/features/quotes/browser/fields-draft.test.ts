import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { formDraft } from '../../../ui/form-draft.ts'
import { keepFields } from './fields-draft.ts'

/** The fields that the form has now. A browser reads them from its elements. */
let fields: Record<string, string>
let page: EventTarget
const stored = new Map<string, string>()
const draft = formDraft({ key: 'quote:1', version: '1', parse: ({ version: _, ...found }) => found })

beforeEach(() => {
  vi.useFakeTimers()
  stored.clear()
  fields = { guests: '', 'lines[0].quantity': '1' }
  page = new EventTarget()
  vi.stubGlobal('window', page)
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.stubGlobal('FormData', function readsFields() {
    return new Map(Object.entries(fields))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function aForm({ isRestored = false } = {}) {
  const form = new EventTarget()
  const end = keepFields(form as HTMLFormElement, draft, { isRestored })
  return {
    end,
    /** Types guests, which the first line's quantity follows at React's next rendering. */
    types(guests: string) {
      fields = { ...fields, guests }
      form.dispatchEvent(new Event('input'))
      fields = { ...fields, 'lines[0].quantity': guests }
    },
  }
}

it('keeps the quantity that follows from the guests, not the one before the last digit', () => {
  const form = aForm()
  for (const guests of ['1', '11', '110']) form.types(guests)
  expect(draft.read()).toMatchObject({ guests: '110' })
  vi.runAllTimers()
  expect(draft.read()).toEqual({ guests: '110', 'lines[0].quantity': '110' })
})

it('keeps it also where the form is left before anything else happens', () => {
  const form = aForm()
  form.types('110')
  form.end()
  expect(draft.read()).toEqual({ guests: '110', 'lines[0].quantity': '110' })
})

it.each(['end', 'pagehide'] as const)('keeps the lines that buttons have added since, at %s', (how) => {
  const form = aForm()
  form.types('110')
  vi.runAllTimers()
  fields = { ...fields, 'lines[1].label': 'Album' }
  if (how === 'end') form.end()
  else page.dispatchEvent(new Event('pagehide'))
  expect(draft.read()).toMatchObject({ 'lines[1].label': 'Album' })
})

it('keeps a restored form again, and never puts the one that it took the place of in its stead', () => {
  const kept = { guests: '110', 'lines[0].quantity': '110' }
  draft.keep(kept)
  aForm().end()
  expect(draft.read()).toEqual(kept)
  const restored = aForm({ isRestored: true })
  fields = { ...kept, 'lines[1].label': 'Album' }
  restored.end()
  expect(draft.read()).toEqual(fields)
})

it('keeps nothing of a form that nobody filled in, or whose quote was sent', () => {
  aForm().end()
  expect(draft.read()).toBeNull()
  const form = aForm()
  form.types('110')
  draft.forget()
  vi.runAllTimers()
  form.end()
  expect(draft.read()).toBeNull()
})
