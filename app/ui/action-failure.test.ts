import { expect, it } from 'vitest'
import { actionFailure } from './action-failure.ts'

it('distinguishes a lost connection from a server failure', () => {
  expect(actionFailure(new TypeError('Failed to fetch'))).toBe('not_reached')
  expect(actionFailure(new Error('500'))).toBe('failed')
})

it('rethrows a response of the server, such as a redirect to login', () => {
  const redirect = new Response(null, { status: 302 })
  expect(() => actionFailure(redirect)).toThrow(expect.objectContaining({ status: 302 }))
})
