import { expect, it } from 'vitest'
import { noteCompleteness } from './use-completed-once.ts'

function aStore() {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  }
}

it('a listing that becomes complete says so once, and again only after it was incomplete', () => {
  const store = aStore()
  const note = (isComplete: boolean) => noteCompleteness(store, { id: 'a', isComplete })
  expect([note(false), note(false), note(true), note(true), note(false), note(true)]).toEqual([
    false,
    false,
    true,
    false,
    false,
    true,
  ])
})

it('a listing that was always complete is silent, and so is another one', () => {
  const store = aStore()
  noteCompleteness(store, { id: 'a', isComplete: false })
  expect(noteCompleteness(store, { id: 'b', isComplete: true })).toBe(false)
  expect(noteCompleteness(store, { id: 'a', isComplete: true })).toBe(true)
})

it('a browser that stores nothing, or something else, makes it silent', () => {
  const store = { ...aStore(), getItem: () => 'no JSON' }
  expect(noteCompleteness(store, { id: 'a', isComplete: true })).toBe(false)
})
