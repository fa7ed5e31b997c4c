import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { formDraft } from './form-draft.ts'

type Typed = { name: string }
const parse = (found: Record<string, unknown>): Typed => ({ name: String(found.name) })

describe('the draft of a form', () => {
  const kept = new Map<string, string>()
  beforeEach(() => {
    kept.clear()
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    })
  })
  afterEach(() => vi.unstubAllGlobals())

  it('keeps the values until it is forgotten', () => {
    const draft = formDraft({ key: 'review:1', parse })
    expect(draft.read()).toBeNull()
    draft.keep({ name: 'Ana' })
    expect(kept.get('review:1')).toBe('{"name":"Ana"}')
    expect(formDraft({ key: 'review:1', parse }).read()).toEqual({ name: 'Ana' })
    expect(formDraft({ key: 'review:2', parse }).read()).toBeNull()
    draft.forget()
    expect(draft.read()).toBeNull()
  })

  it('reads nothing once its record has another version', () => {
    formDraft({ key: 'listing', version: 'v1', parse }).keep({ name: 'Tide House' })
    expect(formDraft({ key: 'listing', version: 'v1', parse }).read()).toEqual({ name: 'Tide House' })
    expect(formDraft({ key: 'listing', version: 'v2', parse }).read()).toBeNull()
  })

  it.each(['null', '3', '"x"', '[]', '{"name"', ''])('reads nothing when %j is stored', (text) => {
    kept.set('review', text)
    expect(formDraft({ key: 'review', parse }).read()).toBeNull()
  })

  it('reads nothing and throws nothing in a browser that refuses storage', () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
    const draft = formDraft({ key: 'review', parse })
    draft.keep({ name: 'Ana' })
    draft.forget()
    expect(draft.read()).toBeNull()
  })
})
