import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTextDraft, TYPING_MS } from './text-draft.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A field whose texts are saved at once, unless they are refused. */
function aField() {
  const field = { saved: '', shown: null as string | null, sent: [] as string[], isRefused: false }
  const onTyped = (text: string) => {
    field.sent.push(text)
    if (!field.isRefused) field.saved = text
    draft.follow({ saved: field.saved, onTyped })
  }
  const draft = createTextDraft({ saved: '', onTyped }, (typed) => {
    field.shown = typed
  })
  return { field, draft }
}

it('keeps the space after a pause', () => {
  const { field, draft } = aField()
  draft.type('Garden ')
  vi.advanceTimersByTime(TYPING_MS)
  expect(field.sent).toEqual(['Garden'])
  expect(field.shown).toBe('Garden ')
  draft.type('Garden party')
  draft.leave()
  expect(field).toMatchObject({ sent: ['Garden', 'Garden party'], shown: null })
})

it('sends nothing twice, even if it was refused', () => {
  const { field, draft } = aField()
  field.isRefused = true
  draft.type('Garden')
  vi.advanceTimersByTime(TYPING_MS)
  draft.type('Garden ')
  vi.advanceTimersByTime(TYPING_MS)
  draft.leave()
  vi.advanceTimersByTime(TYPING_MS)
  expect(field.sent).toEqual(['Garden'])
})

it('sends what was saved before once it is typed again', () => {
  const { field, draft } = aField()
  draft.type('Garden')
  vi.advanceTimersByTime(TYPING_MS)
  draft.type('')
  vi.advanceTimersByTime(TYPING_MS)
  expect(field.sent).toEqual(['Garden', ''])
})

it('sends what was typed right before the page is left', () => {
  const { field, draft } = aField()
  draft.type('Garden')
  draft.send()
  expect(field.sent).toEqual(['Garden'])
  vi.advanceTimersByTime(TYPING_MS)
  expect(field.sent).toEqual(['Garden'])
})
