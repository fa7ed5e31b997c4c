import { describe, expect, it } from 'vitest'
import { greeting } from './mail.ts'

describe('the greeting of a mail', () => {
  it.each([
    ['Kim Lee', 'Hi Kim,'],
    ['  Mary-Jane  Watson ', 'Hi Mary-Jane,'],
    ["O'Brien", "Hi O'Brien,"],
    ['Zoë öz', 'Hi Zoë,'],
    ['Ọ̀ṣọ́ Adé', 'Hi Ọ̀ṣọ́,'],
    ['李小龙', 'Hi 李小龙,'],
  ])('uses the first name of %s', (name, expected) => {
    expect(greeting(name)).toBe(expected)
  })

  it.each([
    'Dr Kim Lee',
    'Mrs. Lee',
    'J. R. R. Tolkien',
    'J.R.R. Tolkien',
    'Kim & Sam',
    'Kim and Sam Lee',
    '李 小龙',
  ])('uses the whole name where its first word is none to be greeted by: %s', (name) => {
    expect(greeting(name)).toBe(`Hi ${name},`)
  })

  it.each(['', 'evil.example', 'Kim\nClaim it'])('leaves out what can be no name: %j', (name) => {
    expect(greeting(name)).toBe('Hello,')
  })
})
