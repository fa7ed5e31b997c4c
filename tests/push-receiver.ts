import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { PushTarget } from '../app/adapters/push/port.ts'

/** A message as a browser would get it. */
export type Received = {
  headers: IncomingHttpHeaders
  /** Decrypted. */
  payload: string
  /** The body as it was on the way. */
  body: Buffer
  /** The claims of the sender's token, whose signature fits its key. */
  claims: { aud: string; exp: number; sub: string }
  senderKey: string
}

/**
 * A browser and its push service in one: receives messages on this machine and decrypts them by RFC 8291 and 8188 with keys of
 * its own, without the library that sends them.
 */
export async function openPushReceiver() {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const auth = randomBytes(16)
  const received: Received[] = []
  let status = 201
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    if (status === 201) {
      const { claims, senderKey } = readSender(String(request.headers.authorization))
      received.push({
        headers: request.headers,
        payload: decrypt(body, keys, auth),
        body,
        claims,
        senderKey,
      })
    }
    response.writeHead(status, status === 307 ? { location: '/elsewhere' } : {}).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const target: PushTarget = {
    endpoint: `${origin}/push/${randomBytes(8).toString('hex')}`,
    p256dh: keys.getPublicKey('base64url'),
    auth: auth.toString('base64url'),
  }
  return {
    origin,
    target,
    received,
    /** The status of the next answers. */
    answers(next: number) {
      status = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The options of a sender that may reach the receiver. */
export const TO_THIS_MACHINE = {
  protocols: ['http:'],
  isAllowedAddress: (address: string) => address === '127.0.0.1',
  isAllowedPort: () => true,
}

/** A target of the right form at a push service that nothing asks. */
export function aPushTarget(endpoint = `https://push.example.net/send/${randomBytes(8).toString('hex')}`) {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  return {
    endpoint,
    p256dh: keys.getPublicKey('base64url'),
    auth: randomBytes(16).toString('base64url'),
  } satisfies PushTarget
}

const SALT_BYTES = 16
const TAG_BYTES = 16
/** Ends the last record; zeros may follow (RFC 8188, 2). */
const LAST_RECORD = 2

function decrypt(body: Buffer, keys: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, SALT_BYTES)
  const keyLength = body.readUInt8(SALT_BYTES + 4)
  const senderKey = body.subarray(SALT_BYTES + 5, SALT_BYTES + 5 + keyLength)
  const encrypted = body.subarray(SALT_BYTES + 5 + keyLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey])
  const derive = (secret: Buffer, from: Buffer, about: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, about, length))
  const secret = derive(keys.computeSecret(senderKey), auth, info, 32)
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12)
  const cipher = createDecipheriv('aes-128-gcm', key, nonce)
  cipher.setAuthTag(encrypted.subarray(-TAG_BYTES))
  const padded = Buffer.concat([cipher.update(encrypted.subarray(0, -TAG_BYTES)), cipher.final()])
  return padded.subarray(0, padded.lastIndexOf(LAST_RECORD)).toString()
}

/** Reads 'vapid t=token, k=key' and checks the token's signature (RFC 8292). */
function readSender(authorization: string): Pick<Received, 'claims' | 'senderKey'> {
  const [, token = '', senderKey = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const [head = '', body = '', signature = ''] = token.split('.')
  const point = Buffer.from(senderKey, 'base64url')
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('The signature doesn’t fit the key.')
  return { claims: JSON.parse(Buffer.from(body, 'base64url').toString()), senderKey }
}
