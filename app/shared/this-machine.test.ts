import { describe, expect, it } from 'vitest'
import { isFromThisMachine } from './this-machine.ts'

const asked = (url: string, headers: Record<string, string> = {}) => new Request(url, { headers })

describe('a request from this machine', () => {
  it.each([
    ['http://localhost:3000/outbox', '127.0.0.1'],
    ['http://localhost/outbox', '::1'],
    ['http://127.0.0.1:3000/outbox', '::ffff:127.0.0.1'],
    ['http://127.8.9.10:3000/outbox', '127.8.9.10'],
    ['http://[::1]:3000/outbox', '::1'],
  ])('names a loopback host and comes from a loopback address: %s from %s', (url, address) => {
    expect(isFromThisMachine(asked(url), address)).toBe(true)
  })

  it.each(['203.0.113.7', '::ffff:203.0.113.7', '10.0.0.1', '', 'unknown'])(
    'does not come from the address %j',
    (address) => {
      expect(isFromThisMachine(asked('http://localhost:3000/outbox'), address)).toBe(false)
    },
  )

  it.each([
    'http://rebound.example:3000/outbox',
    'http://127.0.0.1.rebound.example/outbox',
    'http://localhost.rebound.example/outbox',
    'http://127.rebound.example/outbox',
    'http://192.168.0.2:3000/outbox',
  ])('does not name another site that resolves to this machine: %s', (url) => {
    expect(isFromThisMachine(asked(url), '127.0.0.1')).toBe(false)
  })

  it.each(['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'])(
    'carries no proxy’s header: %s',
    (name) => {
      expect(
        isFromThisMachine(asked('http://localhost:3000/outbox', { [name]: '127.0.0.1' }), '127.0.0.1'),
      ).toBe(false)
    },
  )
})
