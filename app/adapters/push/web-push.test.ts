import { afterEach, describe, expect, it } from 'vitest'
import { aPushTarget, openPushReceiver, TO_THIS_MACHINE } from '../../../tests/push-receiver.ts'
import { makePushKeys, pushKeysOf } from './keys.ts'
import { createPushSender } from './web-push.server.ts'

const keys = makePushKeys()
const subject = 'mailto:hello@jubilee.example'
const MESSAGE = {
  payload: '{"kind":"booking","link":"/dashboard/bookings"}',
  topic: 'a-topic_1',
  ttlSeconds: 60,
}
/** As in the product. */
const sender = createPushSender({ keys, subject })
const local = createPushSender({ keys, subject, ...TO_THIS_MACHINE })

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function aReceiver() {
  const receiver = await openPushReceiver()
  closing.push(receiver.close)
  return receiver
}

describe('a pushed message', () => {
  it('can be decrypted only by its browser, and carries our signature for its push service', async () => {
    const { origin, target, received } = await aReceiver()
    expect(await local.send(target, MESSAGE)).toBe('sent')
    const [message] = received
    expect(message?.payload).toBe(MESSAGE.payload)
    expect(message?.body.includes('booking')).toBe(false)
    expect(message?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '60',
      topic: 'a-topic_1',
      urgency: 'normal',
    })
    expect(message?.senderKey).toBe(keys.publicKey)
    expect(message?.claims).toMatchObject({ aud: origin, sub: subject })
    const lastsSeconds = (message?.claims.exp ?? 0) - Date.now() / 1_000
    // RFC 8292, 2: at most a day.
    expect(lastsSeconds).toBeGreaterThan(0)
    expect(lastsSeconds).toBeLessThanOrEqual(86_400)
  })

  it.each([
    [200, 'sent'],
    [202, 'sent'],
    [404, 'gone'],
    [410, 'gone'],
    [400, 'refused'],
    [403, 'refused'],
    [413, 'refused'],
    [429, 'unavailable'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('answered by %i is %s', async (status, outcome) => {
    const { target, answers } = await aReceiver()
    answers(status)
    expect(await local.send(target, MESSAGE)).toBe(outcome)
  })

  it('follows no redirect, which could lead anywhere', async () => {
    const { target, answers, received } = await aReceiver()
    answers(307)
    expect(await local.send(target, MESSAGE)).toBe('refused')
    expect(received).toEqual([])
  })

  it('fails as unreachable while nothing answers, so that it is sent again', async () => {
    const { target, close } = await openPushReceiver()
    await close()
    expect(await local.send(target, MESSAGE)).toBe('unavailable')
  })
})

describe('an endpoint', () => {
  it.each([
    ['without TLS', 'http://push.example.net/a'],
    ['at another port', 'https://push.example.net:8443/a'],
    ['with a login', 'https://user:secret@push.example.net/a'],
    ['on this machine', 'https://127.0.0.1/a'],
    ['in a private network', 'https://192.168.1.10/a'],
    ['of a cloud’s machine data', 'https://169.254.169.254/latest/meta-data'],
    ['of this machine in IPv6', 'https://[::1]/a'],
    ['of a private IPv4 in IPv6', 'https://[::ffff:10.0.0.1]/a'],
    ['in octal', 'https://0177.0.0.1/a'],
    ['that is no address', 'push.example.net/a'],
    ['that is too long', `https://push.example.net/${'a'.repeat(1_000)}`],
  ])('%s is neither stored nor asked', async (_, endpoint) => {
    const target = aPushTarget(endpoint)
    expect(sender.isUsable(target)).toBe(false)
    expect(await sender.send(target, MESSAGE)).toBe('gone')
  })

  it('can be stored if it belongs to a public push service', () => {
    expect(sender.isUsable(aPushTarget())).toBe(true)
  })

  it('whose name leads into this machine is not asked', async () => {
    const { target, received } = await aReceiver()
    // The name passes as text, and its address is checked by the lookup.
    const named = { ...target, endpoint: target.endpoint.replace('127.0.0.1', 'localhost') }
    const strict = createPushSender({ keys, subject, protocols: ['http:'], isAllowedPort: () => true })
    expect(strict.isUsable(named)).toBe(true)
    expect(await strict.send(named, MESSAGE)).toBe('gone')
    expect(received).toEqual([])
  })
})

describe('the keys of a browser', () => {
  it.each([
    ['a point that isn’t on the curve', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
    ['a compressed point', { p256dh: Buffer.alloc(33, 2).toString('base64url') }],
    ['no point', { p256dh: '' }],
    ['a short secret', { auth: Buffer.alloc(15).toString('base64url') }],
    ['no secret', { auth: '' }],
  ])('with %s can’t be stored', (_, change) => {
    expect(sender.isUsable({ ...aPushTarget(), ...change })).toBe(false)
  })
})

describe('our own keys', () => {
  it('derive the public key from the private one', () => {
    for (let at = 0; at < 300; at++) {
      const pair = makePushKeys()
      expect(pushKeysOf(pair.privateKey)).toEqual(pair)
      expect([pair.privateKey.length, pair.publicKey.length]).toEqual([43, 87])
    }
  })

  it.each(['', 'short', Buffer.alloc(32).toString('base64url'), Buffer.alloc(32, 255).toString('base64url')])(
    'are refused as %j',
    (key) => {
      expect(pushKeysOf(key)).toBeNull()
    },
  )
})
