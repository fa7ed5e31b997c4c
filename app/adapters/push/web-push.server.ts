import { ECDH } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import webPush from 'web-push'
import { isPublicAddress } from '../calendars/addresses.ts'
import { checkedLookup, isAllowedTarget, RefusedAddress } from '../calendars/lookup.server.ts'
import { limitWire } from '../wire/limits.server.ts'
import type { PushKeys } from './keys.ts'
import type { PushMessage, PushOutcome, PushSender, PushTarget } from './port.ts'

const ENCODING = 'aes128gcm'
const SEND_LIMIT_MS = 10_000
/** For the headers. The body isn't read. */
const MAX_ANSWER_BYTES = 256 * 1024
const MAX_ENDPOINT_LENGTH = 1_000
const AUTH_BYTES = 16

export type PushSenderOptions = {
  keys: PushKeys
  /** Whom a push service may write to: a `mailto:` or an `https:` address (RFC 8292, 2.1). */
  subject: string
  /** Which addresses may be connected to. Tests allow their own server. */
  isAllowedAddress?: (address: string) => boolean
  isAllowedPort?: (port: number) => boolean
  protocols?: readonly string[]
}

/**
 * Sends messages by Web Push (RFC 8030). A browser tells us where its push service is, so an endpoint is a stranger's URL and
 * is checked like that of a calendar. The library encrypts and signs; its own sending can't check an address.
 */
export function createPushSender({
  keys,
  subject,
  isAllowedAddress = isPublicAddress,
  isAllowedPort = (port) => port === 443,
  protocols = ['https:'],
}: PushSenderOptions): PushSender {
  const targetOf = (endpoint: string): URL | null => {
    const url = endpoint.length <= MAX_ENDPOINT_LENGTH ? URL.parse(endpoint) : null
    const isFit =
      url !== null &&
      url.username === '' &&
      url.password === '' &&
      isAllowedTarget(url, { protocols, isAllowedAddress, isAllowedPort })
    return isFit ? url : null
  }
  return {
    publicKey: keys.publicKey,
    isUsable: (target) => targetOf(target.endpoint) !== null && hasKeys(target),
    async send(target, message) {
      const url = targetOf(target.endpoint)
      if (!url || !hasKeys(target)) return 'gone'
      const { cipherText } = webPush.encrypt(target.p256dh, target.auth, message.payload, ENCODING)
      const { Authorization: authorization } = webPush.getVapidHeaders(
        url.origin,
        subject,
        keys.publicKey,
        keys.privateKey,
        ENCODING,
      )
      return post(url, cipherText, { authorization, ...headersOf(message, cipherText) }, isAllowedAddress)
    },
  }
}

/** Whether the keys are a point of the curve and a secret, without which nothing can be encrypted. */
function hasKeys({ p256dh, auth }: PushTarget): boolean {
  if (Buffer.from(auth, 'base64url').length !== AUTH_BYTES) return false
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'hex', 'uncompressed')
    return Buffer.from(p256dh, 'base64url').length === 65
  } catch {
    return false
  }
}

function headersOf({ topic, ttlSeconds }: PushMessage, body: Buffer): Record<string, string | number> {
  return {
    'content-type': 'application/octet-stream',
    'content-encoding': ENCODING,
    'content-length': body.length,
    ttl: ttlSeconds,
    topic,
    urgency: 'normal',
  }
}

function post(
  url: URL,
  body: Buffer,
  headers: Record<string, string | number>,
  isAllowedAddress: (address: string) => boolean,
): Promise<PushOutcome> {
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      agent: false,
      lookup: checkedLookup(isAllowedAddress),
      signal: AbortSignal.timeout(SEND_LIMIT_MS),
      headers,
    })
    limitWire(request, MAX_ANSWER_BYTES)
    request.on('response', (answer) => {
      // Nothing in the body concerns us.
      answer.destroy()
      resolve(outcomeOf(answer.statusCode ?? 0))
    })
    request.on('error', (error) => resolve(error.cause instanceof RefusedAddress ? 'gone' : 'unavailable'))
    request.end(body)
  })
}

/** RFC 8030 has 201 for success, and 404 and 410 for a subscription that has ended. A redirect isn't followed. */
function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'sent'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status >= 500 ? 'unavailable' : 'refused'
}
