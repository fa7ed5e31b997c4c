import { expect, it } from 'vitest'
import { actionFailure } from './action-failure.ts'

it('tells a lost connection from a failure on our side', () => {
  expect(actionFailure(new TypeError('Failed to fetch'))).toBe('not_reached')
  expect(actionFailure(new Error('500'))).toBe('failed')
})

it('lets an answer of the server pass, such as a redirect to the sign-in', () => {
  const redirect = new Response(null, { status: 302 })
  expect(() => actionFailure(redirect)).toThrow(expect.objectContaining({ status: 302 }))
})
